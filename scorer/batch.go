package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

const (
	maxClaims     = 10  // a call
	verdictTokens = 240 // room for one verdict in the reply
)

// look asks about claims in batches and gives an opinion on every one.
func (v *judgeVerifier) look(ctx context.Context, r VerifyRequest, claims []Claim, second bool) (map[int]opinion, error) {
	opinions := map[int]opinion{}
	for batch := range slices.Chunk(claims, v.batchSize(r)) {
		if err := v.batch(ctx, verdictsQuestion{r, batch, second, false}, opinions); err != nil {
			return nil, err
		}
	}
	return opinions, nil
}

// batchSize is how many claims a call asks about: fewer than maxClaims where
// the judge's window has no room for so many verdicts beside the context.
func (v *judgeVerifier) batchSize(r VerifyRequest) int {
	windowed, ok := v.calls.judge.(interface{ ContextTokens() int })
	if !ok || windowed.ContextTokens() <= 0 {
		return maxClaims
	}
	used := tokens(section(stepVerdicts, "system", nil)) + tokens(r.Question) + tokens(r.Output)
	for _, p := range r.Passages {
		used += tokens(p)
	}
	return min(max((windowed.ContextTokens()-used)/verdictTokens, 1), maxClaims)
}

// verdictsQuestion is one question of the verdicts step.
type verdictsQuestion struct {
	VerifyRequest
	asked  []Claim
	second bool // a second look
	again  bool // a first reply left these claims out
}

// batch asks about claims in one call. A cut reply halves the batch; claims
// that the reply leaves out are asked about once more.
func (v *judgeVerifier) batch(ctx context.Context, q verdictsQuestion, into map[int]opinion) error {
	missing, err := v.once(ctx, q, into)
	if errors.Is(err, ErrReplyCut) && len(q.asked) > 1 {
		front, back := q, q
		half := len(q.asked) / 2
		front.asked, back.asked = q.asked[:half], q.asked[half:]
		if err := v.batch(ctx, front, into); err != nil {
			return err
		}
		return v.batch(ctx, back, into)
	}
	if err != nil || len(missing) == 0 {
		return err
	}
	q.asked, q.again = missing, true
	missing, err = v.once(ctx, q, into)
	if err != nil || len(missing) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w: %s, though asked again", stepVerdicts, ErrIncomplete, numbersOf(missing))
}

// once makes one call, adds the opinions that it brings and gives the claims
// that it brings none for.
func (v *judgeVerifier) once(ctx context.Context, q verdictsQuestion, into map[int]opinion) (missing []Claim, err error) {
	p := verdictsPrompt(q)
	v.prompts = append(v.prompts, p.User)
	var got map[int]opinion
	err = v.calls.ask(ctx, p, func(text string) (err error) {
		got, err = readVerdicts(text, q.asked)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range q.asked {
		if o, ok := got[c.Number]; ok {
			into[c.Number] = o
		} else {
			missing = append(missing, c)
		}
	}
	return missing, nil
}

func verdictsPrompt(q verdictsQuestion) Prompt {
	output := ""
	if slices.ContainsFunc(q.asked, func(c Claim) bool { return leans(c, q.Output) }) {
		output = q.Output
	}
	marker := fence.Marker(append(slices.Clone(q.Passages), q.Question, output)...)
	data := struct {
		Passages         []string
		Question, Output string
		Claims           []Claim
		Second, Again    bool
	}{nil, fenced(marker, "question", q.Question), fenced(marker, "answer", output), nil, q.second, q.again}
	for i, passage := range q.Passages {
		if strings.TrimSpace(passage) != "" {
			data.Passages = append(data.Passages, fence.Wrap(marker, fmt.Sprintf("passage %d", i+1), passage))
		}
	}
	for _, c := range q.asked {
		data.Claims = append(data.Claims, Claim{Number: c.Number, Text: fence.Line(c.Text)})
	}
	return prompt(stepVerdicts, data, verdictsSchema(q.asked), 64+verdictTokens*len(q.asked))
}

// leans reports whether a claim is a bare sentence of a longer output, which
// may need the others to be understood.
func leans(c Claim, output string) bool {
	return c.bare && len(c.Text) < len(strings.TrimSpace(output))
}

// verdictsSchema forces one verdict for each claim, in order, evidence and
// reason before the verdict. It is text and not built from maps, as its order
// is the order in which the judge writes.
func verdictsSchema(claims []Claim) json.RawMessage {
	var items []string
	for _, c := range claims {
		items = append(items, fmt.Sprintf(`{"type":"object","properties":{"claim":{"const":%d},"evidence":{"type":"array","items":{"type":"string"},"maxItems":3},"reason":{"type":"string"},"verdict":{"enum":["supported","contradicted","unsupported"]}},"required":["claim","evidence","reason","verdict"]}`, c.Number))
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"verdicts":{"type":"array","prefixItems":[%s],"minItems":%d,"maxItems":%d}},"required":["verdicts"]}`,
		strings.Join(items, ","), len(items), len(items)))
}

// verdictsForm is what a reply of the verdicts step must be, whatever claims
// were asked about.
var verdictsForm = json.RawMessage(`{"type":"object","properties":{"verdicts":{"type":"array","items":{"type":"object","properties":{"claim":{"type":"integer"},"evidence":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},"reason":{"type":"string"},"verdict":{"enum":["supported","contradicted","unsupported"]}},"required":["claim","verdict"]}}},"required":["verdicts"]}`)

// readVerdicts reads a reply. A claim with two different verdicts has none.
func readVerdicts(text string, asked []Claim) (map[int]opinion, error) {
	var got struct {
		Verdicts []opinion `json:"verdicts"`
	}
	if err := reply.Parse(text, verdictsForm, &got); err != nil {
		return nil, err
	}
	opinions, torn := map[int]opinion{}, map[int]bool{}
	for _, o := range got.Verdicts {
		if !slices.ContainsFunc(asked, func(c Claim) bool { return c.Number == o.Claim }) {
			return nil, fmt.Errorf("it has a verdict on claim %d, which was not asked about", o.Claim)
		}
		if before, ok := opinions[o.Claim]; ok && before.Verdict != o.Verdict {
			torn[o.Claim] = true
		}
		opinions[o.Claim] = o
	}
	for number := range torn {
		delete(opinions, number)
	}
	return opinions, nil
}

func numbersOf(claims []Claim) string {
	var numbers []string
	for _, c := range claims {
		numbers = append(numbers, fmt.Sprint(c.Number))
	}
	if len(numbers) == 1 {
		return "claim " + numbers[0]
	}
	return "claims " + strings.Join(numbers, ", ")
}
