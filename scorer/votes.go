package scorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
)

// voteTemperature lets the votes of one judge differ.
const voteTemperature = 0.7

// vote has the judge give verdicts Votes times, each with a seed of its own,
// and gives what most votes say of each claim. Claims that are decided are
// not voted on further.
func (g *grounded) vote(ctx context.Context, c *calls, passages *evidence.Context, numbers *stated, r VerifyRequest) (verdicts []Verdict, prompts []string, err error) {
	n := max(g.options.Votes, 1)
	ballots := map[int][]Verdict{}
	for seed := 1; seed <= n && len(r.Claims) > 0; seed++ {
		v := &judgeVerifier{calls: c, context: passages, single: g.options.NoSecondLook, numbers: g.options.Numbers, stated: numbers}
		if n > 1 {
			v.seed = seed
		}
		votes, err := v.Verify(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		prompts = append(prompts, v.prompts...)
		for _, vote := range votes {
			ballots[vote.Claim] = append(ballots[vote.Claim], vote)
		}
		r.Claims = slices.DeleteFunc(slices.Clone(r.Claims), func(claim Claim) bool {
			_, most := majority(ballots[claim.Number])
			return 2*most > n
		})
	}
	for number, votes := range ballots {
		if n == 1 {
			verdicts = append(verdicts, votes...)
		} else {
			verdicts = append(verdicts, elected(number, votes, n))
		}
	}
	return verdicts, prompts, nil
}

// majority is the kind that most votes are for, the first of equals, and how
// many they are.
func majority(votes []Verdict) (kind Kind, most int) {
	counts := map[Kind]int{}
	for _, v := range votes {
		counts[v.Kind]++
	}
	for _, v := range votes {
		if counts[v.Kind] > most {
			kind, most = v.Kind, counts[v.Kind]
		}
	}
	return kind, most
}

// elected is the verdict of more than half of n votes, in the words of the
// first that gave it; without such a majority the claim is inconclusive.
func elected(claim int, votes []Verdict, n int) Verdict {
	kind, most := majority(votes)
	agreement := float64(most) / float64(len(votes))
	if 2*most > n {
		v := votes[slices.IndexFunc(votes, func(v Verdict) bool { return v.Kind == kind })]
		v.Agreement = agreement
		return v
	}
	var kinds []string
	v := Verdict{Claim: claim, Kind: Inconclusive, Source: "votes", Agreement: agreement}
	for _, vote := range votes {
		kinds = append(kinds, string(vote.Kind))
		if v.Evidence == nil {
			v.Evidence = vote.Evidence
		}
	}
	v.Reason = fmt.Sprintf("%d votes have no majority: %s", n, strings.Join(kinds, ", "))
	return v
}
