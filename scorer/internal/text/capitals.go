package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	name    kind = iota // a capitalised word
	acronym             // capitals only
	mixed               // inner capitals, or letters and digits
	initial             // a single capital
)

// capital is a word that may be a name or part of one.
type capital struct {
	canonical string
	kind      kind
	starts    bool   // first in its sentence, where any word has a capital
	joins     bool   // continues the name that the word before belongs to
	link      string // what stands between, with a space after each word: "of the "
}

// capitalised finds the words of s that may be names.
func capitalised(s string) []capital {
	var list []capital
	end := -1 // of the last one
	shouts := true
	for _, span := range spans(s) {
		word := s[span[0]:span[1]]
		if strings.ContainsFunc(word, unicode.IsLower) {
			shouts = false
		}
		kind, ok := kindOf(word)
		if !ok {
			continue
		}
		c := capital{canonical: canonicalName(word), kind: kind, starts: startsSentence(s, span)}
		if end >= 0 {
			previous := lastField(tailOf(s[:end]))
			lower := strings.ToLower(previous)
			dotted := list[len(list)-1].kind == initial || titles[lower] || isInitial("", previous) && !entities[lower]
			c.link, c.joins = joint(s[end:span[0]], dotted)
		}
		list, end = append(list, c), span[1]
	}
	if shouts && len(list) > 3 { // ALL OF IT IS IN CAPITALS
		return nil
	}
	return list
}

// spans are the offsets of the words of s that are written with spaces
// between words. Signs inside a word are part of it: O'Neil, AT&T, U.S, Wi-Fi.
func spans(s string) [][2]int {
	var list [][2]int
	from, end := -1, -1 // end: after the last letter or digit
	for i, r := range s {
		switch {
		case (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isUnspaced(r):
			if from < 0 {
				from = i
			}
			end = i + len(string(r))
		case from >= 0 && i == end && strings.ContainsRune("'’&.-_‑", r):
		case from >= 0:
			list, from = append(list, [2]int{from, end}), -1
		}
	}
	if from >= 0 {
		list = append(list, [2]int{from, end})
	}
	return list
}

// kindOf tells what kind of name a word may be.
func kindOf(word string) (kind, bool) {
	word = withoutPossessive(word)
	upper, lower, digits, letters := 0, 0, 0, 0
	first, inner := rune(0), false
	for i, r := range word {
		if i == 0 {
			first = r
		}
		switch {
		case unicode.IsUpper(r):
			upper++
			inner = inner || i > 0
		case unicode.IsLower(r):
			lower++
		case unicode.IsDigit(r):
			digits++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case !unicode.IsLetter(first) || version.MatchString(word) || pronouns[word]:
		return 0, false
	case upper == 1 && letters == 1 && digits == 0:
		return initial, true
	case digits > 0 && (upper > 0 || !strings.ContainsAny(word, "-‑._'’&")):
		return mixed, true
	case upper > 1 && lower == 0:
		return acronym, true
	case inner && !strings.ContainsAny(word, "-‑'’."):
		return mixed, true
	}
	return name, unicode.IsUpper(first) || inner && !strings.Contains(word, ".")
}

var pronouns = set(`I I'm I've I'll I'd I’m I’ve I’ll I’d`)

func withoutPossessive(word string) string {
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}

// canonicalName is the form in which a word of a name is compared.
func canonicalName(word string) string {
	word = strings.ToLower(withoutPossessive(word))
	if parts := strings.Split(word, "."); len(parts) > 1 && len(strings.Join(parts, "")) == len(parts) {
		word = strings.Join(parts, "") // U.S
	}
	return word
}

// startsSentence reports whether the word at span has its capital from where
// it stands.
func startsSentence(s string, span [2]int) bool {
	before := tailOf(s[:span[0]])
	after, _ := utf8.DecodeRuneInString(s[span[1]:])
	if isUnspaced(lastRune(before)) || isUnspaced(after) {
		return false
	}
	trimmed := strings.TrimRight(before, " \t\"'“‘«([{*_`~#>-+•（「『")
	switch last := lastRune(trimmed); {
	case isUnspaced(last): // 苹果公司（Apple）
		return false
	case trimmed == "" || strings.ContainsRune("\n\r!?;。！？；…|", last):
		return true
	case last == ':' || last == '：': // "Answer: Paris" is no start of a sentence
		return goesOn.MatchString(headOf(s[span[1]:]))
	case last == '.':
		return !titles[strings.ToLower(lastField(strings.TrimSuffix(trimmed, ".")))]
	}
	return strings.ContainsAny(before[len(trimmed):], "\"“«([（「『•") // a quotation
}

// goesOn is what follows the first word of a sentence.
var goesOn = regexp.MustCompile(`^['’\w]* \p{Ll}`)
