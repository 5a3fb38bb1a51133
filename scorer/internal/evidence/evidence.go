// Package evidence finds a judge's quotes in the context that it was given,
// and the pieces of the context that are nearest to a claim. It decides
// nothing about a claim: it only says what stands in the context and where.
package evidence

import (
	"math"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// Piece is a sentence of a passage, or several that stand side by side.
type Piece struct {
	Text       string
	Passage    int // from 0
	Start, End int // byte offsets in the passage

	from, to int    // the context's sentences that it is made of
	short    string // the quote, folded, where it is one short cell of the piece
}

// Context is a set of passages made ready for search.
type Context struct {
	passages []string
	folded   []string
	offsets  [][]int
	pieces   []Piece           // one a sentence, in order
	leads    [][]int           // of each piece: the pieces that say what it is about
	terms    []map[string]bool // of each piece, its leads included
	weight   map[string]float64
}

// New makes passages ready for search.
func New(passages []string) *Context {
	c := &Context{passages: passages, weight: map[string]float64{}}
	for i, p := range passages {
		folded, offsets := text.FoldMap(p)
		c.folded, c.offsets = append(c.folded, folded), append(c.offsets, offsets)
		first := len(c.pieces)
		for _, s := range split(p) {
			at := len(c.pieces)
			c.pieces = append(c.pieces, Piece{Text: s.Text, Passage: i, Start: s.Start, End: s.End, from: at, to: at + 1})
		}
		c.leads = append(c.leads, leadsOf(p, c.pieces[first:], first)...)
	}
	own := make([]map[string]bool, len(c.pieces))
	for i, p := range c.pieces {
		own[i] = termsOf(p.Text)
		for t := range own[i] {
			c.weight[t]++
		}
	}
	for t, n := range c.weight { // inverse document frequency
		c.weight[t] = math.Log(1 + float64(len(c.pieces))/n)
	}
	for i := range c.pieces {
		c.terms = append(c.terms, union(own, append([]int{i}, c.leads[i]...)))
	}
	return c
}

func union(sets []map[string]bool, list []int) map[string]bool {
	if len(list) == 1 {
		return sets[list[0]]
	}
	all := map[string]bool{}
	for _, i := range list {
		for t := range sets[i] {
			all[t] = true
		}
	}
	return all
}

// Passages are the texts that the context is made of.
func (c *Context) Passages() []string { return c.passages }

// Empty reports whether the context says nothing at all.
func (c *Context) Empty() bool { return len(c.pieces) == 0 }

// Len is how many sentences the context has.
func (c *Context) Len() int { return len(c.pieces) }

// Knows reports whether a number, name or content word, in the form in which
// package text gives it, is one of the context's.
func (c *Context) Knows(term string) bool { return c.weight[term] > 0 }

// Bears reports whether a piece of the context can speak about a claim: with
// its title or table header it shares a number, a name or a content word with
// it, or is written in another script, where words cannot be compared. A
// piece that was found by one short cell must share more than that cell.
func (c *Context) Bears(p Piece, claim string) bool {
	if !text.SameScript(p.Text, claim) {
		return true
	}
	wanted := termsOf(claim)
	for t := range termsOf(p.short) {
		delete(wanted, t)
	}
	return shared(c.termsOf(p), wanted) > 0
}

// Shared counts the numbers, names and content words that a piece of the
// context, with its title or table header, and a claim both have.
func (c *Context) Shared(p Piece, claim string) int {
	return shared(c.termsOf(p), termsOf(claim))
}

func (c *Context) termsOf(p Piece) map[string]bool {
	terms := map[string]bool{}
	for i := p.from; i < p.to; i++ {
		for t := range c.terms[i] {
			terms[t] = true
		}
	}
	return terms
}

func shared(a, b map[string]bool) int {
	n := 0
	for t := range b {
		if a[t] {
			n++
		}
	}
	return n
}

func termsOf(s string) map[string]bool {
	terms := map[string]bool{}
	for _, list := range [][]string{text.Words(s), text.Names(s)} {
		for _, t := range list {
			terms[t] = true
		}
	}
	return terms
}
