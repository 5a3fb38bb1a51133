package scorer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// The verdicts on a threshold.
const (
	Passed = "passed"
	Failed = "failed"
	// Undecided: scores are missing, and the verdict hangs on what they would be.
	Undecided = "inconclusive"
)

// Summary is what a batch comes to.
type Summary struct {
	// Scores has what each scorer's scores come to, by its ID.
	Scores map[string]Stats
	// Verdicts says for each threshold whether the mean holds it: Passed,
	// Failed or Undecided. Missing scores count as the worst and as the best:
	// only where both give the same is there a verdict, so that an error never
	// counts as a pass.
	Verdicts map[string]string
	// Items counts what was done, Errors the items of them that have an error,
	// Resumed those that the results file had.
	Items, Errors, Resumed int
	// Calls and Usage are what this run's scores cost.
	Calls int
	Usage Usage
}

// Stats are statistics of one scorer's scores, in its own scale. Without a
// score they are all 0.
type Stats struct {
	N      int // scores
	Errors int // items without one
	Scale  float64
	Mean   float64
	// Low and High are the 95% interval of the mean that the items would have
	// of which these are a sample: Wilson's score interval (1927) for a share,
	// which is on the safe side for scores between the ends of the scale.
	Low, High float64
	Min, Max  float64
	// Percentiles by nearest rank: scores that were given.
	P50, P90, P95, P99 float64
}

// String is a table, a line a scorer.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d items, %d with an error", s.Items, s.Errors)
	if s.Resumed > 0 {
		fmt.Fprintf(&b, ", %d of an earlier run", s.Resumed)
	}
	fmt.Fprintf(&b, "; %d calls, %d prompt tokens, %d output tokens\n", s.Calls, s.Usage.PromptTokens, s.Usage.OutputTokens)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "scorer\tn\terrors\tmean\t95%\tmin\tp50\tp90\tp95\tp99\tmax\tverdict")
	for _, id := range slices.Sorted(maps.Keys(s.Scores)) {
		x := s.Scores[id]
		fmt.Fprintf(w, "%s\t%d\t%d\t%.3g\t%.3g–%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%s\n",
			id, x.N, x.Errors, x.Mean, x.Low, x.High, x.Min, x.P50, x.P90, x.P95, x.P99, x.Max, cmp.Or(s.Verdicts[id], "-"))
	}
	_ = w.Flush() // a strings.Builder takes all
	return b.String()
}

// tally takes in one scorer's scores.
type tally struct {
	scores     []float64
	errors     int
	scale      float64
	sum, carry float64 // by Neumaier: ten times 0.1 is 1
}

func (t *tally) add(id string, score, scale float64) error {
	if t.scale != 0 && t.scale != scale {
		return fmt.Errorf("scorer %s has the scale %s, and had %s before: scores of two scales have no mean", id, number(scale), number(t.scale))
	}
	t.scale = scale
	t.scores = append(t.scores, score)
	sum := t.sum + score
	t.carry += max(t.sum, score) - sum + min(t.sum, score) // neither is negative
	t.sum = sum
	return nil
}

func (t *tally) stats() Stats {
	s := Stats{N: len(t.scores), Errors: t.errors, Scale: t.scale}
	if s.N == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(t.scores))
	rank := func(p float64) float64 { return sorted[max(int(math.Ceil(p*float64(s.N)))-1, 0)] }
	s.Min, s.Max = sorted[0], sorted[s.N-1]
	s.P50, s.P90, s.P95, s.P99 = rank(.5), rank(.9), rank(.95), rank(.99)
	s.Mean = t.mean(0, s.N)
	s.Low, s.High = wilson(s.Mean/t.scale, float64(s.N))
	s.Low, s.High = s.Low*t.scale, s.High*t.scale
	return s
}

// mean is the mean of n scores, those that are missing adding more.
func (t *tally) mean(more float64, n int) float64 { return (t.sum + t.carry + more) / float64(n) }

// verdict holds the mean to bound with the missing scores at their least and
// at their most.
func (t *tally) verdict(bound Bound) string {
	n := len(t.scores) + t.errors
	if len(t.scores) == 0 {
		return Undecided
	}
	least := bound.Holds(t.mean(0, n))
	most := bound.Holds(t.mean(float64(t.errors)*t.scale, n))
	switch {
	case least && most:
		return Passed
	case least != most:
		return Undecided
	}
	return Failed
}

// wilson is the 95% interval of a share p of n.
func wilson(p, n float64) (low, high float64) {
	const z = 1.959963984540054
	centre := p + z*z/(2*n)
	margin := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return max((centre-margin)/scale, 0), min((centre+margin)/scale, 1)
}
