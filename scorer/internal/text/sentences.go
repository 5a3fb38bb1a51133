// Package text holds what code can tell about a text in English or Chinese
// without a model: its sentences, numbers, names and content words. Texts in
// other languages get less, never an error.
package text

import (
	"strings"
	"unicode"
)

// Sentence is a sentence of a text: Text == s[Start:End], trimmed of white
// space and never empty.
type Sentence struct {
	Text       string
	Start, End int // byte offsets in the text
}

// Sentences splits s. Together the sentences hold all of s but white space,
// in order. A line of a list, table or code block and a heading end where the
// line ends; wrapped prose runs on. A list marker belongs to the sentence it
// introduces.
func Sentences(s string) []Sentence {
	var list []Sentence
	add := func(start, end int) {
		part := strings.TrimRightFunc(s[start:end], unicode.IsSpace)
		end = start + len(part)
		part = strings.TrimLeftFunc(part, unicode.IsSpace)
		if part != "" {
			list = append(list, Sentence{part, end - len(part), end})
		}
	}
	for _, b := range withoutTags(s, blocks(s)) {
		from := b.start
		if b.prose {
			said := b.start + strings.LastIndexFunc(s[b.start:b.end], isSaid)
			for _, at := range breaks(s[b.start:b.end]) {
				if b.start+at > said {
					break // signs alone, as "🎉", belong to what they follow
				}
				add(from, b.start+at)
				from = b.start + at
			}
		}
		add(from, b.end)
	}
	return list
}

func isSaid(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
