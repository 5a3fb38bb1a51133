package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// stopWords say nothing by themselves.
var stopWords = set(`a an the and or but nor so if of in on at by to for from with without into onto than then that this these those there here
	it its itself he him his she her hers they them their theirs we us our ours you your yours i me my mine myself yourself
	is am are was were be been being do does did doing done have has had having will would shall should can could may might must
	not no as about up down out off over under again also just very too any some all each both either neither such only own same
	what which who whom whose when where why how s t d ll m re ve don doesn didn isn aren wasn weren won wouldn can't`)

// particles are Chinese and Japanese characters that say little by
// themselves; no bigram crosses one.
const particles = "的了是在和与或也都就而且但又及等其之於于被把将对从向以为这那此该们我你他她它您呢吗吧啊呀么着过地得很更最还有会能可请のはがをにでとももへやかねよ"

// Words gives the content words of s, lower-cased and lightly stemmed, without
// stop words; for scripts written without spaces the pairs of neighbouring
// characters; and its numbers in canonical form. In order of appearance,
// numbers last, without duplicates.
func Words(s string) []string {
	var list unique
	for _, token := range tokens(norm.NFKC.String(s)) {
		if isUnspaced([]rune(token)[0]) {
			for _, pair := range pairs(token) {
				list.add(pair)
			}
			continue
		}
		word := strings.ToLower(token)
		if at := strings.IndexAny(word, "'’"); at > 0 {
			word = word[:at]
		}
		if stopWords[word] || len(word) == 1 || isDigit(word[0]) {
			continue
		}
		list.add(stem(bare(word)))
	}
	for _, n := range Numbers(s) {
		list.add(n)
	}
	return list.items
}

// tokens are the runs of letters, digits and marks of s, cut where a script
// without spaces begins or ends. An apostrophe inside a word is part of it.
func tokens(s string) []string {
	var list []string
	from, unspaced := -1, false
	flush := func(at int) {
		if from >= 0 {
			list = append(list, s[from:at])
			from = -1
		}
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '〇':
			if now := isUnspaced(r); from < 0 || now != unspaced {
				flush(i)
				from, unspaced = i, now
			}
		case unicode.IsMark(r) && from >= 0:
		case (r == '\'' || r == '’') && from >= 0 && !unspaced:
		default:
			flush(i)
		}
	}
	flush(len(s))
	return list
}

// isUnspaced reports whether r is of a script that puts no spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs are the pairs of neighbours between particles; a character that
// stands alone between them is kept alone.
func pairs(token string) []string {
	var list []string
	for _, run := range strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune(particles, r) }) {
		chars := []rune(run)
		if len(chars) == 1 {
			list = append(list, run)
		}
		for i := range len(chars) - 1 {
			list = append(list, string(chars[i:i+2]))
		}
	}
	return list
}

// bare takes the accents off a Latin word.
func bare(word string) string {
	if !unicode.Is(unicode.Latin, []rune(word)[0]) || norm.NFD.IsNormalString(word) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

// stem cuts the endings of English plurals and verbs, so that most forms of a
// word meet. What it leaves need not be a word.
func stem(w string) string {
	if len(w) < 3 || w[0] >= 0x80 || strings.ContainsAny(w, "0123456789") {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case hasSuffix(w, "sses", "xes", "zes", "ches", "shes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && len(w) > 3 && !hasSuffix(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	for _, ending := range []string{"ing", "ied", "ed"} {
		base, ok := strings.CutSuffix(w, ending)
		if !ok || len(base) < 2 || !strings.ContainsAny(base, "aeiouy") {
			continue
		}
		switch {
		case ending == "ied":
			return base + "y"
		case base[len(base)-1] == base[len(base)-2] && !strings.ContainsAny(base[len(base)-1:], "lsz"):
			base = base[:len(base)-1]
		}
		w = base
		break
	}
	if len(w) > 2 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func hasSuffix(w string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
