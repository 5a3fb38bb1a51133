package scorer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// settle holds a judge's claims to the output. A claim that strays from its
// sentence is replaced by the sentence; a sentence that no claim carries, or
// one with a number or name that none of its claims carries, is a claim
// itself; where the claims lost a "not" it takes their place. So nothing that
// the output states goes unjudged. The claims come
// out in the output's order, numbered from 1.
func settle(claims []Claim, list []sentence, question, output string) (settled, replaced []Claim) {
	said := newSource(output + "\n" + question)
	for _, s := range list {
		var own []Claim
		whole := false // the sentence itself must be judged
		for _, c := range claims {
			if c.Sentence != s.Number {
				continue
			}
			if sameWords(c.Text, s.Text) {
				c.Text = fence.Line(s.Text)
			}
			switch {
			case said.strays(c.Text, s.Text):
				replaced = append(replaced, c)
				whole = true
			case !slices.ContainsFunc(own, func(o Claim) bool { return within(c, o) }):
				own = slices.DeleteFunc(own, func(o Claim) bool { return within(o, c) })
				own = append(own, c)
			}
		}
		if turned(s.Text, own) {
			replaced, own = append(replaced, own...), nil
		}
		if itself := claimOf(s); whole || len(own) == 0 || lacking(s.Text, own) {
			own = append(slices.DeleteFunc(own, func(o Claim) bool { return o.Text == itself.Text }), itself)
		}
		settled = append(settled, own...)
	}
	for i := range settled {
		settled[i].Number = i + 1
	}
	return settled, replaced
}

// sameWords reports whether a claim says its whole sentence: it is then
// judged in the sentence's own words.
func sameWords(claim, sentence string) bool {
	a, b := text.Words(claim), text.Words(sentence)
	return len(a) == len(b) && overlap(a, b) == len(a) && text.SameScript(claim, sentence)
}

// within reports whether the words of a claim stand in another.
func within(c, other Claim) bool { return strings.Contains(text.Fold(other.Text), text.Fold(c.Text)) }

// source is what claims are drawn from: the output and its question.
type source struct {
	facts map[string]bool
	words []string
}

func newSource(s string) source { return source{factsOf(s), text.Words(s)} }

// strays reports whether a claim is not drawn from its sentence: it has a
// number or name that the source lacks or a "not", "only" or "all" that the
// sentence lacks, shares no content word with the sentence, is mostly in
// words that the source lacks or adds several such to all of the sentence, or
// is in another script.
func (s source) strays(claim, sentence string) bool {
	if !text.SameScript(claim, sentence) || !subset(factsOf(claim), s.facts) || !subset(turnsOf(claim), turnsOf(sentence)) {
		return true
	}
	words := text.Words(claim)
	known := overlap(words, s.words)
	return overlap(words, text.Words(sentence)) == 0 || 2*known < len(words) ||
		known+2 <= len(words) && strings.Contains(text.Fold(claim), text.Fold(sentence))
}

// turned reports whether the claims have lost a "not", "only" or "all" of the
// sentence: which of them now says something else cannot be told.
func turned(sentence string, claims []Claim) bool {
	return len(claims) > 0 && !subset(turnsOf(sentence), turnsOf(joined(claims)))
}

// lacking reports whether none of the claims carries a number or name of the
// sentence, or they leave out two of its content words or a third of them.
func lacking(sentence string, claims []Claim) bool {
	all := joined(claims)
	if !subset(factsOf(sentence), factsOf(all)) {
		return true
	}
	words := text.Words(sentence)
	missing := len(words) - overlap(words, text.Words(all))
	return missing >= 2 || missing > 0 && 3*missing >= len(words)
}

func joined(claims []Claim) string {
	var all strings.Builder
	for _, c := range claims {
		all.WriteString(c.Text + "\n")
	}
	return all.String()
}

// overlap counts the words that the other list has too.
func overlap(words, other []string) int {
	n := 0
	for _, w := range words {
		if slices.Contains(other, w) {
			n++
		}
	}
	return n
}

func subset(a, b map[string]bool) bool {
	for x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}

// factsOf is the set of a text's numbers and of the words of its names.
func factsOf(s string) map[string]bool {
	facts := map[string]bool{}
	for _, n := range text.Numbers(s) {
		facts[n] = true
	}
	for _, name := range text.Names(s) {
		for word := range strings.FieldsSeq(name) {
			facts[word] = true
		}
	}
	return facts
}

// turns are small words that turn a statement round or make it stricter. They
// carry no content by themselves, and everything hangs on them.
var turns = map[string]*regexp.Regexp{
	"not":     regexp.MustCompile(`(?i)\b(not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t)\b|[不没未无非]`),
	"only":    regexp.MustCompile(`(?i)\b(only|solely|exclusively|nothing but)\b|[只仅]`),
	"all":     regexp.MustCompile(`(?i)\b(all|every|each|always|everyone|everybody|any)\b|所有|全部|每|任何|总是`),
	"exactly": regexp.MustCompile(`(?i)\b(exactly|precisely)\b|正好|恰好|刚好`),
}

func turnsOf(s string) map[string]bool {
	found := map[string]bool{}
	for name, words := range turns {
		if words.MatchString(s) {
			found[name] = true
		}
	}
	return found
}
