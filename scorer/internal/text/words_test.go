package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

func ExampleWords() {
	fmt.Println(text.Words("The refunds were issued within 14 days."))
	fmt.Println(text.Words("退款的时间"))
	// Output:
	// [refund issu within day 14]
	// [退款 时间]
}

func ExampleSameScript() {
	fmt.Println(text.SameScript("退款需要14天", "Refunds take 14 days"))
	fmt.Println(text.SameScript("14", "Refunds take 14 days"))
	// Output:
	// false
	// true
}

func TestFormsOfAWordMeet(t *testing.T) {
	for _, forms := range []string{
		"refund refunds refunded refunding", "ship ships shipped shipping", "policy policies", "issue issues issued issuing", "box boxes", "study studies studied studying",
		"watch watches watched watching", "use uses used using", "Renée Renee", "ＡＰＩ api", "company company's companies",
	} {
		first, _, _ := strings.Cut(forms, " ")
		for form := range strings.FieldsSeq(forms) {
			assert.Equal(t, text.Words(first), text.Words(form), "%s and %s", first, form)
		}
	}
}

func TestOtherWordsStayApart(t *testing.T) {
	for _, pair := range [][2]string{{"free", "freeze"}, {"bus", "business"}, {"thing", "th"}, {"red", "r"}, {"class", "clash"}, {"analysis", "analyst"}, {"ring", "rang"}} {
		assert.NotEqual(t, text.Words(pair[0]), text.Words(pair[1]), "%s", pair)
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "It is not the shop that I was": {"shop"}, "1.5 million": {"million", "1500000"}, "我和你": nil, "免费送货": {"免费", "费送", "送货"}, "使用Go语言": {"使用", "go", "语言"},
		"refund refunds": {"refund"}, "Доставка": {"доставка"}, "無料": {"無料"}, "무료 배송": {"무료", "배송"}, "a\xff refund\xc3": {"refund"},
	} {
		assert.Equal(t, want, text.Words(s), "%q", s)
	}
}

func TestSameScript(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "abc", true}, {"123", "中文", true}, {"abc", "déf", true}, {"中文", "日本語です", true}, {"abc", "中文", false}, {"abc", "русский", false}, {"한국어", "日本語", false},
		{"我们的 Kubernetes 集群支持自动扩容", "中文", true}, {"Use 微信 to pay in the shop", "abc", true}, {"ไทย", "abc", false}, {"العربية", "abc", false}, {"ქართული", "abc", false},
	} {
		assert.Equal(t, c.want, text.SameScript(c.a, c.b), "%q %q", c.a, c.b)
		assert.Equal(t, c.want, text.SameScript(c.b, c.a), "%q %q", c.b, c.a)
	}
}
