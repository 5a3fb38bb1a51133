package facts

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// names reports whether the source has a name, as text.Names gives it: each of
// its words in one form or another, or its initials.
func (s *Source) names(name string) bool {
	words := strings.Fields(name)
	initials := ""
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		initials += string(r)
	}
	if len(words) > 1 && (s.acronyms[initials] || s.has(name)) {
		return true
	}
	for _, w := range words {
		if !s.hasWord(w) {
			return false
		}
	}
	return true
}

// hasWord reports whether the source has a word of a name: with or without
// accents, plural and possessive endings, as a part of a longer word, as a
// people's name of a country's or the other way round, or as an acronym.
func (s *Source) hasWord(w string) bool {
	if utf8.RuneCountInString(w) == 1 { // an initial
		return true
	}
	parts := text.Words(w)
	if _, isUnit := units[w]; isUnit || len(parts) == 0 || s.allOf(parts) || s.has(w) || s.acronyms[w] || s.datesName(w) {
		return true
	}
	if list := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("-‑/&'’.", r) }); len(list) > 1 {
		for _, part := range list {
			if !s.hasWord(part) {
				return false
			}
		}
		return true
	}
	for _, same := range alike {
		if same[w] {
			for other := range same {
				if s.words[other] || s.acronyms[other] || strings.Contains(other, " ") && s.has(other) {
					return true
				}
			}
		}
	}
	return s.hasKin(w)
}

func (s *Source) allOf(words []string) bool {
	for _, w := range words {
		if !s.words[w] {
			return false
		}
	}
	return true
}

// has reports whether the source has s, of three letters or more, as it
// stands, whatever its case, spaces and signs.
func (s *Source) has(name string) bool {
	q := text.Fold(name)
	if utf8.RuneCountInString(q) < 3 && isASCII(q) {
		return false
	}
	for _, folded := range s.folded {
		if strings.Contains(folded, q) {
			return true
		}
	}
	return false
}

func isASCII(s string) bool { return len(s) == utf8.RuneCountInString(s) }

// hasKin reports whether the source has a word that begins like w and differs
// in its ending only: Canada, Canadian.
func (s *Source) hasKin(w string) bool {
	const stem, most = 4, 4
	if len(w) < stem+1 {
		return false
	}
	for own := range s.words {
		n := 0
		for n < len(w) && n < len(own) && w[n] == own[n] {
			n++
		}
		if n >= stem && len(w)-n <= most && len(own)-n <= most && 5*n >= 3*min(len(w), len(own)) && endings[w[n:]] && endings[own[n:]] {
			return true
		}
	}
	return false
}

var endings = set(` a e o y s es n an ian ean in ine ish ese i ic ist ists ism er ers or al ar an's ans ians ia ica land lands man men ly ed ing tion`)

func set(list string) map[string]bool {
	m := map[string]bool{"": true}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// alike are names for one thing that share no beginning.
var alike = []map[string]bool{
	group("us", "usa", "u.s", "u.s.a", "america", "american", "americans", "united states"), group("uk", "britain", "british", "briton", "united kingdom"),
	group("eu", "european union"), group("un", "united nations"), group("uae", "emirati", "united arab emirates"),
	group("france", "french"), group("spain", "spanish"), group("netherlands", "dutch", "holland"), group("denmark", "danish", "dane"), group("wales", "welsh"),
	group("scotland", "scottish", "scots"), group("england", "english"), group("ireland", "irish"), group("greece", "greek"), group("turkey", "turkish"), group("poland", "polish"),
	group("switzerland", "swiss"), group("sweden", "swedish"), group("finland", "finnish"), group("germany", "german", "deutschland"), group("portugal", "portuguese"),
	group("philippines", "filipino"), group("thailand", "thai"), group("czechia", "czech"), group("ussr", "soviet"), group("iceland", "icelandic"), group("hungary", "hungarian"),
}

func group(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
		for _, w := range text.Words(n) { // as sources hold it
			if !strings.Contains(n, " ") {
				m[w] = true
			}
		}
	}
	return m
}

var capitals = regexp.MustCompile(`\p{Lu}[\p{L}'’.-]*(?:[ -](?:(?:of|the|and|for|de|la|du|und|&) )*\p{Lu}[\p{L}'’.-]*)+`)

// acronymsOf gives what the capitalised runs of s may be shortened to, and
// the words of its names, acronyms without dots.
func acronymsOf(s string) []string {
	var list []string
	for _, run := range capitals.FindAllString(s, -1) {
		var letters []rune
		for word := range strings.FieldsFuncSeq(run, func(r rune) bool { return r == ' ' || r == '-' }) {
			if r, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(r) {
				letters = append(letters, unicode.ToLower(r))
			}
		}
		for from := range letters {
			for to := from + 2; to <= len(letters) && to-from <= 6; to++ {
				list = append(list, string(letters[from:to]))
			}
		}
	}
	for _, name := range text.Names(s) {
		for word := range strings.FieldsSeq(name) {
			list = append(list, word, strings.ReplaceAll(word, ".", ""))
		}
	}
	return list
}

// asWritten is a name as it stands in s.
func asWritten(name, s string) string {
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	form, err := regexp.Compile(`(?i)` + strings.Join(words, `[\s.]+`))
	if err == nil {
		if found := form.FindString(s); found != "" {
			return found
		}
	}
	return name
}

// core is a name without the common words that are joined to it: ai of
// AI-driven.
func core(name, written string) string {
	was, is := strings.Fields(written), strings.Fields(name)
	if written == name || len(was) != len(is) || !strings.Contains(written, "-") {
		return name
	}
	for i, w := range was {
		var kept []string
		for part := range strings.SplitSeq(w, "-") {
			if strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLower(r) }) {
				kept = append(kept, part)
			}
		}
		if len(kept) > 0 {
			is[i] = strings.ToLower(strings.Join(kept, "-"))
		}
	}
	return strings.Join(is, " ")
}
