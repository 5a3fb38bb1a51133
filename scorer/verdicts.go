package scorer

import (
	"context"
	"slices"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
)

// judgeVerifier has the judge give verdicts and holds them to the context.
//
// Every claim is looked at once. Claims that are then bad or in doubt are
// looked at again, all together, beside what the context says nearest to
// them. Claims that two looks disagree on are settled by a third, beside the
// quotes that the looks rest on. So a judge must err twice to clear a claim
// that it has called bad, and twice to condemn one that is right.
type judgeVerifier struct {
	calls   *calls
	context *evidence.Context // of the passages that Verify is asked about
	single  bool              // no second look
	most    int               // tokens of context that a call may show, 0: not known
	numbers NumberCheck
	seed    int // of this vote, where there are several
	stated  *stated
	prompts []string
}

// Verify gives each claim its verdict.
func (v *judgeVerifier) Verify(ctx context.Context, r VerifyRequest) ([]Verdict, error) {
	findings := make([]*finding, len(r.Claims))
	for i, c := range r.Claims {
		findings[i] = &finding{claim: c, lacking: lackingIn(c.Text), about: about(c, r.Question)}
	}
	if err := v.read(ctx, r, findings); err != nil {
		return nil, err
	}
	if !v.single {
		if err := v.lookAgain(ctx, r, only(findings, v.isOpen)); err != nil {
			return nil, err
		}
	}
	if err := v.settle(ctx, r, only(findings, (*finding).isTorn)); err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, len(findings))
	for i, f := range findings {
		verdicts[i] = v.checked(f, f.verdict())
	}
	return verdicts, nil
}

func only(list []*finding, keep func(*finding) bool) []*finding {
	return slices.DeleteFunc(slices.Clone(list), func(f *finding) bool { return !keep(f) })
}

const (
	secondContext = 3  // nearest sentences that a second look shows for a claim
	shortContext  = 12 // sentences that a second look shows whole
	mostQuotes    = 6  // of earlier looks that a later one shows for a claim
)

// lookAgain asks once more about claims that are bad or in doubt. Where the
// context is long this gathers the best of it, so that evidence of which each
// window had a part comes together.
func (v *judgeVerifier) lookAgain(ctx context.Context, r VerifyRequest, open []*finding) error {
	nearby := func(findings []*finding) []string {
		var pieces []evidence.Piece
		for _, f := range findings {
			pieces = append(pieces, v.bestOf(f.quoted, f)...)
			if v.context.Ranks(f.about) {
				pieces = append(pieces, v.context.Nearest(f.about, secondContext)...)
			}
		}
		return v.context.Around(pieces)
	}
	return v.show(ctx, r, open, nearby, secondLook)
}

// settle asks a last time about claims that looks disagree on, beside the
// quotes of both sides.
func (v *judgeVerifier) settle(ctx context.Context, r VerifyRequest, torn []*finding) error {
	quoted := func(findings []*finding) []string {
		var pieces []evidence.Piece
		for _, f := range findings {
			for _, kind := range []Kind{Supported, Contradicted} {
				pieces = append(pieces, v.bestOf(f.pieces(kind), f)...)
			}
		}
		return v.context.Around(pieces)
	}
	return v.show(ctx, r, torn, quoted, lastLook)
}

// bestOf are the pieces that say most about a claim, without repeats.
func (v *judgeVerifier) bestOf(pieces []evidence.Piece, f *finding) []evidence.Piece {
	best := slices.Clone(pieces)
	slices.SortStableFunc(best, func(a, b evidence.Piece) int { return v.context.Shared(b, f.about) - v.context.Shared(a, f.about) })
	return best[:min(len(best), mostQuotes)]
}

// show asks about claims beside the part of the context that concerns them,
// or beside all of it where it is short. Too many claims for one call are
// halved; claims that nothing is to be shown for are left.
func (v *judgeVerifier) show(ctx context.Context, r VerifyRequest, findings []*finding, partOf func([]*finding) []string, kind lookKind) error {
	if len(findings) == 0 {
		return nil
	}
	passages := r.Passages
	unranked := func(f *finding) bool { return !v.context.Ranks(f.about) }
	if v.isLong(r) || v.context.Len() > shortContext && !slices.ContainsFunc(findings, unranked) {
		passages = partOf(findings)
	}
	if len(passages) == 0 {
		return nil
	}
	err := ErrPromptTooLong
	if len(findings) == 1 || v.fit(r, passages, findings) {
		err = v.look(ctx, r, passages, findings, kind)
	}
	if !tooLong(err) || len(findings) == 1 {
		return err
	}
	half := len(findings) / 2
	if err := v.show(ctx, r, findings[:half], partOf, kind); err != nil {
		return err
	}
	return v.show(ctx, r, findings[half:], partOf, kind)
}
