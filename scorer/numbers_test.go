package scorer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rule 4: a judge that calls everything supported, with the context's first
// sentence as its quote, does not get a wrong number past the code.
func TestNumberThatTheContextLacksOverridesTheJudge(t *testing.T) {
	const (
		census = "The 2010 census counted 1,498,000 people in the region. Of them 749,000 were women."
		zh     = "该地区2010年人口普查共有一百五十万人。其中女性七十五万人。"
	)
	for _, c := range []struct {
		name, question, output, context, quote string
		strict, hint, off                      Kind
	}{
		{"a number that is stated", "", "The 2010 census counted 1,498,000 people in the region.", census, "", Supported, Supported, Supported},
		{"in another form", "", "The 2010 census counted about 1.5 million people in the region.", census, "", Supported, Supported, Supported},
		{"a precise number", "", "The 2010 census counted 1,489,000 people in the region.", census, "", Inconclusive, Supported, Supported},
		{"more exact than it is", "", "The 2010 census counted exactly 1.5 million people in the region.", census, "", Inconclusive, Supported, Supported},
		{"a share that follows", "", "In the region, 50% of the people were women.", census, census, Supported, Supported, Supported},
		{"a share that does not", "", "In the region, 55% of the people were women.", census, census, Inconclusive, Supported, Supported},
		{"a date that is not stated", "", "The 2010 census counted the people in the region by May 14.", census, "", Inconclusive, Supported, Supported},
		{"a small number", "", "The 2010 census counted the people of 17 regions.", census, "", Supported, Supported, Supported},
		{"a number of the question", "Did the census count 1,600,000 people?", "The 2010 census counted 1,600,000 people in the region.", census, "", Supported, Supported, Supported},
		{"a name", "", "The 2010 Eurostat census counted the people in the region.", census, "", Supported, Supported, Supported},
		{"Chinese, stated", "", "该地区人口普查共有150万人。", zh, "", Supported, Supported, Supported},
		{"Chinese, not stated", "", "该地区人口普查共有160万人。", zh, "", Unsupported, Supported, Supported},
		{"Chinese, small and not stated", "", "该地区人口普查共有17万人。", zh, "", Unsupported, Supported, Supported},
		{"Chinese, of a few", "", "该地区人口普查由17人完成。", zh, "", Unsupported, Supported, Supported},
		{"Chinese, of the question", "人口普查是160万人吗？", "该地区人口普查共有160万人。", zh, "", Supported, Supported, Supported},
	} {
		t.Run(c.name, func(t *testing.T) {
			quote := c.quote
			if quote == "" {
				quote = c.context
			}
			yes := judging(func(int, string) (string, string) { return "supported", quote })
			for check, want := range map[NumberCheck]Kind{Strict: c.strict, Hint: c.hint, Off: c.off} {
				r := mustScore(t, yes, HallucinationOptions{Claims: PerSentence, Numbers: check}, c.question, c.output, c.context)
				require.Len(t, r.Verdicts, 1)
				assert.Equal(t, want, r.Verdicts[0].Kind, "%q: %s", check, r.Verdicts[0].Reason)
				if want != Supported {
					assert.Equal(t, "code", r.Verdicts[0].Source)
					assert.Contains(t, r.Verdicts[0].Reason, "the context does not state")
				}
			}
		})
	}
}

func TestNumberCheckAsksAgainUnlessItIsOff(t *testing.T) {
	const context = "The 2010 census counted 1,498,000 people in the region."
	for check, calls := range map[NumberCheck]int{Strict: 2, Hint: 2, Off: 1} {
		j := &scripted{verdicts: []string{verdictsText(opinionText(1, "supported", context, ""))}}
		mustScore(t, j, HallucinationOptions{Claims: PerSentence, Numbers: check}, "", "The 2010 census counted the 17 people of Nokia in the region.", context)
		assert.Len(t, j.sent, calls, "%q", check)
	}
	_, err := score(t, &scripted{}, HallucinationOptions{Numbers: "loose"}, "", "x", context)
	assert.ErrorContains(t, err, `Numbers is "loose": give Strict, Hint or Off`)
}

func TestUnstatedNamesWhatNeitherContextNorQuestionStates(t *testing.T) {
	const context = "The 2010 census counted 1,498,000 people in the region."
	yes := judging(func(int, string) (string, string) { return "supported", context })
	for _, c := range []struct {
		name, question, output string
		want                   []Unstated
	}{
		{"all stated", "", "The 2010 census counted 1.498 million people.", nil},
		{"one by the question", "Did 17 people count the region for Nokia?", "For Nokia, 17 people counted the region in 2011.", []Unstated{{1, "number", "2011"}}},
		{"a bad claim's too", "", "The census cost 750 euros.", []Unstated{{1, "number", "750"}}},
		{"none of what is said to be absent", "", "The context does not mention Nokia.", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustScore(t, yes, HallucinationOptions{Claims: PerSentence}, c.question, c.output, context)
			assert.Equal(t, c.want, r.Unstated)
		})
	}
}
