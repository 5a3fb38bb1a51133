package scorer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

const (
	rankedSentences = 8  // nearest ones that the first look at a long context shows for a claim
	overlapShare    = 10 // windows share a tenth
	leastRoom       = 48 // tokens of context, below which a call makes no sense
)

// read has every claim looked at. A context that fits into one call is shown
// whole. Of a longer one the nearest sentences are shown first; only what
// they leave open, and what needs all of the context, goes through its
// windows.
func (v *judgeVerifier) read(ctx context.Context, r VerifyRequest, findings []*finding) error {
	if !v.isLong(r) {
		err := v.look(ctx, r, r.Passages, findings, firstLook)
		if !tooLong(err) {
			return err
		}
		v.most = estimate(r.Passages...) / 2
		for _, f := range findings {
			f.looks = nil
		}
	}
	ranked := only(findings, func(f *finding) bool { return v.context.Ranks(f.about) })
	for batch := range slices.Chunk(ranked, maxClaims) {
		if err := v.nearest(ctx, r, batch); err != nil {
			return err
		}
	}
	open := only(findings, func(f *finding) bool {
		return v.needsAll(f) || !slices.ContainsFunc(f.looks, func(l look) bool { return !l.Bad() })
	})
	return v.windows(ctx, r, open)
}

// nearest shows the sentences that are nearest to the claims, as many as fit.
func (v *judgeVerifier) nearest(ctx context.Context, r VerifyRequest, batch []*finding) error {
	var best []evidence.Piece // of every claim, the nearest first
	lists := make([][]evidence.Piece, len(batch))
	for i, f := range batch {
		lists[i] = v.context.Nearest(f.about, rankedSentences)
	}
	for rank := range rankedSentences {
		for i, f := range batch {
			if rank < len(lists[i]) && v.context.Shared(lists[i][rank], f.about) > 0 {
				best = append(best, lists[i][rank])
			}
		}
	}
	for len(best) > 0 {
		room, err := v.room(r, batch)
		if err != nil {
			return err
		}
		n := sort.Search(len(best), func(n int) bool { return estimate(v.context.Around(best[:n+1])...) > room })
		shown := v.context.Around(best[:max(n, 1)])
		err = v.look(ctx, r, shown, batch, firstLook)
		if !tooLong(err) || estimate(shown...)/2 < leastRoom {
			return err
		}
		v.most = estimate(shown...) / 2
	}
	return nil
}

// windows shows all of the context, one part after another; parts overlap, so
// that what belongs together stands together in one of them.
func (v *judgeVerifier) windows(ctx context.Context, r VerifyRequest, open []*finding) error {
	if len(open) == 0 {
		return nil
	}
	for from := 0; from < v.context.Len(); {
		room, err := v.room(r, open)
		if err != nil {
			return err
		}
		to := v.extent(from, room)
		passages := v.context.Stretch(from, to)
		err = v.look(ctx, r, passages, open, windowLook)
		if tooLong(err) && to-from > 1 {
			v.most = estimate(passages...) / 2
			continue
		}
		if err != nil {
			return err
		}
		if to == v.context.Len() {
			break
		}
		next := to - 1
		for next > from+1 && estimate(v.context.Stretch(next-1, to)...) <= room/overlapShare {
			next--
		}
		from = max(next, from+1)
	}
	for _, f := range open {
		if len(f.looks) == 0 {
			f.looks = append(f.looks, *f.missed)
		}
	}
	return nil
}

// extent is where a window that starts at a sentence ends.
func (v *judgeVerifier) extent(from, room int) int {
	used := estimate(v.context.Stretch(from, from+1)...)
	to := from + 1
	for ; to < v.context.Len(); to++ {
		if used += estimate(v.context.At(to).Text) + 1; used > room {
			break
		}
	}
	return to
}

// isLong reports whether the context has to be shown in parts.
func (v *judgeVerifier) isLong(r VerifyRequest) bool {
	if v.most > 0 {
		return true
	}
	half := r.Claims[:(min(len(r.Claims), maxClaims)+1)/2]
	return v.calls.window() > 0 && estimate(r.Passages...) > v.calls.window()-v.beside(r, half)
}

// beside is what a call needs beside the context: rules, question, output,
// claims, and the reply.
func (v *judgeVerifier) beside(r VerifyRequest, claims []Claim) int {
	n := estimate(section(stepVerdicts, "system", nil), r.Question) + 160 + verdictTokens*len(claims)
	leaning := false
	for _, c := range claims {
		n += estimate(c.Text) + 8
		leaning = leaning || leans(c, r.Output)
	}
	if leaning {
		n += estimate(v.shownOutput(r, claims))
	}
	return n
}

// room is how many tokens of context a call about the claims can show: a
// quarter of the window at least, at the price of fewer claims a call.
func (v *judgeVerifier) room(r VerifyRequest, findings []*finding) (int, error) {
	if v.calls.window() == 0 {
		return max(v.most, 1), nil
	}
	room := 0
	for n := min(len(findings), maxClaims); n > 0 && room < v.calls.window()/4; n-- {
		room = v.calls.window() - v.beside(r, claimsOf(findings[:n]))
	}
	if v.most > 0 {
		room = min(room, v.most)
	}
	if room < leastRoom {
		return 0, fmt.Errorf("%s: %w: rules, question, output and claim %d leave %d of its %d tokens to the context: shorten them, or give the judge a larger window",
			stepVerdicts, ErrPromptTooLong, findings[0].claim.Number, max(room, 0), v.calls.window())
	}
	return room, nil
}

// fit reports whether a call can show the passages beside the claims.
func (v *judgeVerifier) fit(r VerifyRequest, passages []string, findings []*finding) bool {
	return (v.calls.window() == 0 || estimate(passages...) <= v.calls.window()-v.beside(r, claimsOf(findings))) &&
		(v.most == 0 || estimate(passages...) <= v.most)
}

func claimsOf(findings []*finding) []Claim {
	var claims []Claim
	for _, f := range findings {
		claims = append(claims, f.claim)
	}
	return claims
}

func tooLong(err error) bool { return errors.Is(err, ErrPromptTooLong) }

// estimate is about how many tokens texts have: a piece of a Latin word is
// about four bytes, a digit or sign half a token, another character one.
func estimate(texts ...string) int {
	quarters := 0
	for _, s := range texts {
		quarters += 4
		for _, r := range s {
			switch {
			case r >= 0x80:
				quarters += 4
			case r == ' ' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
				quarters++
			default:
				quarters += 2
			}
		}
	}
	return quarters / 4
}

// about is what evidence for a claim must speak of. A bare answer, a name or
// a "yes", is read with its question.
func about(c Claim, question string) string {
	if lacking := lackingIn(c.Text); lacking != "" {
		return lacking
	}
	if len(text.Words(c.Text)) <= 2 && question != "" {
		return c.Text + "\n" + question
	}
	return c.Text
}
