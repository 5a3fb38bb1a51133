package scorer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// erring is a judge that knows what is right and says the contrary in one of
// twenty answers, always with a quote that is on the topic.
func erring(random *rand.Rand, right map[string]bool, about string) *seeing {
	return &seeing{window: 4096, see: func(_ int, claim, shown string) (string, []string) {
		says := right[claim]
		if random.Float64() < 0.05 {
			says = !says
		}
		switch {
		case says:
			return "supported", []string{about}
		case random.Float64() < 0.5:
			return "contradicted", []string{about}
		}
		return "unsupported", nil
	}}
}

// A judge that errs in 5% of its answers: second looks take away nearly all
// false alarms, and do not add false passes by giving bad claims a second
// chance. What the judge clears at once, with a quote on the topic and no
// foreign number or name, stays cleared: that is the price of one look at
// what is clean.
func TestSecondLooksAgainstAJudgeThatErrs(t *testing.T) {
	type count struct{ alarms, passes, cleared, calls int } // cleared: passes that a second look led to
	run := func(o HallucinationOptions) count {
		var n count
		random := rand.New(rand.NewPCG(1, 5))
		for i := range 200 {
			fact := fmt.Sprintf("The depot in sector %d stores copper wire and paint.", 100+i)
			wrong := fmt.Sprintf("The depot in sector %d stores copper paint.", 100+i)
			right := map[string]bool{fact: true}
			context := fact + " It opens at dawn."
			for _, output := range []string{fact, wrong} {
				r := mustScore(t, erring(random, right, fact), o, "", output, context)
				n.calls += r.Calls
				switch {
				case output == fact && r.Score > 0:
					n.alarms++
				case output == wrong && r.Score == 0:
					n.passes++
					if r.Verdicts[0].Source != "judge" {
						n.cleared++
					}
				}
			}
		}
		return n
	}
	without := run(HallucinationOptions{Claims: PerSentence, NoSecondLook: true})
	with := run(perSentence)
	t.Logf("without second looks %+v, with %+v", without, with)
	assert.Equal(t, 400, without.calls)
	assert.InDelta(t, 10, without.alarms, 8)
	assert.LessOrEqual(t, with.alarms, 3)
	assert.InDelta(t, 10, without.passes, 8)
	assert.InDelta(t, 10, with.passes, 8)
	assert.LessOrEqual(t, with.cleared, 2)
	assert.Less(t, with.calls, 400+200+60, "a second look for what is bad, a third for the few that are torn")
}

// What the judge clears although the context has no such number or name is
// looked at again, so a slip of the judge passes only where it is repeated.
func TestForeignNumbersAndNamesAreLookedAtAgain(t *testing.T) {
	passes := 0
	random := rand.New(rand.NewPCG(2, 5))
	for i := range 200 {
		fact := fmt.Sprintf("The depot in sector %d stores copper wire.", 100+i)
		wrong := fmt.Sprintf("The depot in sector %d stores copper wire for %s.", 100+i, []string{"Nokia", "750 euros"}[i%2])
		r := mustScore(t, erring(random, nil, fact), perSentence, "", wrong, fact)
		if r.Score == 0 {
			passes++
		}
	}
	assert.LessOrEqual(t, passes, 4, "0.75% are expected: 5% × 5%, twice over, and the third look")
}

func TestCleanClaimsArePaidForOnce(t *testing.T) {
	const context = "About 1.5 million people saw it, in the U.S. and in Norway. No one paid more than 5 euros. Nokia's phones are sold in Zürich."
	for claim, calls := range map[string]int{
		"1,500,000 people saw it.":           1,
		"People saw it in Norway.":           1,
		"No one paid more than 5 euros.":     1,
		"Nokia sells phones in Zurich.":      1,
		"nokia sells phones in zürich":       1,
		"2,500,000 people saw it.":           2,
		"People paid more than 5 euros.":     2, // its evidence says "no one"
		"Only people in Norway saw it.":      2, // its evidence has no "only"
		"All phones are sold in Zürich.":     2,
		"People in Norway and Sweden saw it": 2,
	} {
		t.Run(claim, func(t *testing.T) {
			j := judging(func(_ int, claim string) (string, string) {
				for _, s := range strings.SplitAfter(context, ". ") {
					if overlap(wordsOf(claim), wordsOf(s)) > 1 {
						return "supported", s
					}
				}
				return "supported", ""
			})
			r := mustScore(t, j, perSentence, "", claim, context)
			assert.Zero(t, r.Score)
			assert.Equal(t, calls, r.Calls)
		})
	}
}
