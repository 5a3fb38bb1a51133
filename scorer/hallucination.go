package scorer

import "context"

// Hallucination scores how much of an output its context does not support:
// bad claims / all claims × scale, so that 0 is best. It is the scorer that the
// original calls createHallucinationScorer.
type Hallucination struct{ grounded }

// NewHallucination makes a scorer that asks j. What is wrong with the options
// is said by Score.
func NewHallucination(j Judge, o HallucinationOptions) *Hallucination {
	return &Hallucination{grounded{"hallucination", j, o}}
}

// ID is "hallucination".
func (h *Hallucination) ID() string { return h.id }

// Score judges run. An output that states nothing scores 0 without a call;
// where the context is empty every claim is unsupported, without a call too.
func (h *Hallucination) Score(ctx context.Context, run Run) (*Result, error) {
	return h.score(ctx, run, func(r *Result) { r.Score = badShare(r) * r.Scale })
}

// badShare is the share of claims that are bad, 0 where there are none.
func badShare(r *Result) float64 { return float64(len(r.Bad())) / float64(max(len(r.Claims), 1)) }
