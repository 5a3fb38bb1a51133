package scorer

import "context"

// FaithfulnessOptions sets up a faithfulness scorer: the same options, with
// the same meaning, as a hallucination scorer has. An output that must decline
// to answer (AbstainRequire), and does, has the highest score.
type FaithfulnessOptions HallucinationOptions

// Faithfulness scores how much of an output its context supports: supported
// claims / all claims × scale, so that the scale is best. It is the scorer that
// the original calls createFaithfulnessScorer, and judges each claim as
// Hallucination does, by the same steps.
type Faithfulness struct{ grounded }

// NewFaithfulness makes a scorer that asks j. What is wrong with the options is
// said by Score.
func NewFaithfulness(j Judge, o FaithfulnessOptions) *Faithfulness {
	return &Faithfulness{grounded{"faithfulness", j, HallucinationOptions(o)}}
}

// ID is "faithfulness".
func (f *Faithfulness) ID() string { return f.id }

// Score judges run. An output that is empty, or states nothing, has nothing
// that could be supported: it scores 0 without a call, and
// Result.NothingToCheck says why.
func (f *Faithfulness) Score(ctx context.Context, run Run) (*Result, error) {
	return f.score(ctx, run, func(r *Result) {
		r.HigherIsBetter = true
		switch {
		case len(r.Claims) > 0:
			r.Score = float64(len(r.Claims)-len(r.Bad())) / float64(len(r.Claims)) * r.Scale
		case r.Abstained && f.options.Abstain == AbstainRequire:
			r.Score = r.Scale
		}
	})
}
