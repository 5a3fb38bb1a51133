package scorer

import (
	"fmt"
	"slices"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
	"github.com/evaltest/go-evaltest/scorer/internal/facts"
	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/injection"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// finding is what the looks at one claim have come to.
type finding struct {
	claim   Claim
	about   string // what evidence must speak of
	lacking string // what the claim says that the context lacks, if that is what it says
	looks   []look
	last    *look            // the one that settled it
	missed  *look            // at a window that does not speak of the claim
	quoted  []evidence.Piece // by looks that came to nothing
	foreign []facts.Fact     // what made a cleared claim doubtful: neither context nor question states it
}

// look is a verdict with what it was before its quotes were checked.
type look struct {
	Verdict
	said   Kind
	pieces []evidence.Piece
	kind   lookKind
}

// add takes in a look. That a window does not speak of a claim says nothing.
func (f *finding) add(l look, kind lookKind) {
	l.kind = kind
	switch {
	case kind == lastLook:
		f.last = &l
		return
	case kind == windowLook && len(l.pieces) > 0 && l.said == l.Kind && l.said != Unsupported:
	case kind == windowLook:
		f.missed = &l
		f.quoted = append(f.quoted, l.pieces...)
		return
	case kind == secondLook && l.Source == "judge":
		l.Source = "second look"
	}
	f.looks = append(f.looks, l)
}

// isTorn reports whether looks disagree: one has cleared the claim and one
// has called it bad. A look that meant well and misquoted is no dissent. What
// only a window has cleared is not settled either: many windows are many
// chances to err.
func (f *finding) isTorn() bool {
	clears := func(l look) bool { return !l.Bad() }
	return slices.ContainsFunc(f.looks, clears) &&
		(slices.ContainsFunc(f.looks, func(l look) bool { return l.Bad() && l.said != Supported }) ||
			!slices.ContainsFunc(f.looks, func(l look) bool { return clears(l) && l.kind != windowLook }))
}

// pieces are what the looks of a kind rest on.
func (f *finding) pieces(kind Kind) []evidence.Piece {
	var list []evidence.Piece
	for _, l := range f.looks {
		if l.Kind == kind {
			list = append(list, l.pieces...)
		}
	}
	return list
}

// verdict is what the looks come to.
func (f *finding) verdict() Verdict {
	if f.last != nil {
		return f.settled()
	}
	if at := slices.IndexFunc(f.looks, func(l look) bool { return !l.Bad() }); at >= 0 && !f.isTorn() {
		return f.looks[at].Verdict
	}
	return worst(f.looks)
}

// worst is the bad look that says most: one that found a contradiction, else
// one that the judge stands by, else the first.
func worst(looks []look) Verdict {
	for _, is := range []func(look) bool{
		func(l look) bool { return l.Kind == Contradicted },
		func(l look) bool { return l.Bad() && l.said != Supported },
		look.Bad,
	} {
		if at := slices.IndexFunc(looks, is); at >= 0 {
			return looks[at].Verdict
		}
	}
	return looks[0].Verdict
}

// settled is the outcome where looks had disagreed. The last one decides. But
// where the context says both, it must have weighed both.
func (f *finding) settled() Verdict {
	f.last.Source = "settled"
	pro, con := f.pieces(Supported), f.pieces(Contradicted)
	switch {
	case len(pro) > 0 && len(con) > 0 && !same(pro[0], con[0]):
		if touches(f.last.pieces, pro[0]) && touches(f.last.pieces, con[0]) {
			return f.last.Verdict
		}
		return Verdict{
			Claim: f.claim.Number, Kind: Inconclusive, Source: "settled", Evidence: []Quote{quoteOf(pro[0]), quoteOf(con[0])},
			Reason: fmt.Sprintf("the context says both %s and %s", excerpt(pro[0].Text), excerpt(con[0].Text)),
		}
	case !f.last.Bad():
		return f.last.Verdict
	}
	return worst(append(f.looks, *f.last))
}

func same(a, b evidence.Piece) bool {
	return a.Passage == b.Passage && a.Start < b.End && b.Start < a.End
}

func touches(pieces []evidence.Piece, p evidence.Piece) bool {
	return slices.ContainsFunc(pieces, func(q evidence.Piece) bool { return same(p, q) })
}

// weigh turns an opinion into a look: supported and contradicted stand only
// on a quote that is found in the context and can speak of the claim.
func (v *judgeVerifier) weigh(f *finding, o opinion) look {
	l := look{Verdict: Verdict{Claim: f.claim.Number, Kind: o.Verdict, Reason: fence.Line(o.Reason), Source: "judge"}, said: o.Verdict}
	problem := "it quoted nothing"
	for _, q := range o.Evidence {
		found := v.context.Find(q, f.about)
		if len(found) == 0 {
			problem = fmt.Sprintf("its quote %s is not in the context", excerpt(q))
			continue
		}
		bears, fault := false, "does not speak of the claim"
		for _, p := range found {
			switch {
			case injection.Rules(p.Text, f.claim.Text):
				fault = "gives a verdict and no fact"
			case v.context.Bears(p, f.about) && !touches(l.pieces, p):
				l.pieces = append(l.pieces, p)
			}
			bears = bears || touches(l.pieces, p)
		}
		if !bears {
			problem = fmt.Sprintf("its quote %s %s", excerpt(q), fault)
		}
	}
	slices.SortStableFunc(l.pieces, func(a, b evidence.Piece) int { // what says most about the claim comes first
		return v.context.Shared(b, f.about) - v.context.Shared(a, f.about)
	})
	for _, p := range l.pieces {
		l.Evidence = append(l.Evidence, quoteOf(p))
	}
	if f.lacking != "" {
		return v.turnedRound(f, l)
	}
	if len(l.pieces) == 0 && o.Verdict != Unsupported {
		l.Reason = fmt.Sprintf("the judge called it %s, but %s", o.Verdict, problem)
		l.Kind, l.Source = Unsupported, "code"
	}
	return l
}

// isOpen reports whether a claim is bad, or in doubt: its one look cleared it
// but it has a number or name that neither context nor question has, or a
// "not", "only" or "all" that its evidence lacks or that only that has. What
// a window has cleared is left to be settled.
func (v *judgeVerifier) isOpen(f *finding) bool {
	if f.isTorn() {
		return false
	}
	cleared := slices.IndexFunc(f.looks, func(l look) bool { return !l.Bad() })
	if cleared < 0 {
		return true
	}
	l := f.looks[cleared]
	if l.Source != "judge" || len(l.pieces) == 0 {
		return false
	}
	f.foreign = v.unstatedIn(f)
	return len(f.foreign) > 0 || isTurned(f.claim.Text, l.pieces)
}

// unstatedIn gives the numbers and names of a claim that neither the context
// nor the question states. A claim of absence names what is not there.
func (v *judgeVerifier) unstatedIn(f *finding) []facts.Fact {
	if f.lacking != "" || v.numbers == Off {
		return nil
	}
	var quoted []string
	for _, p := range f.pieces(Supported) {
		quoted = append(quoted, p.Text)
	}
	return v.stated.lacking(f.claim.Text, quoted)
}

// checked holds a supported claim to its numbers: one that context and question
// do not state, and that does not follow from the evidence, is hardly right.
func (v *judgeVerifier) checked(f *finding, verdict Verdict) Verdict {
	if verdict.Bad() || v.numbers != Strict {
		return verdict
	}
	for _, fact := range v.unstatedIn(f) {
		if !isProof(f.claim.Text, fact, textsOf(verdict.Evidence)) {
			continue
		}
		verdict.Kind, verdict.Source = Inconclusive, "code"
		verdict.Reason = fmt.Sprintf("the judge called it supported, but the context does not state %s, nor does it follow from the evidence", fact.Text)
		if isChinese(f.claim.Text) {
			verdict.Kind = Unsupported
		}
		return verdict
	}
	return verdict
}

// isTurned reports whether a claim has a "not", "only" or "all" that its
// evidence lacks, or says without a "not" what its evidence says with one.
func isTurned(claim string, pieces []evidence.Piece) bool {
	all := ""
	for _, p := range pieces {
		all += p.Text + "\n"
	}
	if !text.SameScript(claim, all) {
		return false
	}
	its, theirs := turnsOf(claim), turnsOf(all)
	if !subset(its, theirs) {
		return true
	}
	words := text.Words(claim)
	return theirs["not"] && !its["not"] && 10*overlap(words, text.Words(pieces[0].Text)) >= 7*len(words)
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
