package scorer

import (
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/injection"
)

// shown is what a judge is shown of a run: its texts with blanks where they
// speak to a model and not to a reader, at the same offsets.
type shown struct {
	question, output string
	passages         []string
}

// withhold blanks what speaks to a model out of a run's texts. Of the output
// it gives the stretches, of the rest what they said.
func withhold(question string, r *Result) (seen shown, ofOutput []injection.Span, withheld []Quote) {
	blank := func(s string, passage int) string {
		found := injection.Find(s)
		for _, at := range found {
			withheld = append(withheld, Quote{s[at.Start:at.End], passage, Span{at.Start, at.End}})
		}
		return injection.Blank(s, found)
	}
	for i, p := range r.Context {
		seen.passages = append(seen.passages, blank(p, i))
	}
	seen.question = strings.TrimSpace(blank(question, -1))
	ofOutput = injection.Find(r.Output)
	seen.output = injection.Blank(r.Output, ofOutput)
	return seen, ofOutput, withheld
}

// addressed are the sentences of the output that speak to a model.
func addressed(all []sentence, stretches []injection.Span) (list []sentence) {
	for _, s := range all {
		for _, at := range stretches {
			if at.Start < s.Span.End && s.Span.Start < at.End {
				list = append(list, s)
				break
			}
		}
	}
	return list
}

// addAddressed adds the sentences that speak to a model to the claims. They
// are bad by code: no context can support an order, and it answers nothing.
func addAddressed(list []sentence, kind Kind, r *Result, allow []Allowance) {
	for _, s := range list {
		c := claimOf(s)
		c.Number, c.addressed = len(r.Claims)+1, true
		v := Verdict{Claim: c.Number, Kind: kind, Reason: "it speaks to the judge and not to a reader", Source: "code"}
		r.Claims = append(r.Claims, c)
		r.Verdicts = append(r.Verdicts, allowed(c, v, allow))
	}
}
