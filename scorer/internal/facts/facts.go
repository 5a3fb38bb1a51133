// Package facts checks the numbers and names of a claim against a text by
// code: what the text does not state in any usual form. Numbers are compared
// at the precision that they are stated with, names by their words. What it
// finds is a reason to ask a judge again and never a verdict by itself, but
// for a precise number.
//
// What it normalises, and the tolerances of "about", "over" and "nearly", are
// those that paid on labelled items in English and Chinese.
package facts

import (
	"slices"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// Kind says what a fact is.
type Kind string

// The kinds of facts.
const (
	Number Kind = "number"
	Name   Kind = "name"
)

// Fact is a number or name that a claim states.
type Fact struct {
	Kind Kind
	Text string // as it stands in the claim
	// Precise says that it is a number that is hardly right by chance: a
	// decimal, a percentage, the day of a month, or 100 and more.
	Precise bool

	quantity quantity
}

// Source is a text, made ready for its facts to be looked up.
type Source struct {
	quantities []quantity
	dates      []date
	words      map[string]bool // stemmed, without accents
	acronyms   map[string]bool // of its capitalised runs
	folded     []string
	scripts    []int
}

// New makes texts, taken together, ready.
func New(texts ...string) *Source {
	s := &Source{words: map[string]bool{}, acronyms: map[string]bool{}}
	for _, t := range texts {
		s.quantities = append(s.quantities, stated(t)...)
		for _, d := range datesOf(t) {
			if !slices.Contains(s.dates, d) {
				s.dates = append(s.dates, d)
			}
		}
		for _, w := range text.Words(t) {
			s.words[w] = true
		}
		for _, a := range acronymsOf(t) {
			s.acronyms[a] = true
		}
		s.scripts = append(s.scripts, text.Script(t))
		s.folded = append(s.folded, text.Fold(t))
	}
	return s
}

// Lacks gives the numbers and names of claim that none of the sources states.
// Names are left out where a source is written in another script.
func Lacks(claim string, sources ...*Source) []Fact {
	var lacking []Fact
	for _, q := range claimed(claim) {
		if !q.small && !anyOf(sources, func(s *Source) bool { return s.states(q) }) {
			lacking = append(lacking, Fact{Number, q.text, q.isPrecise(), q})
		}
	}
	sameScript := !anyOf(sources, func(s *Source) bool { return !s.sameScript(claim) })
	for _, name := range text.Names(claim) {
		written := asWritten(name, claim)
		if sameScript && !anyOf(sources, func(s *Source) bool { return s.names(core(name, written)) }) {
			lacking = append(lacking, Fact{Kind: Name, Text: written})
		}
	}
	return lacking
}

func anyOf(sources []*Source, is func(*Source) bool) bool {
	for _, s := range sources {
		if s != nil && is(s) {
			return true
		}
	}
	return false
}

// states reports whether the source states a number, at the precision that it
// has in the claim.
func (s *Source) states(q quantity) bool {
	for _, own := range s.quantities {
		if q.fits(own) {
			return true
		}
	}
	for _, d := range s.dates {
		if q.isOf(d) {
			return true
		}
	}
	return false
}

// sameScript reports whether all of the source is in the claim's script, so
// that names can be compared.
func (s *Source) sameScript(claim string) bool {
	script := text.Script(claim)
	return script < 0 || !slices.ContainsFunc(s.scripts, func(own int) bool { return own >= 0 && own != script })
}
