package scorer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// Claim is one statement that an output makes.
type Claim struct {
	// Number counts claims from 1 and pairs a claim with its verdict.
	Number int
	// Sentence is the sentence of the output, from 1, that makes the claim.
	Sentence int
	// Text is the claim by itself, readable without the rest of the output.
	Text string
	// Span is where the claim's sentence stands in the output.
	Span Span

	// bare: the sentence as it stands, which may lean on others.
	bare bool
	// addressed: the sentence speaks to a model, and is not shown to one.
	addressed bool
}

// Span is a half-open range of byte offsets.
type Span struct{ Start, End int }

// Kind says what a judge found about a claim.
type Kind string

// The kinds of verdict. All but Supported and Relevant count as bad.
const (
	// What a context says of a claim.

	Supported    Kind = "supported"
	Contradicted Kind = "contradicted"
	Unsupported  Kind = "unsupported"
	Inconclusive Kind = "inconclusive"

	// What a statement does for a question.
	Relevant   Kind = "relevant"   // it answers
	Unsure     Kind = "unsure"     // it may or may not answer, and counts in part
	Irrelevant Kind = "irrelevant" // it does not answer
)

// Verdict is what was found about one claim or statement.
type Verdict struct {
	Claim  int // the claim's Number
	Kind   Kind
	Reason string
	// Evidence holds the quotes that the verdict rests on, as they stand in
	// the context.
	Evidence []Quote
	// Source says what settled the verdict: "judge", "second look", "settled"
	// (looks had disagreed, and the judge was shown the evidence of both),
	// "votes" (they have no majority), "code", "absence" (the claim says that
	// the context lacks something, and it does) or "allowed"; a Verifier gives
	// its own.
	Source string
	// Agreement is the share of the votes that were cast on the claim which say
	// Kind, or, where it is inconclusive for want of a majority, the largest
	// share of any kind. It is 0 where no votes were taken.
	Agreement float64
}

// Bad reports whether the verdict counts against the output.
func (v Verdict) Bad() bool { return v.Kind != Supported && v.Kind != Relevant }

// Quote is a piece of a context passage.
type Quote struct {
	Text    string
	Passage int  // index in Result.Context, from 0
	Span    Span // in that passage
}

// Result is what a score rests on. It marshals to the field names of the
// original scorer's result, see MarshalJSON.
type Result struct {
	RunID  string
	Scorer string // the scorer's ID
	Model  string // the judge's model
	// Score is unrounded, from 0 to Scale.
	Score, Scale float64
	// HigherIsBetter says that Scale, not 0, is the best score.
	HigherIsBetter bool
	// Question is what the output answers, where the run has one.
	Question string
	// Output is the text that was judged; spans of claims point into it.
	Output string
	// Context is what the output was judged against; evidence points into it.
	Context  []string
	Claims   []Claim
	Verdicts []Verdict // one for each claim, in the claims' order
	// Nearest holds, for each claim, the piece of context most like it; its
	// Text is empty where there is none.
	Nearest []Quote
	Reason  string
	Prompts Prompts
	Usage   Usage
	// Calls counts the calls made to the judge.
	Calls int
	// Preprocessed and Analyzed are what the steps of a Custom scorer gave.
	Preprocessed, Analyzed any
	// NothingToCheck says why an output was scored without a look at any claim:
	// "the output is empty". It is empty where claims were judged.
	NothingToCheck string
	// Abstained says that the output only declines to answer.
	Abstained bool
	// Replaced holds claims of the judge's that strayed from the output; the
	// sentence that each was drawn from is judged in its place.
	Replaced []Claim
	// Unstated holds the numbers and names of claims that neither context nor
	// question states, found by code, whatever the verdict.
	Unstated []Unstated
	// Withheld holds what was not shown to the judge because it speaks to a
	// model and not to a reader; Passage is -1 for a piece of the question. In
	// the output such a sentence is a claim, and unsupported.
	Withheld []Quote
}

// Unstated is a number or name of a claim that its context does not state.
type Unstated struct {
	Claim int    `json:"claim"` // the claim's Number
	Kind  string `json:"kind"`  // "number" or "name"
	Text  string `json:"text"`  // as the claim has it
}

// Prompts holds the user prompts that were sent, one a step; the prompts of
// several calls of one step are separated by a blank line.
type Prompts struct{ Claims, Verdicts, Reason string }

// Bad lists the verdicts that count against the output.
func (r *Result) Bad() []Verdict {
	var bad []Verdict
	for _, v := range r.Verdicts {
		if v.Bad() {
			bad = append(bad, v)
		}
	}
	return bad
}

// Check reports, as an error, a result that no score can be read from, as a
// scorer of a user's own may give: nil, a score that is no number from 0 to
// Scale, or claims and verdicts that do not pair. A Scale of 0 stands for 1.
func (r *Result) Check() error {
	if r == nil {
		return errors.New("the scorer gave neither a result nor an error")
	}
	scale := cmp.Or(r.Scale, 1)
	switch {
	case math.IsNaN(r.Score) || r.Score < 0 || r.Score > scale:
		return fmt.Errorf("the scorer gave the score %v, outside its scale from 0 to %v", r.Score, scale)
	case len(r.Verdicts) != len(r.Claims):
		return fmt.Errorf("the scorer gave %d verdicts for %d claims", len(r.Verdicts), len(r.Claims))
	}
	return nil
}

// Claim gives the claim with that number.
func (r *Result) Claim(number int) Claim {
	for _, c := range r.Claims {
		if c.Number == number {
			return c
		}
	}
	return Claim{}
}
