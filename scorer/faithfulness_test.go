package scorer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/fixtures"
)

// The two scorers judge alike, and their scores add up where there is a claim.
func TestFaithfulnessIsTheOtherSideOfHallucination(t *testing.T) {
	for _, c := range fixtures.All() {
		t.Run(c.Name, func(t *testing.T) {
			run, judge := labelled(c)
			bad, err := NewHallucination(judge, HallucinationOptions{Scale: 10}).Score(t.Context(), run)
			require.NoError(t, err)
			good, err := NewFaithfulness(judge, FaithfulnessOptions{Scale: 10}).Score(t.Context(), run)
			require.NoError(t, err)
			assert.Equal(t, bad.Verdicts, good.Verdicts)
			assert.Equal(t, "faithfulness", good.Scorer)
			assert.True(t, good.HigherIsBetter)
			if len(c.Claims) == 0 {
				assert.Zero(t, good.Score)
				assert.NotEmpty(t, good.NothingToCheck)
				return
			}
			assert.InDelta(t, 10, bad.Score+good.Score, 1e-9)
			assert.Equal(t, bad.Level(), good.Level(), "the level is of what is bad")
		})
	}
}

func TestFaithfulnessOfNothingIsZeroAndSaysWhy(t *testing.T) {
	for output, why := range map[string]string{
		"":              "the output is empty",
		" \n":           "the output is empty",
		"Hello!":        "the output states nothing",
		"I don't know.": "the output declines to answer",
	} {
		r, err := NewFaithfulness(&scripted{}, FaithfulnessOptions{Context: []string{"Paris is in France."}}).Score(t.Context(), TextRun("", output))
		require.NoError(t, err)
		assert.Zero(t, r.Score)
		assert.Zero(t, r.Calls)
		assert.Equal(t, why, r.NothingToCheck)
		assert.Equal(t, "Nothing to check: "+why+".", r.Reason)
	}
	r, err := NewFaithfulness(&scripted{}, FaithfulnessOptions{Abstain: AbstainRequire, Scale: 5}).Score(t.Context(), TextRun("", "I don't know."))
	require.NoError(t, err)
	assert.Equal(t, 5., r.Score, "it was to decline, and does")
}

func TestFaithfulnessSaysYesOfWhatIsSupported(t *testing.T) {
	r := &Result{
		Scorer: "faithfulness", HigherIsBetter: true, Score: 0.5, Scale: 1,
		Claims:   []Claim{{Number: 1, Text: "a"}, {Number: 2, Text: "b"}},
		Verdicts: []Verdict{{Claim: 1, Kind: Supported}, {Claim: 2, Kind: Contradicted}},
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var got struct {
		AnalyzeStepResult struct{ Verdicts []struct{ Verdict string } }
	}
	require.NoError(t, json.Unmarshal(data, &got))
	assert.Equal(t, "yes", got.AnalyzeStepResult.Verdicts[0].Verdict)
	assert.Equal(t, "no", got.AnalyzeStepResult.Verdicts[1].Verdict)
}

func TestFaithfulnessNamesItselfInErrors(t *testing.T) {
	_, err := NewFaithfulness(nil, FaithfulnessOptions{}).Score(t.Context(), TextRun("", "x"))
	assert.ErrorContains(t, err, "faithfulness: no judge")
	_, err = NewFaithfulness(&scripted{}, FaithfulnessOptions{MinClaims: 1}).Score(t.Context(), TextRun("", ""))
	assert.ErrorContains(t, err, "faithfulness: ")
	assert.ErrorIs(t, err, ErrTooFewClaims)
}

func TestAJudgedReasonIsToldWhichEndIsBest(t *testing.T) {
	for _, c := range []struct {
		score func(j Judge) (*Result, error)
		says  string
	}{
		{func(j Judge) (*Result, error) {
			return NewHallucination(j, HallucinationOptions{JudgedReason: true, Claims: PerSentence}).Score(t.Context(), TextRun("", "Paris is in Spain."))
		}, "from 0 (everything is supported) to 1 (nothing is)"},
		{func(j Judge) (*Result, error) {
			return NewFaithfulness(j, FaithfulnessOptions{JudgedReason: true, Claims: PerSentence}).Score(t.Context(), TextRun("", "Paris is in Spain."))
		}, "from 0 (nothing is supported) to 1 (everything is)"},
	} {
		j := &scripted{reason: []string{`{"reason":"It is not."}`}}
		r, err := c.score(j)
		require.NoError(t, err)
		assert.Contains(t, r.Prompts.Reason, c.says)
	}
}
