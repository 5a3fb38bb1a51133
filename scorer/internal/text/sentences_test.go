package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

func ExampleSentences() {
	for _, s := range text.Sentences("Dr. Smith paid $1.50. 退款需要14天。运费免费。") {
		fmt.Println(s.Start, s.End, s.Text)
	}
	// Output:
	// 0 21 Dr. Smith paid $1.50.
	// 22 42 退款需要14天。
	// 42 57 运费免费。
}

// Each case is a text with " ¦ " (removed before) where it must be cut.
func TestSentencesEndWhereTheyShould(t *testing.T) {
	for name, marked := range map[string]string{
		"two sentences":                  "Refunds take 14 days.¦ Shipping is free.",
		"no full stop at end":            "Refunds take 14 days.¦ Shipping is free",
		"question and cry":               "Really?¦ Yes!¦ It is.",
		"several signs":                  "Really?!¦ Yes...¦ It is.",
		"lower case":                     "refunds take 14 days.¦ shipping is free.",
		"spaced full stop":               "the plant is old .¦ it lies between .",
		"title":                          "Dr. Smith met Mrs. Jones and Prof. Lee.¦ They left.",
		"e.g. and i.e.":                  "Use fruit, e.g. Apples, i.e. Red ones.¦ Stop.",
		"vs. and approx.":                "It is A vs. B, approx. Ten.¦ Stop.",
		"No. before a number":            "See No. 5 and Nos. 6.¦ Stop.",
		"No as an answer":                "Is it free?¦ No.¦ Shipping costs $5.",
		"figure":                         "See Fig. 3 and Eq. 2.¦ Then go.",
		"country before name":            "He works at the U.S. Department of State.¦ Good.",
		"country at the end":             "He works in the U.S.¦ The refund is late.",
		"company inside":                 "Apple Inc. CEO Tim Cook spoke.¦ Good.",
		"company at the end":             "He joined Apple Inc.¦ It grew.",
		"company, lower case":            "Acme Ltd. was sold.¦ Good.",
		"time of day inside":             "Open until 5 p.m. Monday.¦ Closed then.",
		"time zone":                      "Open until 5 p.m. EST today.¦ Closed then.",
		"time of day at the end":         "Open until 5 p.m.¦ Closed then.",
		"etc. inside":                    "Pens, ink etc. are sold.¦ Good.",
		"etc. at the end":                "We sell pens etc.¦ Shipping is free.",
		"initials":                       "J. K. Rowling and George W. Bush met.¦ Good.",
		"a letter that is no initial":    "He chose plan B.¦ Shipping is free.",
		"initial after a small word":     "It was written by J. Smith.¦ Good.",
		"joined initials":                "J.K. Rowling wrote it.¦ Good.",
		"month":                          "On Jan. 5 and Sept. 12 we close.¦ Good.",
		"decimal":                        "It costs 3.50 dollars, or 1,498.75.¦ Good.",
		"version":                        "Use v1.2.3 or 2.0.¦ Good.",
		"address":                        "See https://example.com/a?b=c&d=e.¦ Then stop.",
		"file name":                      "Open main.go and README.md now.¦ Good.",
		"leading point":                  "It uses .NET and .env files.¦ Good.",
		"no space after a cry":           "Great!¦Shipping is free.",
		"quotation":                      "\"Stop!\" he said.¦ \"It is free.\"¦ Then he left.",
		"curly quotation":                "“It is free.”¦ Then he left.",
		"bracket":                        "It is free (see below.)¦ Then stop.",
		"note number":                    "It is free.[1]¦ It is old [2].¦ Then stop.",
		"bold":                           "**It is free.**¦ Then stop.",
		"inline list":                    "Steps: 1. Open it.¦ 2. Close it.",
		"blank line":                     "One thing\n\n¦Another thing",
		"line":                           "Refunds take 14 days\n¦Shipping is free",
		"wrapped line":                   "Refunds are issued\nwithin 14 days.¦ Good.",
		"wrapped at a name":              "Refunds are issued by\nApple within 14 days.¦ Good.",
		"wrapped with CRLF":              "Refunds are issued\r\nwithin 14 days.\r\n¦Good.",
		"line after full stop":           "Refunds take 14 days.\n¦shipping is free.",
		"bullets":                        "- Refunds take 14 days\n¦- shipping is free\n¦* Good",
		"numbers":                        "1. Refunds take 14 days.¦ Good.\n¦2) shipping is free\n¦(3) Good",
		"bare number":                    "1.\nRefunds take 14 days.¦ Good.",
		"heading":                        "## 1. Refund policy\n¦refunds take 14 days",
		"colon":                          "Note:\n¦refunds take 14 days",
		"quoted line":                    "> It is free.¦ Good.\n¦> Then stop.",
		"table":                          "| Item. One | Days |\n¦|---|---|\n¦| Refund. Big | 14 |\n¦Good.",
		"code":                           "```go\n¦fmt.Println(\"A. B\")\n\n¦x := 1. Y\n¦```\n¦Good.¦ Fine.",
		"Chinese":                        "退款需要十四天。¦运费免费！¦真的吗？¦是的",
		"Chinese semicolon":              "退款需要十四天；运费免费。",
		"Chinese half-width":             "退款需要14天.¦运费免费?¦是的.",
		"Chinese decimal":                "价格是3.5元，版本v1.2。¦好。",
		"Chinese quotation":              "他说：“退款需要十四天。”¦运费免费。",
		"Chinese opening quote":          "运费免费。¦“退款需要十四天。”",
		"Chinese speaker":                "“真的吗？”他说。¦好。",
		"Chinese ellipsis":               "他想……然后走了。¦好。",
		"Chinese brackets":               "运费免费（见下文。）¦好。",
		"Chinese list":                   "一、退款需要十四天\n¦二、运费免费\n¦1、好",
		"Japanese":                       "返金は14日です。¦送料は無料です。",
		"Russian":                        "Возврат занимает 14 дней.¦ Доставка бесплатна.",
		"Hindi":                          "वापसी में 14 दिन लगते हैं।¦ शिपिंग मुफ़्त है।",
		"line separator":                 "Refunds take 14 days\u2028¦Shipping is free",
		"emoji at the end":               "Refunds take 14 days! 🎉🎉",
		"emoji after each end":           "Refunds take 14 days.¦ 🎉 Shipping is free. 🚚",
		"emoji as bullets":               "✅ Refunds take 14 days\n¦✅ Shipping is free\n¦❌ No fees",
		"emoji as bullets, lower case":   "🔹 refunds take 14 days\n¦🔹 shipping is free",
		"Arabic":                         "يستغرق الاسترداد 14 يومًا.¦ الشحن مجاني.",
		"Arabic question":                "هل الشحن مجاني؟¦ نعم.",
		"Hebrew":                         "החזרים לוקחים 14 ימים.¦ המשלוח חינם.",
		"Hebrew with marks of direction": "\u200fהמשלוח חינם.\u200f¦ החזרים לוקחים 14 ימים.\u200f",
		"Urdu":                           "ہم 14 دن میں رقم واپس کرتے ہیں۔¦ شپنگ مفت ہے۔",
		"Korean":                         "무료입니다.¦ 환불은 14일입니다.",
		"Spanish":                        "¿Es gratis?¦ ¡Sí!¦ El envío es gratis.",
		"French quotation":               "Le remboursement prend 14 jours.¦ « C'est gratuit. »¦ Bien.",
		"English and Chinese":            "Apple 公司成立于1976年。¦The company is in Cupertino.¦ 它很大。",
		"Chinese with half-width signs and English": "退款需要 14 天.¦ Shipping is free.¦ 好的。",
		"quotation in a quotation":                  "She said, \"He told me 'It is free.' and left.\"¦ Then she left.",
		"Chinese quotation in a quotation":          "他说：“她说‘免费。’然后走了。”¦好。",
		"Chinese speaker in the middle":             "“免费。”他说，“真的。”¦好。",
		"Chinese book title":                        "《三体》是刘慈欣写的。¦他是作家。",
		"Chinese bracketed numbers":                 "（一）退款需要十四天\n¦（二）运费免费",
		"circled numbers":                           "① 退款需要十四天\n¦② 运费免费",
		"Chinese numbers with a bracket":            "1）退款需要十四天\n¦2）运费免费",
		"Chinese numbers with a full stop":          "1.退款需要十四天\n¦2.运费免费",
		"Chinese list with semicolons":              "退款政策：\n¦1、十四天；\n¦2、免费。",
		"Chinese middle dots":                       "· 退款14天\n¦· 运费免费",
		"Chinese quoted lines":                      "> 退款需要十四天。\n¦> 运费免费。",
		"Chinese notes":                             "运费免费[1]。¦好[2]。¦免费。[3]¦好。",
		"letters as numbers":                        "a) refunds take 14 days\n¦b) shipping is free\n¦c. good",
		"Roman numbers":                             "i. refunds take 14 days\n¦ii. shipping is free",
		"steps in a line":                           "Step 1: Open it.¦ Step 2: Close it.",
		"table without outer lines":                 "Item | Days\n¦--- | ---\n¦Refund | 14\n¦Return | 30",
		"underlined heading":                        "Refund policy\n¦=============\n¦refunds take 14 days\n¦---\n¦good",
		"items of an item":                          "- Refunds:\n¦  - take 14 days\n¦  - are free",
		"bold item":                                 "1. **Refunds**: They take 14 days.¦ They are free.\n¦2. **Shipping**: It is free.",
		"label":                                     "**Refunds**: 14 days\n¦**Shipping**: free",
		"question and answer":                       "Q: How long?\n¦A: 14 days.",
		"HTML":                                      "<p>Refunds take 14 days</p>¦<p>Shipping is free<br/>¦always</p>",
		"code in a line":                            "Use `a. B` or `x! Y` now.¦ Good.",
		"unclosed code in a line":                   "Use `a.¦ B now.¦ Good.",
		"address before Chinese":                    "详见https://example.com/退款。¦运费免费。",
		"address with a query before Chinese":       "详见 https://example.com/a?b=1。¦运费免费。",
		"bare host":                                 "Visit www.example.com/path/.¦ It is free.",
		"mail":                                      "Write to a.b@example.com.¦ It is free.",
		"ellipsis":                                  "It is free…¦ Then it was… not.",
		"ellipsis of full stops":                    "It was... free.¦ Wait. . .¦ It is free.",
		"Chinese ellipsis of full stops":            "他想了想...然后走了。¦好。。。¦好。",
		"semicolon":                                 "Shipping is free; refunds take 14 days.¦ Good.",
		"times of day":                              "Open at 9 a.m. and close at 5 p.m. daily.¦ It opens at 9 a.m.¦ It closes.",
		"ratio, rating and money":                   "The ratio is 3:1.¦ It has a 4.5-star rating.¦ It costs $1.5 million.",
		"places":                                    "St. Louis and Mt. Everest are places.¦ He is from Washington, D.C. and left.",
		"ranks":                                     "Gov. Smith and Sen. Lee met Gen. Grant.¦ Rev. Dr. Martin Luther King Jr. spoke.",
		"degree":                                    "He holds a Ph.D. in physics.¦ Good.",
		"pages and sections":                        "See Sect. 3.2, p. 5, and pp. 6-7.¦ Good.",
		"et al.":                                    "Smith et al. found it.¦ Smith et al. 2019 found it.",
		"feet and inches":                           "It is 5 ft. 3 in. tall.¦ It weighs 5 lbs.¦ It is big.",
		"names of products":                         "Node.js and ASP.NET are free.¦ J.R.R. Tolkien wrote it.",
		"ends in a number":                          "The fee is 5.¦ The tax is 6.¦ It was founded in 1976.¦ It is big.",
		"ends in a letter":                          "The answer is C.¦ It is right.",
		"notes in raised numbers":                   "Refunds take 14 days.¹¦ Shipping is free.²",
		"source in brackets":                        "Refunds take 14 days (source: policy.pdf).¦ Good.",
		"dash":                                      "Refunds take 14 days—no exceptions.¦ Good.",
		"no-break space":                            "Refunds take 14 days.\u00a0¦Shipping is free.",
		"one word":                                  "Paris",
		"number":                                    "14",
	} {
		t.Run(name, func(t *testing.T) {
			var want, got []string
			for part := range strings.SplitSeq(marked, "¦") {
				want = append(want, strings.TrimSpace(part))
			}
			for _, s := range text.Sentences(strings.ReplaceAll(marked, "¦", "")) {
				got = append(got, s.Text)
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestNothingHasNoSentences(t *testing.T) {
	for _, s := range []string{"", " ", "\n\n\t ", "\u3000\u2028\r\n"} {
		assert.Empty(t, text.Sentences(s), "%q", s)
	}
}

func TestBytesThatAreNoTextKeepTheirPlace(t *testing.T) {
	s := "Refunds \xff take 14 days. Shipping\xc3 is free.\xe4\xbd\n好。\xf0"
	got := text.Sentences(s)
	checkSentences(t, s, got)
	assert.Equal(t, "Refunds \xff take 14 days.", got[0].Text)
}

// checkSentences requires that spans are in order and that only white space
// stands outside of them.
func checkSentences(t *testing.T, s string, list []text.Sentence) {
	t.Helper()
	end := 0
	for _, got := range list {
		require.GreaterOrEqual(t, got.Start, end)
		require.Empty(t, strings.TrimSpace(s[end:got.Start]))
		require.Equal(t, s[got.Start:got.End], got.Text)
		require.Equal(t, strings.TrimSpace(got.Text), got.Text)
		require.NotEmpty(t, got.Text)
		end = got.End
	}
	require.Empty(t, strings.TrimSpace(s[end:]))
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"Dr. A. 1. b\n- c.", "“a。”他说。[1]**", "```\na. b\n", "\xff. \xc3\n1.\nx", "a |b | c\r\n.\u2028.)))", strings.Repeat("( ", 80) + "a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkSentences(t, s, text.Sentences(s)) })
}
