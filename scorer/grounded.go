package scorer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
)

// What an output can be refused for, by HallucinationOptions.
var (
	// ErrTooFewClaims: the output makes fewer claims than MinClaims.
	ErrTooFewClaims = errors.New("output makes too few claims")
	// ErrAbstained: the output only declines to answer, against AbstainForbid.
	ErrAbstained = errors.New("output only declines to answer")
	// ErrNotAbstained: the output does not decline to answer, against AbstainRequire.
	ErrNotAbstained = errors.New("output does not decline to answer")
	// ErrNotText: the output or its context is not valid UTF-8.
	ErrNotText = errors.New("not valid UTF-8")
)

// grounded judges an output claim by claim against its context: what the
// scorers of hallucination and of faithfulness share.
type grounded struct {
	id      string
	judge   Judge
	options HallucinationOptions
}

func (g *grounded) errorf(format string, args ...any) error {
	return fmt.Errorf(g.id+": "+format, args...)
}

// score judges run and has rate turn what was found into the score.
func (g *grounded) score(ctx context.Context, run Run, rate func(*Result)) (*Result, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	r := &Result{RunID: run.ID, Scorer: g.id, Scale: g.scale(), Question: run.question(), Output: run.output()}
	if g.judge != nil {
		r.Model = g.judge.Model()
	}
	var err error
	if r.Context, err = g.context(ctx, run); err != nil {
		return nil, err
	}
	if err := g.valid(r); err != nil {
		return nil, err
	}
	c := &calls{judge: g.judge}
	if err := g.judged(ctx, c, r); err != nil {
		return nil, err
	}
	if err := g.accepts(r); err != nil {
		return nil, err
	}
	r.NothingToCheck = nothingToCheck(r)
	rate(r)
	r.Reason = composeReason(r)
	if g.options.JudgedReason && len(r.Claims) > 0 {
		if r.Reason, r.Prompts.Reason, err = askReason(ctx, c, r); err != nil {
			return nil, err
		}
	}
	r.Usage, r.Calls = c.usage, c.n
	return r, nil
}

func (g *grounded) check() error {
	o := g.options
	switch {
	case math.IsNaN(o.Scale) || math.IsInf(o.Scale, 0) || o.Scale < 0:
		return g.errorf("Scale is %s: give a number above 0, or 0 for 1", number(o.Scale))
	case o.MinClaims < 0:
		return g.errorf("MinClaims is %d: give 0 or more", o.MinClaims)
	case o.Claims != FromJudge && o.Claims != PerSentence:
		return g.errorf("Claims is %q: give FromJudge or PerSentence", o.Claims)
	case o.Abstain != AbstainAllow && o.Abstain != AbstainForbid && o.Abstain != AbstainRequire:
		return g.errorf("Abstain is %q: give AbstainAllow, AbstainForbid or AbstainRequire", o.Abstain)
	case o.Numbers != Strict && o.Numbers != Hint && o.Numbers != Off:
		return g.errorf("Numbers is %q: give Strict, Hint or Off", o.Numbers)
	case o.Votes < 0 || o.Votes > 0 && o.Votes%2 == 0:
		return g.errorf("Votes is %d: give an odd number, or 0 for 1", o.Votes)
	case o.Votes > 1 && o.Verifier != nil:
		return g.errorf("Votes is %d, but a Verifier gives the verdicts: it votes by itself", o.Votes)
	case g.judge == nil && (o.Verifier == nil || o.Claims == FromJudge || o.JudgedReason):
		return g.errorf("no judge: make the scorer with one, or set Verifier and Claims: PerSentence")
	}
	return nil
}

func (g *grounded) scale() float64 {
	if g.options.Scale == 0 {
		return 1
	}
	return g.options.Scale
}

// context is the ground truth of a run, from the first source that is set.
func (g *grounded) context(ctx context.Context, run Run) ([]string, error) {
	switch {
	case g.options.GetContext != nil:
		passages, err := g.options.GetContext(ctx, run)
		if err != nil {
			return nil, g.errorf("get context: %w", err)
		}
		return passages, nil
	case run.Context != nil:
		return run.Context, nil
	}
	return g.options.Context, nil
}

// valid refuses what is no text: a judge would be shown something else.
func (g *grounded) valid(r *Result) error {
	if at := invalid(r.Output); at >= 0 {
		return g.errorf("output: %w at byte %d: decode it before it is judged", ErrNotText, at)
	}
	for i, p := range r.Context {
		if at := invalid(p); at >= 0 {
			return g.errorf("context[%d]: %w at byte %d: decode it before it is used", i, ErrNotText, at)
		}
	}
	return nil
}

// invalid is the offset of the first byte that is not UTF-8, or -1.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// judged fills in claims and verdicts: output → sentences → claims → verdicts.
func (g *grounded) judged(ctx context.Context, c *calls, r *Result) error {
	seen, ofOutput, withheld := withhold(r.Question, r)
	r.Withheld = withheld
	all := sentencesOf(r.Output)
	posing := addressed(all, ofOutput)
	stated := stating(slices.DeleteFunc(slices.Clone(all), func(s sentence) bool { return slices.Contains(posing, s) }), seen.question, g.options.NoClaim)
	r.Abstained = len(posing) == 0 && abstains(all, stated)
	passages := evidence.New(seen.passages)
	if len(stated) > 0 {
		if err := g.judgedBy(ctx, c, seen, passages, stated, r); err != nil {
			return err
		}
	}
	addAddressed(posing, Unsupported, r, g.options.Allow)
	r.Nearest = make([]Quote, len(r.Claims))
	for i, claim := range r.Claims {
		if !passages.Empty() {
			r.Nearest[i] = quoteOf(passages.Nearest(claim.Text, 1)[0])
		}
	}
	return nil
}

// judgedBy fills in the claims and verdicts of what is shown to the judge.
func (g *grounded) judgedBy(ctx context.Context, c *calls, seen shown, passages *evidence.Context, stating []sentence, r *Result) error {
	if passages.Empty() {
		r.Claims, _ = settle(nil, stating, seen.question, seen.output)
		for _, claim := range r.Claims {
			r.Verdicts = append(r.Verdicts, Verdict{Claim: claim.Number, Kind: Unsupported, Reason: "the context is empty", Source: "code"})
		}
		return nil
	}
	if err := g.claims(ctx, c, seen, stating, r); err != nil {
		return err
	}
	return g.verdicts(ctx, c, passages, seen, r)
}

func (g *grounded) claims(ctx context.Context, c *calls, seen shown, stating []sentence, r *Result) error {
	if g.options.Claims == PerSentence {
		r.Claims, _ = settle(nil, stating, seen.question, seen.output)
		return nil
	}
	claims, prompts, err := askClaims(ctx, c, claimsStep, seen.question, seen.output, stating)
	if err != nil {
		return err
	}
	r.Claims, r.Replaced = settle(claims, stating, seen.question, seen.output)
	r.Prompts.Claims = strings.Join(prompts, "\n\n")
	return nil
}

func (g *grounded) verdicts(ctx context.Context, c *calls, passages *evidence.Context, seen shown, r *Result) error {
	numbers := &stated{context: passages, question: seen.question}
	request := VerifyRequest{seen.question, seen.output, seen.passages, r.Claims}
	var got []Verdict
	var err error
	if g.options.Verifier != nil {
		got, err = g.options.Verifier.Verify(ctx, request)
	} else {
		var prompts []string
		got, prompts, err = g.vote(ctx, c, passages, numbers, request)
		r.Prompts.Verdicts = strings.Join(prompts, "\n\n")
	}
	if err != nil {
		return err
	}
	if r.Verdicts, err = paired(r.Claims, got); err != nil {
		return err
	}
	for i, claim := range r.Claims {
		r.Verdicts[i] = allowed(claim, r.Verdicts[i], g.options.Allow)
	}
	if g.options.Numbers != Off {
		r.Unstated = numbers.unstated(r)
	}
	return nil
}

// paired puts verdicts in the claims' order: exactly one for each.
func paired(claims []Claim, verdicts []Verdict) ([]Verdict, error) {
	byClaim := map[int]Verdict{}
	for _, v := range verdicts {
		switch v.Kind {
		case Supported, Contradicted, Unsupported, Inconclusive:
		default:
			return nil, fmt.Errorf("%w: claim %d has the verdict %q", ErrBadReply, v.Claim, v.Kind)
		}
		if _, twice := byClaim[v.Claim]; twice {
			return nil, fmt.Errorf("%w: claim %d has two verdicts", ErrBadReply, v.Claim)
		}
		byClaim[v.Claim] = v
	}
	var missing []Claim
	ordered := make([]Verdict, len(claims))
	for i, c := range claims {
		v, ok := byClaim[c.Number]
		if !ok {
			missing = append(missing, c)
		}
		ordered[i] = v
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrIncomplete, numbersOf(missing))
	}
	if len(verdicts) > len(claims) {
		return nil, fmt.Errorf("%w: %d verdicts for %d claims", ErrBadReply, len(verdicts), len(claims))
	}
	return ordered, nil
}

// allowed accepts a bad claim that the options name.
func allowed(c Claim, v Verdict, list []Allowance) Verdict {
	for _, a := range list {
		if v.Bad() && a.Pattern != nil && a.Pattern.MatchString(c.Text) {
			return Verdict{Claim: c.Number, Kind: Supported, Reason: a.Why, Evidence: v.Evidence, Source: "allowed"}
		}
	}
	return v
}

func (g *grounded) accepts(r *Result) error {
	o := g.options
	switch {
	case o.Abstain == AbstainForbid && r.Abstained:
		return g.errorf("%w: %s", ErrAbstained, excerpt(r.Output))
	case o.Abstain == AbstainRequire && !r.Abstained:
		return g.errorf("%w: %s", ErrNotAbstained, excerpt(r.Output))
	case len(r.Claims) < o.MinClaims:
		return g.errorf("%w: %d, at least %d were required: %s", ErrTooFewClaims, len(r.Claims), o.MinClaims, excerpt(r.Output))
	}
	return nil
}
