package scorer

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// electorate gives each claim's verdict by the seed of the vote, a letter a
// vote: s, c or u. Claims are told apart by their first word.
type electorate struct {
	votes map[string]string
	sent  []Prompt
}

func (*electorate) Model() string { return "electorate" }

func (e *electorate) Generate(_ context.Context, p Prompt) (Reply, error) {
	e.sent = append(e.sent, p)
	kinds := map[byte]string{'s': "supported", 'c': "contradicted", 'u': "unsupported"}
	var verdicts []string
	for i, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		word, _, _ := strings.Cut(m[3], " ")
		kind := kinds[e.votes[word][p.Seed-1]]
		verdicts = append(verdicts, opinionText(asked(p)[i], kind, m[3], "vote "+kind))
	}
	return Reply{Text: verdictsText(verdicts...)}, nil
}

func TestVotesAreCounted(t *testing.T) {
	const said = "Refunds are issued within 14 days."
	for _, c := range []struct {
		name      string
		n         int
		votes     string
		kind      Kind
		agreement float64
		calls     int
	}{
		{"one vote", 1, "s", Supported, 0, 1},
		{"none given is one", 0, "s", Supported, 0, 1},
		{"two of two decide three", 3, "ss", Supported, 1, 2},
		{"the third decides", 3, "sus", Supported, 2. / 3, 4},
		{"for the worse", 3, "suu", Unsupported, 2. / 3, 5},
		{"no majority of three", 3, "scu", Inconclusive, 1. / 3, 5},
		{"no majority of five", 5, "sscuc", Inconclusive, 2. / 5, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &electorate{votes: map[string]string{"Refunds": c.votes}}
			r := mustScore(t, j, HallucinationOptions{Claims: PerSentence, Votes: c.n}, "", said, said)
			require.Len(t, r.Verdicts, 1)
			assert.Equal(t, c.kind, r.Verdicts[0].Kind)
			assert.InDelta(t, c.agreement, r.Verdicts[0].Agreement, 1e-9)
			assert.Equal(t, c.calls, r.Calls)
			assert.Equal(t, r.Verdicts[0].Bad(), r.Score == 1)
			if c.kind == Inconclusive {
				assert.Equal(t, "votes", r.Verdicts[0].Source)
				assert.Contains(t, r.Verdicts[0].Reason, "no majority: supported, ")
			}
		})
	}
}

func TestOnlyUndecidedClaimsAreVotedOnFurther(t *testing.T) {
	const said = "Refunds are issued within 14 days. Shipping costs 5 euros."
	j := &electorate{votes: map[string]string{"Refunds": "ss", "Shipping": "sus"}}
	r := mustScore(t, j, HallucinationOptions{Claims: PerSentence, Votes: 3}, "", said, said)
	assert.Zero(t, r.Score)
	var asks [][]int
	for _, p := range j.sent {
		asks = append(asks, asked(p))
	}
	assert.Equal(t, [][]int{{1, 2}, {1, 2}, {2}, {2}}, asks, "two votes, a second look at a bad one, the third vote")
	assert.Equal(t, []float64{1, 2. / 3}, []float64{r.Verdicts[0].Agreement, r.Verdicts[1].Agreement})
}

func TestVotesHaveSeedsOfTheirOwnAndATemperature(t *testing.T) {
	const said = "Refunds are issued within 14 days."
	j := &electorate{votes: map[string]string{"Refunds": "scu"}}
	mustScore(t, j, HallucinationOptions{Claims: PerSentence, NoSecondLook: true, Votes: 3}, "", said, said)
	require.Len(t, j.sent, 3)
	for i, p := range j.sent {
		assert.Equal(t, i+1, p.Seed)
		assert.Positive(t, p.Temperature)
	}
	mustScore(t, j, HallucinationOptions{Claims: PerSentence}, "", said, said)
	assert.Zero(t, j.sent[3].Temperature, "one vote is the most likely one")
}

func TestVotesAreAnOddNumberAndTheJudges(t *testing.T) {
	for votes, problem := range map[int]string{2: "Votes is 2: give an odd number", -1: "Votes is -1"} {
		_, err := score(t, &scripted{}, HallucinationOptions{Votes: votes}, "", refundClaim, refundContext)
		assert.ErrorContains(t, err, problem)
	}
	_, err := score(t, nil, HallucinationOptions{Votes: 3, Claims: PerSentence, Verifier: verifier{}}, "", refundClaim, refundContext)
	assert.ErrorContains(t, err, "a Verifier gives the verdicts")
}
