package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/noclaim"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

// defaultUnsure is the original's weight of a statement that is unsure.
const defaultUnsure = 0.3

// AnswerRelevancyOptions sets up an answer relevancy scorer.
type AnswerRelevancyOptions struct {
	// Scale is the highest score; 0 means 1.
	Scale float64
	// UncertaintyWeight is what a statement counts that may or may not answer,
	// from 0 to 1; nil means 0.3, as in the original.
	UncertaintyWeight *float64
	// Statements says how statements are taken from the output.
	Statements ClaimsFrom
}

// AnswerRelevancy scores how much of an output answers its question:
// (yes + weight × unsure) / all statements × scale, so that the scale is best.
// Whether the answer is right does not matter. It is the scorer that the
// original calls createAnswerRelevancyScorer.
//
// Result.Claims are the statements, their verdicts Relevant, Unsure or
// Irrelevant. A refusal is irrelevant by code, in English and Chinese.
// Greetings, offers of help and the like are left out beside other statements.
type AnswerRelevancy struct {
	judge   Judge
	options AnswerRelevancyOptions
}

// NewAnswerRelevancy makes a scorer that asks j. What is wrong with the options
// is said by Score.
func NewAnswerRelevancy(j Judge, o AnswerRelevancyOptions) *AnswerRelevancy {
	return &AnswerRelevancy{j, o}
}

// ID is "answer-relevancy".
func (a *AnswerRelevancy) ID() string { return "answer-relevancy" }

// Score judges run: its output against its last question. An empty output or
// question scores 0 without a call.
func (a *AnswerRelevancy) Score(ctx context.Context, run Run) (*Result, error) {
	weight, scale, err := a.check()
	if err != nil {
		return nil, err
	}
	r := &Result{RunID: run.ID, Scorer: a.ID(), Scale: scale, HigherIsBetter: true, Model: a.judge.Model(), Question: run.lastQuestion(), Output: run.output()}
	for name, text := range map[string]string{"question": r.Question, "output": r.Output} {
		if at := invalid(text); at >= 0 {
			return nil, a.errorf("%s: %w at byte %d: decode it before it is judged", name, ErrNotText, at)
		}
	}
	switch {
	case strings.TrimSpace(r.Output) == "":
		r.NothingToCheck = "the output is empty"
	case strings.TrimSpace(r.Question) == "":
		r.NothingToCheck = "the question is empty"
	}
	c := &calls{judge: a.judge}
	if r.NothingToCheck == "" {
		if err := a.judged(ctx, c, r); err != nil {
			return nil, err
		}
		r.Score = relevance(r, weight) * scale
	}
	r.Reason = relevancyReason(r)
	r.Usage, r.Calls = c.usage, c.n
	return r, nil
}

func (a *AnswerRelevancy) check() (weight, scale float64, err error) {
	weight, scale = defaultUnsure, a.options.Scale
	if a.options.UncertaintyWeight != nil {
		weight = *a.options.UncertaintyWeight
	}
	if scale == 0 {
		scale = 1
	}
	switch {
	case a.judge == nil:
		err = a.errorf("no judge: pass one to NewAnswerRelevancy")
	case math.IsNaN(scale) || math.IsInf(scale, 0) || scale < 0:
		err = a.errorf("Scale is %s: give a number above 0, or 0 for 1", number(scale))
	case math.IsNaN(weight) || weight < 0 || weight > 1:
		err = a.errorf("UncertaintyWeight is %s: give a number from 0 to 1", number(weight))
	case a.options.Statements != FromJudge && a.options.Statements != PerSentence:
		err = a.errorf("Statements is %q: give FromJudge or PerSentence", a.options.Statements)
	}
	return weight, scale, err
}

func (a *AnswerRelevancy) errorf(format string, args ...any) error {
	return fmt.Errorf(a.ID()+": "+format, args...)
}

// judged fills in statements and verdicts.
func (a *AnswerRelevancy) judged(ctx context.Context, c *calls, r *Result) error {
	seen, ofOutput, withheld := withhold(r.Question, r)
	r.Withheld = withheld
	all := sentencesOf(r.Output)
	posing := addressed(all, ofOutput)
	said := saying(slices.DeleteFunc(slices.Clone(all), func(s sentence) bool { return slices.Contains(posing, s) }), seen.question)
	var err error
	if r.Claims, r.Prompts.Claims, err = a.statements(ctx, c, seen, said, r); err != nil {
		return err
	}
	open, verdicts := declined(r.Claims)
	r.Abstained = len(posing) == 0 && len(r.Claims) > 0 && len(open) == 0
	if len(open) > 0 {
		var opinions map[int]Verdict
		if opinions, r.Prompts.Verdicts, err = askRelevancy(ctx, c, seen, open); err != nil {
			return err
		}
		for number, v := range opinions {
			verdicts[number] = v
		}
	}
	for _, claim := range r.Claims {
		r.Verdicts = append(r.Verdicts, verdicts[claim.Number])
	}
	addAddressed(posing, Irrelevant, r, nil)
	return nil
}

// saying leaves out greetings and the like, unless the output has nothing else.
func saying(list []sentence, question string) []sentence {
	kept := slices.DeleteFunc(slices.Clone(list), func(s sentence) bool {
		return noclaim.Is(s.Text, question) && !noclaim.Abstains(s.Text)
	})
	if len(kept) == 0 {
		return list
	}
	return kept
}

// statements takes what the output says from the sentences. Those that decline
// to answer are statements as they stand.
func (a *AnswerRelevancy) statements(ctx context.Context, c *calls, seen shown, said []sentence, r *Result) (list []Claim, prompt string, err error) {
	asked := slices.DeleteFunc(slices.Clone(said), func(s sentence) bool { return noclaim.Abstains(s.Text) })
	if a.options.Statements == FromJudge && len(asked) > 0 {
		var prompts []string
		if list, prompts, err = askClaims(ctx, c, statementsStep, seen.question, seen.output, asked); err != nil {
			return nil, "", err
		}
		prompt = strings.Join(prompts, "\n\n")
	}
	list, r.Replaced = settle(list, said, seen.question, seen.output)
	return list, prompt, nil
}

// declined settles the statements that decline to answer.
func declined(list []Claim) (open []Claim, verdicts map[int]Verdict) {
	verdicts = map[int]Verdict{}
	for _, c := range list {
		if noclaim.Abstains(c.Text) {
			verdicts[c.Number] = Verdict{Claim: c.Number, Kind: Irrelevant, Reason: "it declines to answer", Source: "code"}
		} else {
			open = append(open, c)
		}
	}
	return open, verdicts
}

// askRelevancy asks for a verdict on each statement.
func askRelevancy(ctx context.Context, c *calls, seen shown, list []Claim) (verdicts map[int]Verdict, sent string, err error) {
	verdicts = map[int]Verdict{}
	var prompts []string
	for batch := range slices.Chunk(list, maxClaims) {
		err := complete(stepRelevancy, batch, func(asked []Claim, again bool) (missing []Claim, err error) {
			p := relevancyPrompt(c, seen, asked, again)
			prompts = append(prompts, p.User)
			var got map[int]Verdict
			err = c.ask(ctx, p, func(text string) (err error) {
				got, err = readRelevancy(text, asked)
				return err
			})
			for number, v := range got {
				verdicts[number] = v
			}
			return slices.DeleteFunc(slices.Clone(asked), func(c Claim) bool { return verdicts[c.Number].Kind != "" }), err
		})
		if err != nil {
			return nil, "", err
		}
	}
	return verdicts, strings.Join(prompts, "\n\n"), nil
}

func relevancyPrompt(c *calls, seen shown, list []Claim, again bool) Prompt {
	output := ""
	if slices.ContainsFunc(list, func(claim Claim) bool { return leans(claim, seen.output) }) {
		var spans []Span
		for _, claim := range list {
			spans = append(spans, claim.Span)
		}
		output = partOf(seen.output, spans, c.window()/4)
	}
	fences := fence.Around(seen.question, output)
	data := struct {
		Question, Output string
		Statements       []Claim
		Again            bool
	}{fences.Wrap("question", seen.question), fenced(fences, "answer", output), nil, again}
	for _, claim := range list {
		data.Statements = append(data.Statements, Claim{Number: claim.Number, Text: fence.Line(claim.Text)})
	}
	return prompt(stepRelevancy, data, relevancySchema(list), 64+verdictTokens*len(list))
}

// relevancySchema forces one verdict for each statement, the reason first.
func relevancySchema(list []Claim) json.RawMessage {
	var items []string
	for _, c := range list {
		items = append(items, fmt.Sprintf(`{"type":"object","properties":{"statement":{"const":%d},"reason":{"type":"string"},"verdict":{"enum":["yes","unsure","no"]}},"required":["statement","reason","verdict"]}`, c.Number))
	}
	return verdictList(items)
}

var relevancyForm = json.RawMessage(`{"type":"object","properties":{"verdicts":{"type":"array","items":{"type":"object","properties":{"statement":{"type":"integer"},"reason":{"type":"string"},"verdict":{"enum":["yes","unsure","no"]}},"required":["statement","verdict"]}}},"required":["verdicts"]}`)

// relevancyKinds are the verdicts as the judge words them.
var relevancyKinds = map[string]Kind{"yes": Relevant, "unsure": Unsure, "no": Irrelevant}

func readRelevancy(text string, asked []Claim) (map[int]Verdict, error) {
	var got struct {
		Verdicts []struct {
			Statement       int
			Reason, Verdict string
		}
	}
	if err := reply.Parse(text, relevancyForm, &got); err != nil {
		return nil, err
	}
	var verdicts []Verdict
	for _, g := range got.Verdicts {
		verdicts = append(verdicts, Verdict{Claim: g.Statement, Kind: relevancyKinds[g.Verdict], Reason: g.Reason, Source: "judge"})
	}
	return byNumber("statement", verdicts, asked, func(v Verdict) (int, Kind) { return v.Claim, v.Kind })
}

// relevance is the share of statements that answer.
func relevance(r *Result, weight float64) float64 {
	sum := 0.0
	for _, v := range r.Verdicts {
		switch v.Kind {
		case Relevant:
			sum++
		case Unsure:
			sum += weight
		}
	}
	return sum / float64(max(len(r.Verdicts), 1))
}

func relevancyReason(r *Result) string {
	bad := r.Bad()
	switch {
	case r.NothingToCheck != "":
		return fmt.Sprintf("Nothing answers: %s.", r.NothingToCheck)
	case len(bad) == 0:
		return fmt.Sprintf("All that the output says answers the question (%d).", len(r.Claims))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d statements answer the question.", len(r.Claims)-len(bad), len(r.Claims))
	tellBad(&b, "Statement", r, bad)
	return b.String()
}
