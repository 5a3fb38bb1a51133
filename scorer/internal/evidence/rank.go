package evidence

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// Ranks reports whether the claim's words can rank this context's sentences:
// not where the two are written in different scripts, in any passage.
func (c *Context) Ranks(claim string) bool {
	return !slices.ContainsFunc(c.passages, func(p string) bool { return !text.SameScript(p, claim) })
}

// Speaks gives a sentence of the context that, with its title or table
// header, has all numbers, names and content words of s, if there is one.
func (c *Context) Speaks(s string) (Piece, bool) {
	wanted := termsOf(s)
	for i, terms := range c.terms {
		if len(wanted) > 0 && shared(terms, wanted) == len(wanted) {
			return c.pieces[i], true
		}
	}
	return Piece{}, false
}

// Nearest gives up to n sentences of the context, those that share most with
// the claim first; equals stay in the context's order. A sentence that the
// context repeats is given once.
func (c *Context) Nearest(claim string, n int) []Piece {
	wanted := slices.Sorted(maps.Keys(termsOf(claim))) // a sum in another order may differ in its last digit
	scores := make([]float64, len(c.pieces))
	order := make([]int, len(c.pieces))
	for i := range c.pieces {
		order[i] = i
		for _, t := range wanted {
			if c.terms[i][t] {
				scores[i] += c.weight[t]
			}
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	var nearest []Piece
	seen := map[string]bool{}
	for _, i := range order {
		if len(nearest) == n {
			break
		}
		if p := c.pieces[i]; !seen[p.Text] {
			nearest, seen[p.Text] = append(nearest, p), true
		}
	}
	return nearest
}

// Around gives the given pieces with the sentence before and the sentence
// after each, in the context's order: a text for each stretch that hangs
// together, under the title or table header that it needs.
func (c *Context) Around(pieces []Piece) []string {
	keep := make([]bool, len(c.pieces))
	for _, p := range pieces {
		for i := p.from - 1; i <= p.to; i++ {
			if i >= 0 && i < len(keep) && c.pieces[i].Passage == p.Passage {
				keep[i] = true
			}
		}
	}
	var around []string
	for from := 0; from < len(keep); {
		if !keep[from] {
			from++
			continue
		}
		to := from + 1
		for to < len(keep) && keep[to] && c.pieces[to].Passage == c.pieces[from].Passage {
			to++
		}
		around = append(around, c.stretch(from, to))
		from = to
	}
	return around
}

// Stretch gives the context's sentences from from to to as they stand, a text
// for each passage, under the title or table header that it needs.
func (c *Context) Stretch(from, to int) []string {
	var list []string
	for from < to {
		end := from + 1
		for end < to && c.pieces[end].Passage == c.pieces[from].Passage {
			end++
		}
		list = append(list, c.stretch(from, end))
		from = end
	}
	return list
}

// At is the context's sentence i, from 0.
func (c *Context) At(i int) Piece { return c.pieces[i] }

func (c *Context) stretch(from, to int) string {
	var b strings.Builder
	for _, lead := range c.leads[from] {
		b.WriteString(c.pieces[lead].Text + "\n")
		if lead+1 < len(c.pieces) && ruler.MatchString(c.pieces[lead+1].Text) && lead+1 < from {
			b.WriteString(c.pieces[lead+1].Text + "\n")
		}
	}
	b.WriteString(c.joined(from, to).Text)
	return b.String()
}
