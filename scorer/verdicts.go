package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
	"github.com/evaltest/go-evaltest/scorer/internal/fence"
)

const (
	secondContext = 3  // nearest sentences that a second look shows for a claim
	shortContext  = 12 // sentences that a second look shows whole
)

// judgeVerifier has the judge give verdicts and holds them to the context.
type judgeVerifier struct {
	calls   *calls
	prompts []string
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

// Verify asks about all claims, checks the quotes, and asks once more about
// the claims that are bad or in doubt.
func (v *judgeVerifier) Verify(ctx context.Context, r VerifyRequest) ([]Verdict, error) {
	passages := evidence.New(r.Passages)
	first, err := v.look(ctx, r, r.Claims, false)
	if err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, len(r.Claims))
	var doubtful []Claim
	for i, c := range r.Claims {
		verdicts[i] = weigh(c, first[c.Number], passages)
		if verdicts[i].Bad() {
			doubtful = append(doubtful, c)
		}
	}
	if len(doubtful) == 0 {
		return verdicts, nil
	}
	nearby := r
	nearby.Passages = near(doubtful, r.Passages, passages)
	second, err := v.look(ctx, nearby, doubtful, true)
	if err != nil {
		return nil, err
	}
	for i, c := range r.Claims {
		if o, asked := second[c.Number]; asked {
			verdicts[i] = prefer(verdicts[i], weigh(c, o, passages))
		}
	}
	return verdicts, nil
}

// near is what a second look shows of the context: for each claim its
// nearest sentences and their neighbours, or all of it where it is short or
// where words cannot rank it.
func near(claims []Claim, passages []string, context *evidence.Context) []string {
	if context.Len() <= shortContext {
		return passages
	}
	var pieces []evidence.Piece
	for _, c := range claims {
		if !context.Ranks(c.Text) {
			return passages
		}
		pieces = append(pieces, context.Nearest(c.Text, secondContext)...)
	}
	return context.Around(pieces)
}

// weigh turns an opinion into a verdict: supported and contradicted stand
// only on a quote that is found in the context and can speak of the claim.
func weigh(c Claim, o opinion, context *evidence.Context) Verdict {
	verdict := Verdict{Claim: c.Number, Kind: o.Verdict, Reason: fence.Line(o.Reason), Source: "judge"}
	problem := "it quoted nothing"
	for _, q := range o.Evidence {
		piece, found := context.Find(q)
		switch {
		case !found:
			problem = fmt.Sprintf("its quote %s is not in the context", excerpt(q))
		case !evidence.Bears(piece.Text, c.Text):
			problem = fmt.Sprintf("its quote %s does not speak of the claim", excerpt(q))
		default:
			verdict.Evidence = append(verdict.Evidence, quoteOf(piece))
		}
	}
	slices.SortStableFunc(verdict.Evidence, func(a, b Quote) int { // what says most about the claim comes first
		return evidence.Shared(b.Text, c.Text) - evidence.Shared(a.Text, c.Text)
	})
	if len(verdict.Evidence) == 0 && o.Verdict == Supported && lacks(c.Text, context) {
		verdict.Source = "absence"
		return verdict
	}
	if len(verdict.Evidence) == 0 && o.Verdict != Unsupported {
		verdict.Reason = fmt.Sprintf("the judge called it %s, but %s", o.Verdict, problem)
		verdict.Kind, verdict.Source = Unsupported, "code"
	}
	return verdict
}

// prefer settles two looks at a claim that the first did not clear. The
// second counts where it found evidence, and where the first had no opinion
// that could stand.
func prefer(first, second Verdict) Verdict {
	proven := first.Kind == Contradicted && second.Kind == Unsupported
	if !proven && (len(second.Evidence) > 0 || first.Source == "code" && second.Source == "judge") {
		if second.Source == "judge" {
			second.Source = "second look"
		}
		return second
	}
	return first
}

func quoteOf(p evidence.Piece) Quote {
	return Quote{Text: p.Text, Passage: p.Passage, Span: Span{p.Start, p.End}}
}

// excerpt quotes the start of a text for a message.
func excerpt(s string) string {
	const most = 60
	r := []rune(fence.Line(s))
	if len(r) > most {
		return `"` + string(r[:most]) + `…"`
	}
	return `"` + string(r) + `"`
}
