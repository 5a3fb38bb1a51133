package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

const (
	maxClaims     = 10  // a call
	verdictTokens = 240 // room for one verdict in the reply
)

// lookKind says which look at a claim it is.
type lookKind int

const (
	firstLook  lookKind = iota
	windowLook          // at one part of a long context
	secondLook          // at what was bad or in doubt
	lastLook            // at what looks disagree on
)

// look asks about claims beside passages, in batches, and adds to every
// finding what was seen.
func (v *judgeVerifier) look(ctx context.Context, r VerifyRequest, passages []string, findings []*finding, kind lookKind) error {
	for len(findings) > 0 {
		batch := findings[:v.batchSize(r, passages, findings)]
		opinions := map[int]opinion{}
		q := inquiry{asked: r.Question, passages: passages, claims: asking(batch), kind: kind}
		if kind == secondLook {
			q.doubts = doubtsOf(batch)
		}
		if slices.ContainsFunc(q.claims, func(c Claim) bool { return leans(c, r.Output) }) {
			q.output = v.shownOutput(r, q.claims)
		}
		if err := v.batch(ctx, q, opinions); err != nil {
			return err
		}
		for _, f := range batch {
			f.add(v.weigh(f, opinions[f.claim.Number]), kind)
		}
		findings = findings[len(batch):]
	}
	return nil
}

// asking words what is asked: the claims, those of absence turned round.
func asking(findings []*finding) []Claim {
	claims := claimsOf(findings)
	for i, f := range findings {
		if f.lacking != "" {
			claims[i].Text = speaksOf(f.lacking)
		}
	}
	return claims
}

// doubtsOf names the numbers and names that made cleared claims doubtful.
func doubtsOf(findings []*finding) (doubts []string) {
	for _, f := range findings {
		var quoted []string
		for _, fact := range f.foreign {
			quoted = append(quoted, strconv.Quote(fence.Line(fact.Text)))
		}
		if len(quoted) > 0 {
			doubts = append(doubts, fmt.Sprintf("Claim %d has %s, not found in the context.", f.claim.Number, strings.Join(quoted, " and ")))
		}
	}
	return doubts
}

// batchSize is how many of the claims a call asks about: fewer than maxClaims
// where the judge's window has no room for so many verdicts beside the
// passages.
func (v *judgeVerifier) batchSize(r VerifyRequest, passages []string, findings []*finding) int {
	n := min(len(findings), maxClaims)
	for v.calls.window() > 0 && n > 1 && v.beside(r, claimsOf(findings[:n]))+estimate(passages...) > v.calls.window() {
		n--
	}
	return n
}

// inquiry is one question of the verdicts step.
type inquiry struct {
	asked, output string // the user's question and the output, where they are shown
	passages      []string
	claims        []Claim
	kind          lookKind
	doubts        []string // what speaks against claims, a line each
	again         bool     // a first reply left these claims out
}

// batch asks about claims in one call, or in as many as it takes.
func (v *judgeVerifier) batch(ctx context.Context, q inquiry, into map[int]opinion) error {
	return complete(stepVerdicts, q.claims, func(asked []Claim, again bool) (missing []Claim, err error) {
		q.claims, q.again = asked, again
		return v.once(ctx, q, into)
	})
}

// complete asks once about claims. A cut reply halves what is asked; claims
// that the reply leaves out are asked about once more.
func complete(step string, claims []Claim, once func(asked []Claim, again bool) (missing []Claim, err error)) error {
	missing, err := once(claims, false)
	if half := len(claims) / 2; errors.Is(err, ErrReplyCut) && half > 0 {
		if err := complete(step, claims[:half], once); err != nil {
			return err
		}
		return complete(step, claims[half:], once)
	}
	if err != nil || len(missing) == 0 {
		return err
	}
	missing, err = once(missing, true)
	if err != nil || len(missing) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w: %s, though asked again", step, ErrIncomplete, numbersOf(missing))
}

// once makes one call, adds the opinions that it brings and gives the claims
// that it brings none for.
func (v *judgeVerifier) once(ctx context.Context, q inquiry, into map[int]opinion) (missing []Claim, err error) {
	p := verdictsPrompt(q)
	if v.seed > 0 {
		p.Seed, p.Temperature = v.seed, voteTemperature
	}
	v.prompts = append(v.prompts, p.User)
	var got map[int]opinion
	err = v.calls.ask(ctx, p, func(text string) (err error) {
		got, err = readVerdicts(text, q.claims)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range q.claims {
		if o, ok := got[c.Number]; ok {
			into[c.Number] = o
		} else {
			missing = append(missing, c)
		}
	}
	return missing, nil
}

func verdictsPrompt(q inquiry) Prompt {
	fences := fence.Around(append(slices.Clone(q.passages), q.asked, q.output)...)
	data := struct {
		Passages            []string
		Question, Output    string
		Claims              []Claim
		Second, Last, Again bool
		Doubts              []string
	}{nil, fenced(fences, "question", q.asked), fenced(fences, "answer", q.output), nil, q.kind == secondLook, q.kind == lastLook, q.again, q.doubts}
	for i, passage := range q.passages {
		if strings.TrimSpace(passage) != "" {
			data.Passages = append(data.Passages, fences.Wrap(fmt.Sprintf("passage %d", i+1), passage))
		}
	}
	for _, c := range q.claims {
		data.Claims = append(data.Claims, Claim{Number: c.Number, Text: fence.Line(c.Text)})
	}
	return prompt(stepVerdicts, data, verdictsSchema(q.claims), 64+verdictTokens*len(q.claims))
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
	return verdictList(items)
}

// verdictList is the schema of a list with just these verdicts.
func verdictList(items []string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"verdicts":{"type":"array","prefixItems":[%s],"minItems":%d,"maxItems":%d}},"required":["verdicts"]}`,
		strings.Join(items, ","), len(items), len(items)))
}

// opinion is one verdict as the judge words it.
type opinion struct {
	Claim    int    `json:"claim"`
	Evidence quotes `json:"evidence"`
	Reason   string `json:"reason"`
	Verdict  Kind   `json:"verdict"`
}

// quotes is a list of strings; a bare string is a list of one.
type quotes []string

func (q *quotes) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*q = quotes{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(q))
}

// verdictsForm is what a reply of the verdicts step must be, whatever claims
// were asked about.
var verdictsForm = json.RawMessage(`{"type":"object","properties":{"verdicts":{"type":"array","items":{"type":"object","properties":{"claim":{"type":"integer"},"evidence":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},"reason":{"type":"string"},"verdict":{"enum":["supported","contradicted","unsupported"]}},"required":["claim","verdict"]}}},"required":["verdicts"]}`)

// readVerdicts reads a reply.
func readVerdicts(text string, asked []Claim) (map[int]opinion, error) {
	var got struct {
		Verdicts []opinion `json:"verdicts"`
	}
	if err := reply.Parse(text, verdictsForm, &got); err != nil {
		return nil, err
	}
	return byNumber("claim", got.Verdicts, asked, func(o opinion) (int, Kind) { return o.Claim, o.Verdict })
}

// byNumber pairs verdicts with what was asked. What has two different verdicts
// has none.
func byNumber[V any](noun string, given []V, asked []Claim, of func(V) (number int, kind Kind)) (map[int]V, error) {
	paired, kinds, torn := map[int]V{}, map[int]Kind{}, map[int]bool{}
	for _, v := range given {
		number, kind := of(v)
		if !slices.ContainsFunc(asked, func(c Claim) bool { return c.Number == number }) {
			return nil, fmt.Errorf("it has a verdict on %s %d, which was not asked about", noun, number)
		}
		if before, twice := kinds[number]; twice && before != kind {
			torn[number] = true
		}
		paired[number], kinds[number] = v, kind
	}
	for number := range torn {
		delete(paired, number)
	}
	return paired, nil
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
