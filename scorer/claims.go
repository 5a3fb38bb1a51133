package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/noclaim"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// sentence is a sentence of the output, numbered from 1.
type sentence struct {
	Number int
	Text   string
	Span   Span
}

func sentencesOf(output string) []sentence {
	var list []sentence
	for i, s := range text.Sentences(output) {
		list = append(list, sentence{i + 1, s.Text, Span{s.Start, s.End}})
	}
	return list
}

// stating leaves out the sentences that state nothing, by their content and
// not by what a judge says of them.
func stating(list []sentence, question string, alsoNot func(string) bool) []sentence {
	return slices.DeleteFunc(slices.Clone(list), func(s sentence) bool {
		return noclaim.Is(s.Text, question) || alsoNot != nil && alsoNot(s.Text)
	})
}

// abstains reports whether the output declines to answer and states nothing.
func abstains(all, stated []sentence) bool {
	return len(stated) == 0 && slices.ContainsFunc(all, func(s sentence) bool { return noclaim.Abstains(s.Text) })
}

// claimOf is a sentence taken as a claim.
func claimOf(s sentence) Claim {
	return Claim{Sentence: s.Number, Text: fence.Line(s.Text), Span: s.Span, bare: true}
}

// splitStep is a step that splits sentences, and how its replies word that.
type splitStep struct {
	name       string
	list, item string // the reply's members
	noClaim    bool   // the reply also lists sentences that state nothing
}

var (
	claimsStep     = splitStep{stepClaims, "claims", "claim", true}
	statementsStep = splitStep{stepStatements, "statements", "statement", false}
)

// piece is what a reply draws from a sentence. What a reply lists as no claim
// carries no weight: a sentence that reaches this step states something.
type piece struct {
	Sentence         int
	Claim, Statement string // one of them
}

// maxSentences is how many sentences one call splits.
const maxSentences = 20

// askClaims has the judge split sentences into claims or statements. A cut reply, or too
// long a prompt, halves what a call asks about.
func askClaims(ctx context.Context, c *calls, step splitStep, question, output string, list []sentence) (claims []Claim, prompts []string, err error) {
	if len(list) > maxSentences {
		return askHalves(ctx, c, step, question, output, list, maxSentences)
	}
	p := claimsPrompt(step, question, shownFor(c, output, list), list)
	var got []piece
	err = c.ask(ctx, p, func(text string) (err error) {
		got, err = readClaims(step, text, list)
		return err
	})
	if (errors.Is(err, ErrReplyCut) || tooLong(err)) && len(list) > 1 {
		return askHalves(ctx, c, step, question, output, list, len(list)/2)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, g := range got {
		s := list[slices.IndexFunc(list, func(s sentence) bool { return s.Number == g.Sentence })]
		claims = append(claims, Claim{Sentence: s.Number, Text: fence.Line(g.Claim + g.Statement), Span: s.Span})
	}
	return claims, []string{p.User}, nil
}

// shownFor is what a call about sentences shows of the output.
func shownFor(c *calls, output string, list []sentence) string {
	var spans []Span
	for _, s := range list {
		spans = append(spans, s.Span)
	}
	return partOf(output, spans, c.window()/4)
}

// askHalves asks about the first sentences of the list and then about the rest.
func askHalves(ctx context.Context, c *calls, step splitStep, question, output string, list []sentence, first int) (claims []Claim, prompts []string, err error) {
	for _, half := range [][]sentence{list[:first], list[first:]} {
		more, sent, err := askClaims(ctx, c, step, question, output, half)
		if err != nil {
			return nil, nil, err
		}
		claims, prompts = append(claims, more...), append(prompts, sent...)
	}
	return claims, prompts, nil
}

func claimsPrompt(step splitStep, question, output string, list []sentence) Prompt {
	fences := fence.Around(question, output)
	data := struct {
		Question, Output string
		Sentences        []sentence
	}{fenced(fences, "question", question), fences.Wrap("answer", output), nil}
	room := 0
	for _, s := range list {
		data.Sentences = append(data.Sentences, sentence{Number: s.Number, Text: fence.Line(s.Text)})
		room += 60 + 3*tokens(s.Text)
	}
	return prompt(step.name, data, claimsSchema(step, list), 64+room)
}

// fenced is Wrap, but nothing for nothing.
func fenced(f fence.Fences, name, text string) string {
	if text == "" {
		return ""
	}
	return f.Wrap(name, text)
}

// claimsSchema bounds the number of claims by the sentences' length, as a weak
// judge may repeat itself without end.
func claimsSchema(step splitStep, list []sentence) json.RawMessage {
	var numbers []string
	for _, s := range list {
		numbers = append(numbers, fmt.Sprint(s.Number))
	}
	enum := strings.Join(numbers, ",")
	most := 0
	for _, s := range list {
		most += 2 + len(text.Words(s.Text))/4
	}
	rest, required := "", ""
	if step.noClaim {
		rest = fmt.Sprintf(`,"no_claim":{"type":"array","maxItems":%d,"items":{"type":"integer","enum":[%s]}}`, len(list), enum)
		required = `,"no_claim"`
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"%[1]s":{"type":"array","maxItems":%[3]d,"items":{"type":"object","properties":{"sentence":{"type":"integer","enum":[%[4]s]},"%[2]s":{"type":"string"}},"required":["sentence","%[2]s"]}}%[5]s},"required":["%[1]s"%[6]s]}`,
		step.list, step.item, most, enum, rest, required))
}

// form is what a reply of the step must be, whatever was asked.
func (step splitStep) form() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"%[1]s":{"type":"array","items":{"type":"object","properties":{"sentence":{"type":"integer"},"%[2]s":{"type":"string","minLength":1}},"required":["sentence","%[2]s"]}}},"required":["%[1]s"]}`,
		step.list, step.item))
}

func readClaims(step splitStep, text string, asked []sentence) ([]piece, error) {
	var got struct{ Claims, Statements []piece }
	if err := reply.Parse(text, step.form(), &got); err != nil {
		return nil, err
	}
	pieces := got.Claims
	if step.list == "statements" {
		pieces = got.Statements
	}
	for _, g := range pieces {
		if !slices.ContainsFunc(asked, func(s sentence) bool { return s.Number == g.Sentence }) {
			return nil, fmt.Errorf("it has a %s of sentence %d, which was not asked about", step.item, g.Sentence)
		}
	}
	return pieces, nil
}
