package text_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

func ExampleNumbers() {
	fmt.Println(text.Numbers("About 1.5 million of 1,498,000 people, or 45 percent, paid $5.00."))
	fmt.Println(text.Numbers("百分之四十五的人在十四天内付了３万元。"))
	// Output:
	// [1500000 1498000 45% 5]
	// [45% 14 30000]
}

func TestNumbersHaveOneForm(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "no number": nil,
		"14 days, 14 days": {"14"}, "1,498,000": {"1498000"}, "1 498 000 people": {"1498000"}, "1’498’000": {"1498000"}, "12,34,567": {"1234567"},
		"1.498.000 Euro": {"1498000"}, "$5.00": {"5"}, "0.50": {"0.5"}, ".5": {"0.5"}, "007": {"7"}, "3.14.": {"3.14"},
		"1.5 million": {"1500000"}, "1.5-million": {"1500000"}, "2.3bn": {"2300000000"}, "2.3 billion": {"2300000000"}, "5k": {"5000"},
		"$1.5M": {"1500000"}, "€2m": {"2000000"}, "a 5.68m pole": {"5.68"}, "7 mln": {"7000000"}, "3 hundred thousand": {"300000"},
		"45%": {"45%"}, "45 %": {"45%"}, "45.50 percent": {"45.5%"}, "２５％": {"25%"}, "2 percentage points": {"2%"},
		"10-15%": {"10%", "15%"}, "5 to 6 million": {"5000000", "6000000"}, "2011-14": {"2011", "14"}, "2019 to 5 million": {"2019", "5000000"}, "in 2019 and 45%": {"2019", "45%"}, "2011 – 14": {"2011", "14"}, "2024-03-14": {"2024", "3", "14"},
		"it was -3 °C": {"-3"}, "−3": {"-3"}, "-$5": {"-5"}, "minus 3": {"-3"}, "COVID-19": {"19"}, "a 7-day trip": {"7"}, "+5": {"5"},
		"version 1.2.3": {"1.2.3"}, "v1.2.3": {"1.2.3"}, "v1.10": {"1.1"}, "192.168.0.1": {"192.168.0.1"},
		"14:30": {"14", "30"}, "the 1980s": {"1980"}, "May 14th": {"14"}, "14days": {"14"}, "GPT4 and H2O": nil,
		"1. First\n2) Second\n(3) Third\n- 4. Fourth": nil, "1. First 5": {"5"}, "14.": {"14"}, "4、第四": nil, "3.5 million": {"3500000"},
		"thirty": {"30"}, "Two hundred": {"200"}, "twenty-five": {"25"}, "two hundred and fifty-one": {"251"}, "thirteen": {"13"},
		"one hundred twenty-three thousand four hundred": {"123400"}, "a million": {"1000000"}, "half a million": {"500000"}, "three million": {"3000000"},
		"nineteen ninety-nine": {"1999"}, "the twenty-first": {"21"}, "fourteenth": {"14"}, "five percent": {"5%"}, "thirty-five percent": {"35%"},
		"twelve": nil, "one of the first two": nil, "hundreds of people": nil, "someone often tented": nil, "a cat": nil,
		"百分之四十五": {"45%"}, "百分之3.5": {"3.5%"}, "百分之三点五": {"3.5%"}, "百分之百": {"100%"}, "提高5个百分点": {"5%"},
		"十四天": {"14"}, "三百": {"300"}, "一百二十": {"120"}, "三千五": {"3500"}, "一万零五十": {"10050"}, "一亿二千万": {"120000000"}, "一万亿": {"1000000000000"},
		"二〇二四年": {"2024"}, "二零二四": {"2024"}, "三点五": {"3.5"}, "两个": {"2"}, "三个人": {"3"}, "十月一日": {"10", "1"}, "一年": {"1"}, "贰佰元": {"200"},
		"３万": {"30000"}, "3万5千元": {"35000"}, "1亿2000万": {"120000000"}, "1.5亿": {"150000000"}, "2-3万": {"20000", "30000"}, "6600多万元": {"6600"},
		"5千米": {"5"}, "三千米": {"3"}, "百万美元": {"1000000"}, "第十四条": {"14"}, "零下5度": {"-5"},
		"一个": nil, "有一天": nil, "第一": nil, "第三天": nil, "星期三": nil, "万一": nil, "千万不要": nil, "十分好": nil, "三心二意": nil, "三四天": nil,
		"٣٤": {"34"}, "3\xff4": {"3", "4"},
	} {
		assert.Equal(t, want, text.Numbers(s), "%q", s)
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1,498,000.50 million%", "百分之一万亿三点五3万5千", "-1.2.3 to two hundred and", "v1.\xff٣1 234", "half a a hundred-one"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range text.Numbers(s) {
			assert.Regexp(t, `^-?\d+(\.\d+)*%?$`, n)
			assert.Contains(t, text.Numbers("x "+n), n, "a canonical number is read as itself")
		}
	})
}
