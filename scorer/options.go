package scorer

import (
	"context"
	"regexp"
)

// HallucinationOptions sets up a hallucination scorer. The zero value judges
// a run against its own Context on a scale from 0 to 1.
type HallucinationOptions struct {
	// Scale is the highest score; 0 means 1.
	Scale float64
	// Context is the ground truth where the run brings none.
	Context []string
	// GetContext finds the ground truth of a run, from its tool results for
	// example. It wins over Run.Context, which wins over Context, and is
	// called once a run.
	GetContext func(ctx context.Context, run Run) ([]string, error)
	// Claims says how claims are taken from the output.
	Claims ClaimsFrom
	// NoSecondLook takes the judge's first word on every claim. It saves the
	// calls about claims that are bad or in doubt, and lets more of the judge's
	// mistakes through, of both kinds.
	NoSecondLook bool
	// Numbers says what a number means that a claim states and neither context
	// nor question does.
	Numbers NumberCheck
	// Votes is how many times the judge gives its verdicts, an odd number; 0
	// means 1. With more than one it is asked at a temperature above 0, with
	// the seeds 1 to Votes, until more than half of Votes agree on each claim.
	// A claim that they never agree on is inconclusive.
	Votes int
	// Verifier gives the verdicts instead of the judge.
	Verifier Verifier
	// NoClaim names further sentences that state nothing and are not judged.
	NoClaim func(sentence string) bool
	// Allow lists claims that are accepted without support.
	Allow []Allowance
	// MinClaims is the fewest claims that an output must make; fewer are an
	// ErrTooFewClaims.
	MinClaims int
	// Abstain says what an output that only declines to answer means.
	Abstain Abstention
	// JudgedReason asks the judge to word Result.Reason, at the cost of one
	// call; otherwise it is composed from the verdicts.
	JudgedReason bool
}

// ClaimsFrom says how claims are taken from an output.
type ClaimsFrom string

const (
	// FromJudge asks the judge to split sentences into claims: one call.
	FromJudge ClaimsFrom = ""
	// PerSentence takes each sentence as one claim, without a call. The judge
	// then sees the whole output beside the claims.
	PerSentence ClaimsFrom = "per sentence"
)

// NumberCheck says what comes of numbers, dates, quantities and names of a
// claim that neither context nor question states: code looks for them at the
// precision that they are stated with, in other units and forms.
type NumberCheck string

const (
	// Strict asks the judge again about a claim with such a number or name that
	// it has called supported. A precise number (a decimal, a percentage, the
	// day of a month, 100 and more) that does not follow from the evidence makes the claim
	// inconclusive then; in Chinese text any such number makes it unsupported.
	Strict NumberCheck = ""
	// Hint asks again, and leaves the verdict to the judge.
	Hint NumberCheck = "hint"
	// Off does not look for numbers and names.
	Off NumberCheck = "off"
)

// Allowance accepts claims that match Pattern; Why is shown with them.
type Allowance struct {
	Pattern *regexp.Regexp
	Why     string
}

// Abstention says what an output that only declines to answer means.
type Abstention string

const (
	// AbstainAllow lets such an output score 0.
	AbstainAllow Abstention = ""
	// AbstainForbid makes it an ErrAbstained.
	AbstainForbid Abstention = "forbid"
	// AbstainRequire makes any other output an ErrNotAbstained.
	AbstainRequire Abstention = "require"
)
