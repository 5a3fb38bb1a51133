package scorer

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/fixtures"
)

// The labelled cases and the code that finds what an output states agree on
// every sentence.
func TestSentencesThatStateSomethingAreThoseWithLabelledClaims(t *testing.T) {
	for _, c := range fixtures.All() {
		t.Run(c.Name, func(t *testing.T) {
			var stated, labelled []int
			for _, s := range stating(sentencesOf(c.Output), c.Question, nil) {
				stated = append(stated, s.Number)
			}
			for _, claim := range c.Claims {
				labelled = append(labelled, claim.Sentence)
			}
			assert.Equal(t, slices.Compact(labelled), stated)
		})
	}
}

// A judge that labels as a careful reader does scores as one.
func TestPerfectJudgeScoresEveryLabelledCaseRight(t *testing.T) {
	for _, c := range fixtures.All() {
		t.Run(c.Name, func(t *testing.T) {
			run, judge := labelled(c)
			r, err := NewHallucination(judge, HallucinationOptions{}).Score(t.Context(), run)
			require.NoError(t, err)
			assert.Equal(t, c.Score(), r.Score, "%+v", r.Verdicts)
		})
	}
}

// labelled is a case as a run, with the judge that knows it.
func labelled(c fixtures.Case) (Run, Judge) {
	passages := c.Context
	for _, r := range c.ToolResults {
		passages = append(passages, fmt.Sprintf("%s: %s", r.Tool, r.Result))
	}
	run := TextRun(c.Question, c.Output)
	run.Context = passages
	return run, reader{c, passages}
}

// reader is a judge that knows a case's labels and quotes what bears on them.
type reader struct {
	c        fixtures.Case
	passages []string
}

func (reader) Model() string { return "reader" }

func (r reader) Generate(_ context.Context, p Prompt) (Reply, error) {
	if p.Step == stepClaims {
		var claims []string
		for _, claim := range r.c.Claims {
			if slices.Contains(asked(p), claim.Sentence) {
				claims = append(claims, claimText(claim.Sentence, claim.Text))
			}
		}
		return Reply{Text: claimsText(claims...)}, nil
	}
	var verdicts []string
	for _, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		var n int
		_, _ = fmt.Sscan(m[2], &n)
		i := slices.IndexFunc(r.c.Claims, func(c fixtures.Claim) bool { return c.Text == m[3] || sameWords(c.Text, m[3]) })
		if i < 0 {
			return Reply{}, fmt.Errorf("no labelled claim %q", m[3])
		}
		verdicts = append(verdicts, opinionText(n, string(r.c.Claims[i].Label), r.quote(m[3]), r.c.Claims[i].Reason))
	}
	return Reply{Text: verdictsText(verdicts...)}, nil
}

// quote is the passage that shares most with the claim.
func (r reader) quote(claim string) string {
	best, most := "", -1
	for _, p := range r.passages {
		if n := overlap(wordsOf(claim), wordsOf(p)); n > most {
			best, most = p, n
		}
	}
	return best
}

func wordsOf(s string) []string { return newSource(s).words }
