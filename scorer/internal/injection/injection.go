// Package injection finds text that speaks to a model instead of its reader:
// orders to ignore instructions or to call claims supported, fake turns,
// verdicts and fences, chat-template tokens; plain, disguised, or encoded.
// Such text is data that was made to be more, so a judge is not shown it.
//
// It knows the usual forms in English and Chinese. A text that is worded
// otherwise passes: then a judge that obeys it still needs a quote that the
// context has.
package injection

import (
	"encoding/json"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// Span is a half-open range of byte offsets.
type Span struct{ Start, End int }

// Poses reports whether a sentence speaks to a model.
func Poses(sentence string) bool {
	if !hinted(sentence) {
		return false
	}
	forms := []string{plain(sentence)}
	if mixed.MatchString(forms[0]) {
		forms = append(forms, figures.Replace(forms[0]))
	}
	for _, hidden := range encoded(sentence) {
		forms = append(forms, plain(hidden))
	}
	for _, s := range forms {
		for _, order := range orders {
			if order.matches(s) {
				return true
			}
		}
	}
	return false
}

// Find gives the stretches of a text that speak to a model, in order: whole
// sentences, all of a fake turn, and what follows in the same paragraph with a
// word about judging.
func Find(s string) []Span {
	if !hinted(s) {
		return nil
	}
	if isJSON(s) && record.MatchString(plain(s)) {
		return []Span{{0, len(s)}}
	}
	var found []Span
	paragraph, tainted, turn := 0, false, false
	for _, u := range units(s) {
		said := s[u.Start:u.End]
		if strings.Contains(s[paragraph:u.Start], "\n\n") {
			paragraph, tainted, turn = u.Start, false, false
		}
		if turnEnds.MatchString(plain(said)) && turn {
			found, turn = append(found, u), false
			continue
		}
		poses := Poses(said)
		turn = turn || poses && turnStarts.MatchString(plain(said)) && !turnEnds.MatchString(afterTurn(plain(said)))
		tainted = tainted || poses
		if poses || turn || tainted && judging.MatchString(plain(said)) {
			found = append(found, u)
		}
	}
	return found
}

// afterTurn is what follows the token that a fake turn starts with.
func afterTurn(s string) string {
	at := turnStarts.FindStringIndex(s)
	return s[at[1]:]
}

// Blank overwrites stretches of a text with spaces, so that the offsets of
// what is left stay as they were.
func Blank(s string, stretches []Span) string {
	if len(stretches) == 0 {
		return s
	}
	b := []byte(s)
	for _, at := range stretches {
		for i := at.Start; i < at.End; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// Rules reports whether a text gives a verdict on claims, which claim does
// not: it is then no evidence, whatever it says of the claim.
func Rules(s, claim string) bool {
	return hinted(s) && ruling.MatchString(plain(s)) && !ruling.MatchString(plain(claim))
}

// units are the sentences of a text; in JSON those of each string, so that
// the members beside it stay.
func units(s string) []Span {
	var list []Span
	for _, part := range literals(s) {
		for _, sentence := range text.Sentences(s[part.Start:part.End]) {
			list = append(list, Span{part.Start + sentence.Start, part.Start + sentence.End})
		}
	}
	return list
}

// literals are the string literals of a JSON text, or all of another text.
func literals(s string) []Span {
	if !isJSON(s) {
		return []Span{{0, len(s)}}
	}
	var list []Span
	from := -1 // of the literal that is open
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && from >= 0:
			i++
		case s[i] == '"' && from >= 0:
			list, from = append(list, Span{from, i}), -1
		case s[i] == '"':
			from = i + 1
		}
	}
	return list
}

func isJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}
