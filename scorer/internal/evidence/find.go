package evidence

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// minQuote is how many letters or digits a quote needs that is not a whole
// sentence or cell. A Chinese, Japanese or Korean character counts as two.
const minQuote = 12

// leastQuote is how many characters a whole sentence or cell needs, signs
// counted: "5" and "1" stand everywhere. A whole passage may be shorter.
const leastQuote = 3

// Find looks quote up in the passages, by its letters, digits, signs, points
// and percent signs alone, and gives the sentences that hold it; where it
// stands in several places, the one that says most about claim. A quote of
// several sentences, or with an ellipsis, may be found in parts; then each
// part must be. A quote that is too short to prove anything is not found.
func (c *Context) Find(quote, claim string) []Piece {
	quote = label.ReplaceAllString(quote, "")
	if found := c.find(quote); len(found) > 0 {
		return []Piece{c.best(found, claim)}
	}
	parts := partsOf(quote)
	if len(parts) < 2 {
		return nil
	}
	var all []Piece
	for _, part := range parts {
		found := c.find(part)
		if len(found) == 0 {
			return nil
		}
		all = append(all, c.best(found, claim))
	}
	return all
}

func (c *Context) best(found []Piece, claim string) Piece {
	best, most := found[0], -1
	for _, p := range found {
		n := 2 * c.Shared(p, claim)
		if c.Bears(p, claim) {
			n++
		}
		if n > most {
			best, most = p, n
		}
	}
	return best
}

// label is what a judge puts before a quote to say where it stands.
var label = regexp.MustCompile(`(?i)^\s*\[?(?:passage|context)\s*\[?\d+[^\]:]{0,20}[\]:]+\s*`)

var ellipsis = regexp.MustCompile(`\s*(?:\.{3,}|…+|\[\s*(?:\.{3}|…)\s*\])\s*`)

// partsOf cuts a quote at its ellipses and into its sentences.
func partsOf(quote string) []string {
	var parts []string
	for _, stretch := range ellipsis.Split(quote, -1) {
		for _, s := range text.Sentences(stretch) {
			if text.Fold(s.Text) != "" {
				parts = append(parts, s.Text)
			}
		}
	}
	return parts
}

func (c *Context) find(quote string) []Piece {
	q := text.Fold(quote)
	if q == "" {
		return nil
	}
	long := size(q) >= minQuote
	var found []Piece
	for i, folded := range c.folded {
		for from := 0; ; {
			at := strings.Index(folded[from:], q)
			if at < 0 {
				break
			}
			at += from
			piece := c.widen(i, c.offsets[i][at], c.offsets[i][at+len(q)-1])
			switch {
			case long || q == folded || text.Fold(piece.Text) == q && utf8.RuneCountInString(q) >= leastQuote:
				found = append(found, piece)
			case isCell(q, piece.Text) && utf8.RuneCountInString(q) >= leastQuote:
				piece.short = quote
				found = append(found, piece)
			}
			if len(found) >= maxFound {
				return found
			}
			from = at + len(q)
		}
	}
	return found
}

// maxFound bounds how many places of one quote are told.
const maxFound = 8

// widen gives the whole sentences of passage i that hold its bytes from first
// to last.
func (c *Context) widen(i, first, last int) Piece {
	from := sort.Search(len(c.pieces), func(k int) bool {
		p := c.pieces[k]
		return p.Passage > i || p.Passage == i && p.End > first
	})
	to := from + 1
	for to < len(c.pieces) && c.pieces[to].Passage == i && c.pieces[to].Start <= last {
		to++
	}
	return c.joined(from, to)
}

// joined is the piece made of the context's pieces from from to to, which are
// of one passage.
func (c *Context) joined(from, to int) Piece {
	first, last := c.pieces[from], c.pieces[to-1]
	return Piece{
		Text: c.passages[first.Passage][first.Start:last.End], Passage: first.Passage,
		Start: first.Start, End: last.End, from: from, to: to,
	}
}

// isCell reports whether the folded quote is all of one cell of a row, or all
// of a value of JSON.
func isCell(q, piece string) bool {
	signs := "|\t"
	if !isRow(piece) {
		signs = `{}[]":,`
		if !strings.ContainsAny(piece, "{}[]") {
			return false
		}
	}
	cells := strings.FieldsFunc(piece, func(r rune) bool { return strings.ContainsRune(signs, r) })
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
