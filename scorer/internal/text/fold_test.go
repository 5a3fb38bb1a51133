package text_test

import (
	"fmt"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

func ExampleFold() {
	fmt.Println(text.Fold("“Refunds take 1,498.50 Days” — at −3 °C, 45 %."))
	// Output: refundstake1498.50daysat−3c45%
}

func ExampleFoldMap() {
	s := "It takes **14 days**."
	_, offsets := text.FoldMap(s)
	fmt.Println(s[offsets[len("ittakes")]:offsets[len("ittakes14days")]])
	// Output: 14 days**.
}

func TestFoldKeepsWhatAQuoteMustKeep(t *testing.T) {
	for s, want := range map[string]string{
		"": "", " \n*—": "", "Hello, World!": "helloworld", "ＦＵＬＬ　１２％": "full12%", "3.5": "3.5", "3. 5": "35", "v1.2.3.": "v1.2.3", "1,000": "1000",
		"fell to -3": "fellto−3", "5, -3": "5−3", "2011-14": "201114", "COVID-19": "covid19", "COVID‑19": "covid19", "- 3": "3", "10%-15%": "10%15%",
		"+5": "+5", "5+5": "55", "45 %": "45%", "%": "", "e.g. x": "egx", "Café": "café", "Cafe\u0301": "café", "退款，14天。": "退款14天", "二〇二四": "二〇二四",
		"ﬁne": "fine", "a\xffb\xc3": "ab", "İ": "i", "\u1100 \u1161": "",
	} {
		assert.Equal(t, want, text.Fold(s), "%q", s)
	}
}

func TestFoldedCharactersFoldToThemselves(t *testing.T) {
	for r := range unicode.MaxRune {
		if once := text.Fold(string(r)); once != text.Fold(once) {
			require.Equal(t, once, text.Fold(once), "%U", r)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"a -3 %.5 +1.\u00b4", "Ϊ\u0301 e\u0301\u0301", "\u1100 \u1161ﬁ½⒈5", "\xff\xc3 1,2.3%-4", "−−1++2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		folded, offsets := text.FoldMap(s)
		require.Equal(t, text.Fold(s), folded)
		require.Equal(t, folded, text.Fold(folded), "folding twice changes nothing")
		require.Len(t, offsets, len(folded)+1)
		require.Equal(t, len(s), offsets[len(folded)])
		for i := range folded {
			require.LessOrEqual(t, offsets[i], offsets[i+1])
			require.True(t, utf8.RuneStart(s[offsets[i]]) || !utf8.ValidString(s))
		}
	})
}
