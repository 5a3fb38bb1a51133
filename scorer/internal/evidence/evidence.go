// Package evidence finds a judge's quotes in the context that it was given,
// and the pieces of the context that are nearest to a claim. It decides
// nothing about a claim: it only says what stands in the context and where.
package evidence

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// minQuote is how many letters or digits a quote needs that is not a whole
// sentence or cell. A Chinese, Japanese or Korean character counts as two.
const minQuote = 12

// Piece is a sentence of a passage.
type Piece struct {
	Text       string
	Passage    int // from 0
	Index      int // of the sentence in its passage, from 0
	Start, End int // byte offsets in the passage
}

// Context is a set of passages made ready for search.
type Context struct {
	passages []string
	folded   []string
	offsets  [][]int
	pieces   []Piece
	terms    []map[string]bool // of each piece
	weight   map[string]float64
}

// New makes passages ready for search.
func New(passages []string) *Context {
	c := &Context{passages: passages, weight: map[string]float64{}}
	for i, p := range passages {
		folded, offsets := text.FoldMap(p)
		c.folded, c.offsets = append(c.folded, folded), append(c.offsets, offsets)
		for j, s := range text.Sentences(p) {
			c.pieces = append(c.pieces, Piece{s.Text, i, j, s.Start, s.End})
			terms := termsOf(s.Text)
			c.terms = append(c.terms, terms)
			for t := range terms {
				c.weight[t]++
			}
		}
	}
	for t, n := range c.weight { // inverse document frequency
		c.weight[t] = math.Log(1 + float64(len(c.pieces))/n)
	}
	return c
}

// Empty reports whether the context says nothing at all.
func (c *Context) Empty() bool { return len(c.pieces) == 0 }

// Len is how many sentences the context has.
func (c *Context) Len() int { return len(c.pieces) }

// Find looks quote up in the passages, by its letters, digits, signs, points
// and percent signs alone, and gives the sentences that hold it. A quote
// that is too short to prove anything is not found.
func (c *Context) Find(quote string) (Piece, bool) {
	q := text.Fold(quote)
	if q == "" {
		return Piece{}, false
	}
	for i, folded := range c.folded {
		for from := 0; ; {
			at := strings.Index(folded[from:], q)
			if at < 0 {
				break
			}
			at += from
			first, last := c.offsets[i][at], c.offsets[i][at+len(q)-1]
			if piece := c.widen(i, first, last); size(q) >= minQuote || whole(q, piece.Text) {
				return piece, true
			}
			from = at + len(q)
		}
	}
	return Piece{}, false
}

// widen gives the whole sentences of passage i that hold its bytes from first
// to last.
func (c *Context) widen(i, first, last int) Piece {
	var wide Piece
	for _, p := range c.pieces {
		switch {
		case p.Passage != i || p.End <= first || p.Start > last:
		case wide.Text == "":
			wide = p
		default:
			wide.End = p.End
			wide.Text = c.passages[i][wide.Start:wide.End]
		}
	}
	return wide
}

// whole reports whether the folded quote is all of the sentence, or all of
// one cell where the sentence is a row of a table.
func whole(q, sentence string) bool {
	if text.Fold(sentence) == q {
		return true
	}
	if !strings.ContainsAny(sentence, "|\t") {
		return false
	}
	cells := strings.FieldsFunc(sentence, func(r rune) bool { return r == '|' || r == '\t' })
	return slices.ContainsFunc(cells, func(cell string) bool { return text.Fold(cell) == q })
}

func size(folded string) int {
	n := 0
	for _, r := range folded {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 2
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			n++
		}
	}
	return n
}

// Bears reports whether a piece of context can speak about a claim: they
// share a number, a name or a content word, or are written in different
// scripts, where words cannot be compared.
func Bears(piece, claim string) bool {
	return Shared(piece, claim) > 0 || !text.SameScript(piece, claim)
}

// Shared counts the numbers, names and content words that a piece of context
// and a claim both have.
func Shared(piece, claim string) int {
	terms, n := termsOf(piece), 0
	for t := range termsOf(claim) {
		if terms[t] {
			n++
		}
	}
	return n
}

// Ranks reports whether the claim's words can rank this context's sentences:
// not where the two are written in different scripts.
func (c *Context) Ranks(claim string) bool {
	return text.SameScript(strings.Join(c.passages, "\n"), claim)
}

// Speaks reports whether any sentence of the context shares a number, name or
// content word with s.
func (c *Context) Speaks(s string) bool {
	for t := range termsOf(s) {
		if c.weight[t] > 0 {
			return true
		}
	}
	return false
}

// Nearest gives up to n sentences of the context, those that share most with
// the claim first; equals stay in the context's order.
func (c *Context) Nearest(claim string, n int) []Piece {
	wanted := termsOf(claim)
	scores := make([]float64, len(c.pieces))
	order := make([]int, len(c.pieces))
	for i := range c.pieces {
		order[i] = i
		for t := range wanted {
			if c.terms[i][t] {
				scores[i] += c.weight[t]
			}
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	var nearest []Piece
	for _, i := range order[:min(n, len(order))] {
		nearest = append(nearest, c.pieces[i])
	}
	return nearest
}

// Around gives, for each passage, the given pieces with the sentence before
// and the sentence after each, joined where they touch; passages without a
// piece are left out.
func (c *Context) Around(pieces []Piece) []string {
	keep := map[[2]int]bool{}
	for _, p := range pieces {
		for i := p.Index - 1; i <= p.Index+1; i++ {
			keep[[2]int{p.Passage, i}] = true
		}
	}
	var around []string
	last := Piece{Passage: -1}
	for _, p := range c.pieces {
		if !keep[[2]int{p.Passage, p.Index}] {
			continue
		}
		if p.Passage == last.Passage && p.Index == last.Index+1 {
			end := len(around) - 1
			around[end] += c.passages[p.Passage][last.End:p.Start] + p.Text
		} else {
			around = append(around, p.Text)
		}
		last = p
	}
	return around
}

func termsOf(s string) map[string]bool {
	terms := map[string]bool{}
	for _, list := range [][]string{text.Words(s), text.Numbers(s), text.Names(s)} {
		for _, t := range list {
			terms[t] = true
		}
	}
	return terms
}
