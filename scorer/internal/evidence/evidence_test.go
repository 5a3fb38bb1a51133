package evidence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var shop = []string{
	"Refunds are issued within 14 days. Shipping within the EU costs 5 euros.\nNo refunds after 60 days!",
	"| Plan | Price |\n|---|---|\n| Basic | 9.50 |\n| Pro | -20% |",
	"退款会在14天内发放。欧盟境内的运费为5欧元。",
	`{"tool":"orders","result":{"status":"shipped","eta":"2026-12-05"}}`,
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, quote, found string // found: the widened text; empty: not found
	}{
		{"a sentence", "Refunds are issued within 14 days.", "Refunds are issued within 14 days."},
		{"another case and spacing", "  refunds ARE issued\nwithin 14 days ", "Refunds are issued within 14 days."},
		{"in quotation marks", "“Refunds are issued within 14 days”", "Refunds are issued within 14 days."},
		{"a part is widened", "issued within 14 days", "Refunds are issued within 14 days."},
		{"in parts", "Refunds are issued within 14 days … No refunds after 60 days!", "Refunds are issued within 14 days. + No refunds after 60 days!"},
		{"sentences from two passages", "Refunds are issued within 14 days. 退款会在14天内发放。", "Refunds are issued within 14 days. + 退款会在14天内发放。"},
		{"in parts, one made up", "Refunds are issued within 14 days … Shipping is free worldwide.", ""},
		{"in parts, one too short", "Refunds are issued within 14 days … 5", ""},
		{"with its place before it", "passage 1: Refunds are issued within 14 days.", "Refunds are issued within 14 days."},
		{"with its place in brackets", "[passage 1 0a1b2c3d] Refunds are issued within 14 days.", "Refunds are issued within 14 days."},
		{"a number of one digit", "5", ""},
		{"a number of two digits", "14", ""},
		{"across sentences", "within 14 days. Shipping within the EU", "Refunds are issued within 14 days. Shipping within the EU costs 5 euros."},
		{"another number", "Refunds are issued within 15 days.", ""},
		{"another point", "Refunds are issued within 1.4 days.", ""},
		{"too short", "14 days", ""},
		{"a whole cell", "Basic", "| Basic | 9.50 |"},
		{"a whole cell with a sign", "-20%", "| Pro | -20% |"},
		{"the cell without its sign", "20%", ""},
		{"part of a cell", "Bas", ""},
		{"Chinese", "退款会在14天内发放", "退款会在14天内发放。"},
		{"a part in Chinese", "欧盟境内的运费", "欧盟境内的运费为5欧元。"},
		{"too short in Chinese", "运费", ""},
		{"JSON", `"status":"shipped"`, `{"tool":"orders","result":{"status":"shipped","eta":"2026-12-05"}}`},
		{"nothing", "", ""},
		{"only signs", "…!?", ""},
		{"made up", "Shipping is free worldwide.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			for _, p := range New(shop).Find(c.quote, "") {
				found = append(found, p.Text)
				assert.Equal(t, p.Text, shop[p.Passage][p.Start:p.End])
			}
			assert.Equal(t, c.found, strings.Join(found, " + "))
		})
	}
}

func TestFindTakesAWholeSentenceThatIsShort(t *testing.T) {
	found := New([]string{"He slept. She did not."}).Find("He slept.", "")
	require.Len(t, found, 1)
	assert.Equal(t, "He slept.", found[0].Text)
}

func TestBears(t *testing.T) {
	for _, c := range []struct {
		name, piece, claim string
		bears              bool
	}{
		{"a shared word", "Refunds are issued within 14 days.", "A refund takes two weeks.", true},
		{"a shared number", "It takes 14 days.", "14 is the limit.", true},
		{"a shared name", "Steve Jobs spoke.", "It was Jobs.", true},
		{"nothing shared", "Refunds are issued within 14 days.", "Shipping is free worldwide.", false},
		{"only function words", "It is within the law.", "It is in the box.", false},
		{"other scripts", "退款会在十四天内发放。", "Refunds come soon.", true},
		{"Chinese", "退款会在14天内发放。", "退款很快。", true},
		{"Chinese, nothing shared", "退款会在14天内发放。", "全球免运费。", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			context := New([]string{c.piece})
			assert.Equal(t, c.bears, context.Bears(context.At(0), c.claim))
		})
	}
}

func TestNearestAndAround(t *testing.T) {
	c := New([]string{"One bird sings. Two boats sail. Three carts roll. Four drums beat.", "Five eagles fly."})
	near := c.Nearest("The carts roll fast.", 1)
	require.Len(t, near, 1)
	assert.Equal(t, "Three carts roll.", near[0].Text)
	assert.Equal(t, []string{"Two boats sail. Three carts roll. Four drums beat."}, c.Around(near))
	assert.Len(t, c.Nearest("carts", 99), 5)
	assert.Equal(t, "One bird sings.", c.Nearest("nothing like it", 1)[0].Text, "the first where nothing is near")
	assert.Equal(t, []string{"One bird sings. Two boats sail.", "Five eagles fly."},
		c.Around([]Piece{c.Nearest("eagles", 1)[0], c.Nearest("bird", 1)[0]}), "in the context's order")
}

func TestRanks(t *testing.T) {
	assert.True(t, New(shop[:1]).Ranks("Refunds are quick."))
	assert.False(t, New(shop[:1]).Ranks("退款很快。"))
}

func TestEmpty(t *testing.T) {
	assert.True(t, New(nil).Empty())
	assert.True(t, New([]string{"", " \n"}).Empty())
	assert.False(t, New(shop).Empty())
}

func FuzzFind(f *testing.F) {
	f.Add("Refunds are issued within 14 days. Two.", "issued within 14 days")
	f.Add("退款会在14天内发放。", "退款会在14天")
	f.Fuzz(func(t *testing.T, passage, quote string) {
		c := New([]string{passage})
		for _, p := range c.Find(quote, passage) {
			assert.Equal(t, passage[p.Start:p.End], p.Text)
			assert.NotEmpty(t, p.Text)
			c.Bears(p, quote)
			c.Around([]Piece{p})
		}
	})
}
