package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

// composeReason words a result from its verdicts, without a call.
func composeReason(r *Result) string {
	bad := r.Bad()
	switch {
	case r.NothingToCheck != "":
		return fmt.Sprintf("Nothing to check: %s.", r.NothingToCheck)
	case len(bad) == 0:
		return fmt.Sprintf("The context supports %s.", allOf(len(r.Claims)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d claims bad.", len(bad), len(r.Claims))
	tellBad(&b, "Claim", r, bad)
	return b.String()
}

// tellBad lists bad verdicts, a sentence each.
func tellBad(b *strings.Builder, noun string, r *Result, bad []Verdict) {
	for _, v := range bad {
		fmt.Fprintf(b, " %s %d is %s: %q", noun, v.Claim, v.Kind, r.Claim(v.Claim).Text)
		if v.Reason != "" {
			fmt.Fprintf(b, ", because %s", strings.TrimRight(v.Reason, ".。"))
		}
		b.WriteString(".")
	}
}

// nothingToCheck says why a result has no claims.
func nothingToCheck(r *Result) string {
	switch {
	case len(r.Claims) > 0:
		return ""
	case r.Abstained:
		return "the output declines to answer"
	case strings.TrimSpace(r.Output) == "":
		return "the output is empty"
	}
	return "the output states nothing"
}

func allOf(n int) string {
	if n == 1 {
		return "the one claim"
	}
	return fmt.Sprintf("all %d claims", n)
}

// told is how a claim is told to the judge that words a reason.
func told(c Claim) string {
	if c.addressed {
		return "(a sentence that speaks to the judge)"
	}
	return c.Text
}

var reasonSchema = json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string","minLength":1}},"required":["reason"]}`)

// askReason has the judge word a result.
func askReason(ctx context.Context, c *calls, r *Result) (reason, sent string, err error) {
	type finding struct {
		Kind          Kind
		Claim, Reason string
	}
	data := struct {
		Score, Scale   string
		HigherIsBetter bool
		Findings       []finding
	}{number(r.Score), number(r.Scale), r.HigherIsBetter, nil}
	for _, v := range r.Verdicts {
		data.Findings = append(data.Findings, finding{v.Kind, told(r.Claim(v.Claim)), v.Reason})
	}
	p := prompt(stepReason, data, reasonSchema, 512)
	var got struct {
		Reason string `json:"reason"`
	}
	err = c.ask(ctx, p, func(text string) error { return reply.Parse(text, reasonSchema, &got) })
	return got.Reason, p.User, err
}
