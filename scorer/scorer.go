// Package scorer judges what a language model wrote. NewHallucination makes
// the scorer that package evaltest asserts with; it can also be used without
// a test. The package knows nothing of testing and nothing of recordings: a
// Judge makes the calls, and what HTTP client it makes them with is its own
// affair.
package scorer

import "context"

// Scorer gives a run a score.
type Scorer interface {
	// ID names the scorer in reports: "hallucination".
	ID() string
	// Score judges run. An error means that there is no score, never that
	// the score is good or bad.
	Score(ctx context.Context, run Run) (*Result, error)
}

// Verifier gives every claim a verdict against the passages: one for each,
// paired by Verdict.Claim. NewHallucination makes one from its Judge;
// specialist models and checks in code implement it themselves.
type Verifier interface {
	Verify(ctx context.Context, r VerifyRequest) ([]Verdict, error)
}

// VerifyRequest is what a Verifier judges.
type VerifyRequest struct {
	Question, Output string
	Passages         []string
	Claims           []Claim
}
