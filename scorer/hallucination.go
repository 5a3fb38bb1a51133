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

// Hallucination scores how much of an output its context does not support:
// bad claims / all claims × scale. It is the scorer that the original
// calls createHallucinationScorer.
type Hallucination struct {
	judge   Judge
	options HallucinationOptions
}

// NewHallucination makes a scorer that asks j. What is wrong with the options
// is said by Score.
func NewHallucination(j Judge, o HallucinationOptions) *Hallucination {
	return &Hallucination{judge: j, options: o}
}

// ID is "hallucination".
func (h *Hallucination) ID() string { return "hallucination" }

// Score judges run. An output that states nothing scores 0 without a call;
// where the context is empty every claim is unsupported, without a call too.
func (h *Hallucination) Score(ctx context.Context, run Run) (*Result, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	r := &Result{RunID: run.ID, Scorer: h.ID(), Scale: h.scale(), Output: run.output()}
	if h.judge != nil {
		r.Model = h.judge.Model()
	}
	var err error
	if r.Context, err = h.context(ctx, run); err != nil {
		return nil, err
	}
	if err := valid(r); err != nil {
		return nil, err
	}
	c := &calls{judge: h.judge}
	if err := h.judged(ctx, c, run.question(), r); err != nil {
		return nil, err
	}
	if err := h.accepts(r); err != nil {
		return nil, err
	}
	r.Score = float64(len(r.Bad())) / float64(max(len(r.Claims), 1)) * r.Scale
	r.Reason = composeReason(r)
	if h.options.JudgedReason && len(r.Claims) > 0 {
		if r.Reason, r.Prompts.Reason, err = askReason(ctx, c, r); err != nil {
			return nil, err
		}
	}
	r.Usage, r.Calls = c.usage, c.n
	return r, nil
}

func (h *Hallucination) check() error {
	o := h.options
	switch {
	case math.IsNaN(o.Scale) || math.IsInf(o.Scale, 0) || o.Scale < 0:
		return fmt.Errorf("hallucination: Scale is %s: give a number above 0, or 0 for 1", number(o.Scale))
	case o.MinClaims < 0:
		return fmt.Errorf("hallucination: MinClaims is %d: give 0 or more", o.MinClaims)
	case o.Claims != FromJudge && o.Claims != PerSentence:
		return fmt.Errorf("hallucination: Claims is %q: give FromJudge or PerSentence", o.Claims)
	case o.Abstain != AbstainAllow && o.Abstain != AbstainForbid && o.Abstain != AbstainRequire:
		return fmt.Errorf("hallucination: Abstain is %q: give AbstainAllow, AbstainForbid or AbstainRequire", o.Abstain)
	case o.Numbers != Strict && o.Numbers != Hint && o.Numbers != Off:
		return fmt.Errorf("hallucination: Numbers is %q: give Strict, Hint or Off", o.Numbers)
	case o.Votes < 0 || o.Votes > 0 && o.Votes%2 == 0:
		return fmt.Errorf("hallucination: Votes is %d: give an odd number, or 0 for 1", o.Votes)
	case o.Votes > 1 && o.Verifier != nil:
		return fmt.Errorf("hallucination: Votes is %d, but a Verifier gives the verdicts: it votes by itself", o.Votes)
	case h.judge == nil && (o.Verifier == nil || o.Claims == FromJudge || o.JudgedReason):
		return errors.New("hallucination: no judge: pass one to NewHallucination, or set Verifier and Claims: PerSentence")
	}
	return nil
}

func (h *Hallucination) scale() float64 {
	if h.options.Scale == 0 {
		return 1
	}
	return h.options.Scale
}

// context is the ground truth of a run, from the first source that is set.
func (h *Hallucination) context(ctx context.Context, run Run) ([]string, error) {
	switch {
	case h.options.GetContext != nil:
		passages, err := h.options.GetContext(ctx, run)
		if err != nil {
			return nil, fmt.Errorf("hallucination: get context: %w", err)
		}
		return passages, nil
	case run.Context != nil:
		return run.Context, nil
	}
	return h.options.Context, nil
}

// valid refuses what is no text: a judge would be shown something else.
func valid(r *Result) error {
	if at := invalid(r.Output); at >= 0 {
		return fmt.Errorf("hallucination: output: %w at byte %d: decode it before it is judged", ErrNotText, at)
	}
	for i, p := range r.Context {
		if at := invalid(p); at >= 0 {
			return fmt.Errorf("hallucination: context[%d]: %w at byte %d: decode it before it is used", i, ErrNotText, at)
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
func (h *Hallucination) judged(ctx context.Context, c *calls, question string, r *Result) error {
	seen, ofOutput, withheld := withhold(question, r)
	r.Withheld = withheld
	all := sentencesOf(r.Output)
	posing := addressed(all, ofOutput)
	stated := stating(slices.DeleteFunc(slices.Clone(all), func(s sentence) bool { return slices.Contains(posing, s) }), seen.question, h.options.NoClaim)
	r.Abstained = len(posing) == 0 && abstains(all, stated)
	passages := evidence.New(seen.passages)
	if len(stated) > 0 {
		if err := h.judgedBy(ctx, c, seen, passages, stated, r); err != nil {
			return err
		}
	}
	h.judgeAddressed(posing, r)
	r.Nearest = make([]Quote, len(r.Claims))
	for i, claim := range r.Claims {
		if !passages.Empty() {
			r.Nearest[i] = quoteOf(passages.Nearest(claim.Text, 1)[0])
		}
	}
	return nil
}

// judgedBy fills in the claims and verdicts of what is shown to the judge.
func (h *Hallucination) judgedBy(ctx context.Context, c *calls, seen shown, passages *evidence.Context, stating []sentence, r *Result) error {
	if passages.Empty() {
		r.Claims, _ = settle(nil, stating, seen.question, seen.output)
		for _, claim := range r.Claims {
			r.Verdicts = append(r.Verdicts, Verdict{Claim: claim.Number, Kind: Unsupported, Reason: "the context is empty", Source: "code"})
		}
		return nil
	}
	if err := h.claims(ctx, c, seen, stating, r); err != nil {
		return err
	}
	return h.verdicts(ctx, c, passages, seen, r)
}

func (h *Hallucination) claims(ctx context.Context, c *calls, seen shown, stating []sentence, r *Result) error {
	if h.options.Claims == PerSentence {
		r.Claims, _ = settle(nil, stating, seen.question, seen.output)
		return nil
	}
	claims, prompts, err := askClaims(ctx, c, seen.question, seen.output, stating)
	if err != nil {
		return err
	}
	r.Claims, r.Replaced = settle(claims, stating, seen.question, seen.output)
	r.Prompts.Claims = strings.Join(prompts, "\n\n")
	return nil
}

func (h *Hallucination) verdicts(ctx context.Context, c *calls, passages *evidence.Context, seen shown, r *Result) error {
	numbers := &stated{context: passages, question: seen.question}
	request := VerifyRequest{seen.question, seen.output, seen.passages, r.Claims}
	var got []Verdict
	var err error
	if h.options.Verifier != nil {
		got, err = h.options.Verifier.Verify(ctx, request)
	} else {
		var prompts []string
		got, prompts, err = h.vote(ctx, c, passages, numbers, request)
		r.Prompts.Verdicts = strings.Join(prompts, "\n\n")
	}
	if err != nil {
		return err
	}
	if r.Verdicts, err = paired(r.Claims, got); err != nil {
		return err
	}
	for i, claim := range r.Claims {
		r.Verdicts[i] = allowed(claim, r.Verdicts[i], h.options.Allow)
	}
	if h.options.Numbers != Off {
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

func (h *Hallucination) accepts(r *Result) error {
	o := h.options
	switch {
	case o.Abstain == AbstainForbid && r.Abstained:
		return fmt.Errorf("hallucination: %w: %s", ErrAbstained, excerpt(r.Output))
	case o.Abstain == AbstainRequire && !r.Abstained:
		return fmt.Errorf("hallucination: %w: %s", ErrNotAbstained, excerpt(r.Output))
	case len(r.Claims) < o.MinClaims:
		return fmt.Errorf("hallucination: %w: %d, at least %d were required: %s", ErrTooFewClaims, len(r.Claims), o.MinClaims, excerpt(r.Output))
	}
	return nil
}
