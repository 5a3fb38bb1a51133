package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func piecesOf(passage string) []string {
	var list []string
	for _, p := range split(passage) {
		list = append(list, p.Text)
	}
	return list
}

func TestJSONIsSplitIntoRecordsAndMembers(t *testing.T) {
	assert.Equal(t, []string{`[{"order":"A, B","pieces":5},`, `{"order":"C\"}, {","pieces":[1,2]}]`}, piecesOf(`[{"order":"A, B","pieces":5},{"order":"C\"}, {","pieces":[1,2]}]`))
	assert.Equal(t, []string{`{"a":1,"b":2}`}, piecesOf(`{"a":1,"b":2}`))
	assert.Equal(t, []string{"{a. B,", "c}"}, append([]string{"{a. B,"}, "c}"), "not JSON: prose")

	var members []string
	for i := range 100 {
		members = append(members, fmt.Sprintf(`"field %d":"a value with some text"`, i))
	}
	for _, p := range piecesOf("{" + strings.Join(members, ",") + "}") {
		assert.Less(t, len(p), 2*member)
		assert.True(t, strings.HasSuffix(p, `",`) || strings.HasSuffix(p, `"}`), "cut between members: %s", p)
	}
}

func TestWhatHasNoSentencesIsCut(t *testing.T) {
	for name, passage := range map[string]string{
		"words": strings.Repeat("copper wire and paint ", 400), "Chinese": strings.Repeat("铜线和油漆", 1000), "one word": strings.Repeat("x", 9000), "JSON string": `"` + strings.Repeat("x y", 3000) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			pieces := piecesOf(passage)
			assert.Greater(t, len(pieces), 5)
			for _, p := range pieces {
				assert.LessOrEqual(t, len(p), longest)
			}
			assert.Equal(t, strings.ReplaceAll(passage, " ", ""), strings.ReplaceAll(strings.Join(pieces, ""), " ", ""))
		})
	}
}

func TestPiecesStandUnderTheirTitleAndHeader(t *testing.T) {
	c := New([]string{
		"Fees of the bank\nThey are yearly.\n\n| Account | Fee |\n|---|---|\n| Basic | 9.50 |\n| Premium | 120 |\n\n## Cards\nEach account has one.",
		"No title. Two sentences.",
	})
	for want, claim := range map[string]string{
		"Fees of the bank\n| Account | Fee |\n|---|---|\n| Basic | 9.50 |\n| Premium | 120 |\n\n## Cards": "Premium",
		"Fees of the bank\nThey are yearly.\n\n| Account | Fee |":                                         "yearly",
		"## Cards\nEach account has one.":                                                                 "each has one",
	} {
		near := c.Nearest(claim, 1)
		if claim == "each has one" {
			near = c.Find("Each account has one.", "")
		}
		assert.Equal(t, want, c.Around(near)[0])
	}
	assert.Equal(t, []string{"Fees of the bank\n| Account | Fee |\n|---|---|\n| Premium | 120 |", "No title."}, []string{c.Stretch(5, 6)[0], c.Stretch(8, 9)[0]})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{`[{"a":"b, c"},{"d":[1,2,{"e":"\""}]}]`, "# T\n| a | b |\n|---|---|\n| c | d |\n\nOne. Two.", strings.Repeat("字", 900), "\xff" + strings.Repeat("\x80", 2000), "Title\n\n退款。"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, p := range split(s) {
			require.GreaterOrEqual(t, p.Start, end)
			require.Empty(t, strings.TrimSpace(s[end:p.Start]))
			require.Equal(t, s[p.Start:p.End], p.Text)
			require.NotEmpty(t, p.Text)
			require.LessOrEqual(t, len(p.Text), longest)
			end = p.End
		}
		require.Empty(t, strings.TrimSpace(s[end:]))
		c := New([]string{s, s})
		require.Len(t, c.Stretch(0, c.Len()), min(2, c.Len()))
		for i := range c.Len() {
			for _, lead := range c.leads[i] {
				require.Less(t, lead, i)
				require.Equal(t, c.pieces[i].Passage, c.pieces[lead].Passage)
			}
		}
	})
}
