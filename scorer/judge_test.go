package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scripted is a judge that answers each step with the next of its replies;
// the last one repeats. It keeps the prompts that it was sent.
type scripted struct {
	claims, verdicts, reason []string
	finish                   string
	window                   int
	err                      error
	sent                     []Prompt
}

func (s *scripted) Model() string { return "scripted" }

func (s *scripted) ContextTokens() int {
	if s.window == 0 {
		return 8192
	}
	return s.window
}

func (s *scripted) Generate(_ context.Context, p Prompt) (Reply, error) {
	s.sent = append(s.sent, p)
	if s.err != nil {
		return Reply{}, s.err
	}
	finish := "stop"
	if s.finish != "" {
		finish = s.finish
	}
	return Reply{Text: s.reply(p), Finish: finish, Usage: Usage{PromptTokens: 10, OutputTokens: 1}}, nil
}

func (s *scripted) reply(p Prompt) string {
	switch p.Step {
	case stepClaims:
		if len(s.claims) == 0 {
			return everySentence(p)
		}
		return next(&s.claims)
	case stepVerdicts:
		return next(&s.verdicts)
	case stepReason:
		return next(&s.reason)
	}
	panic("unknown step " + p.Step)
}

func next(replies *[]string) string {
	reply := (*replies)[0]
	if len(*replies) > 1 {
		*replies = (*replies)[1:]
	}
	return reply
}

var askedLine = regexp.MustCompile(`(?m)^(sentence|claim) (\d+): (.*)$`)

// everySentence takes each listed sentence as one claim.
func everySentence(p Prompt) string {
	var claims []string
	for _, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		text, _ := json.Marshal(m[3])
		claims = append(claims, fmt.Sprintf(`{"sentence":%s,"claim":%s}`, m[2], text))
	}
	return `{"claims":[` + strings.Join(claims, ",") + `],"no_claim":[]}`
}

// asked lists the numbers that a prompt asks about.
func asked(p Prompt) []int {
	var numbers []int
	for _, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		n, _ := strconv.Atoi(m[2])
		numbers = append(numbers, n)
	}
	return numbers
}

// judging is a judge made of a function that gives each claim's verdict.
type judging func(number int, claim string) (verdict, quote string)

func (judging) Model() string { return "judging" }

func (j judging) Generate(_ context.Context, p Prompt) (Reply, error) {
	if p.Step == stepClaims {
		return Reply{Text: everySentence(p), Finish: "stop"}, nil
	}
	var verdicts []string
	for _, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		n, _ := strconv.Atoi(m[2])
		verdict, quote := j(n, m[3])
		verdicts = append(verdicts, opinionText(n, verdict, quote, "so it seems"))
	}
	return Reply{Text: verdictsText(verdicts...), Finish: "stop"}, nil
}

func opinionText(claim int, verdict, quote, reason string) string {
	evidence := []string{}
	if quote != "" {
		evidence = append(evidence, quote)
	}
	text, _ := json.Marshal(map[string]any{"claim": claim, "evidence": evidence, "reason": reason, "verdict": verdict})
	return string(text)
}

func verdictsText(verdicts ...string) string {
	return `{"verdicts":[` + strings.Join(verdicts, ",") + `]}`
}

const (
	refundContext = "Refunds are issued within 14 days. Shipping within the EU costs 5 euros."
	refundClaim   = "Refunds are issued within 14 days."
	freeClaim     = "Shipping is free worldwide."
)

// score runs a scorer on one answer and gives what came out.
func score(t *testing.T, j Judge, o HallucinationOptions, question, output string, context ...string) (*Result, error) {
	t.Helper()
	run := TextRun(question, output)
	run.Context = context
	return NewHallucination(j, o).Score(t.Context(), run)
}

func mustScore(t *testing.T, j Judge, o HallucinationOptions, question, output string, context ...string) *Result {
	t.Helper()
	r, err := score(t, j, o, question, output, context...)
	require.NoError(t, err)
	return r
}
