package text_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

func ExampleNames() {
	fmt.Println(text.Names("Steve Jobs showed the iPhone at Macworld, says NASA."))
	// Output: [steve jobs iphone macworld nasa]
}

func TestNames(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "refunds take 14 days": nil, "Refunds take 14 days.": nil, "I think I'm right.": nil, "However, it is.": nil,
		"Paris is big. I love Paris.": {"paris"}, "We met in Paris.": {"paris"}, "The Bank of England": {"bank of england"}, "Answer: Paris": {"paris"}, "Note: Refunds take time": nil,
		"J. K. Rowling": {"j k rowling"}, "J.K. Rowling": {"jk rowling"}, "Dr. Smith left.": {"smith"}, "the U.S. army": {"us"}, "Open on Monday.": {"monday"}, "Monday is fine.": {"monday"},
		"NASA's plan": {"nasa"}, "GPT4, GPT-4 and iPhone": {"gpt4", "gpt-4", "iphone"}, "AT&T and Wi-Fi": {"at&t", "wi-fi"}, "We met O'Neil's son": {"o'neil"}, "We met Ludwig van Beethoven.": {"ludwig van beethoven"},
		"THIS IS ALL IN CAPITALS": nil, "In Paris, Rome": {"paris", "rome"}, "- Paris Hilton sang": {"paris hilton"}, "Москва и Россия": {"россия"},
		"使用Python和iPhone": {"python", "iphone"}, "《红楼梦》很好": {"红楼梦"}, "苹果公司（Apple）": {"apple"}, "3 Apples": {"apples"}, "\xff Paris\xc3": {"paris"},
	} {
		assert.Equal(t, want, text.Names(s), "%q", s)
	}
}
