package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// breaks gives the byte offsets inside a block of prose where a sentence
// ends and another starts: those of Unicode's rules, corrected.
func breaks(s string) []int {
	var list []int
	last := markerLen(s) // no break inside the marker
	from := last
	code := inlineCode.FindAllStringIndex(s, -1)
	inCode := func(at int) bool {
		for len(code) > 0 && code[0][1] <= at {
			code = code[1:]
		}
		return len(code) > 0 && code[0][0] < at
	}
	for _, chunk := range chunks(plain(s[from:])) {
		it := sentences.FromString(chunk)
		for it.Next() {
			for _, at := range lowerBreaks(s, from, from+len(it.Value())) {
				if !inCode(at) {
					list, last = append(list, at), at
				}
			}
			from += len(it.Value())
			if at := moved(s, last, from); at > last && at < len(s) && !inCode(at) && ends(s, last, at) {
				list, last = append(list, at), at
			}
		}
	}
	return list
}

// inlineCode is code in a line of prose.
var inlineCode = regexp.MustCompile("`[^`\n]{1,200}`")

// plain makes s of the same length fit for Unicode's rules: wrapped lines
// become one, bytes that are no UTF-8 become a control character, and an
// ellipsis before a space is three full stops.
func plain(s string) string {
	if utf8.ValidString(s) && !strings.ContainsAny(s, "\n\r\v\f\u0085\u2028\u2029…") {
		return s
	}
	b := []byte(s)
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b[i] = 0x1a
		case r < ' ':
			b[i] = ' '
		case r == '…' && strings.HasPrefix(s[i:], "… "):
			copy(b[i:], "...")
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			copy(b[i:], "   "[:utf8.RuneLen(r)])
		}
	}
	return string(b)
}

// maxGap is how long a run of spaces and signs Unicode's rules are shown:
// they look ahead over a run from each place in it.
const maxGap = 64

// chunks cuts s inside long runs without a letter or digit.
func chunks(s string) []string {
	var list []string
	from, gap := 0, 0
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			gap = i + utf8.RuneLen(r)
		} else if i-max(gap, from) > maxGap {
			list = append(list, s[from:i])
			from = i
		}
	}
	return append(list, s[from:])
}

// moved gives the place of the break at or near at: closing signs and note
// numbers stay with the sentence before, opening signs go with the one after.
func moved(s string, last, at int) int {
	for floor := max(last, at-window); at > floor; {
		r, n := utf8.DecodeLastRuneInString(s[floor:at])
		if !unicode.In(r, unicode.Ps, unicode.Pi) {
			break
		}
		at -= n
	}
	rest := s[at:]
	if at > last {
		rest = rest[closing(rest):]
	}
	if at > last && !endsInSpace(s[:at]) {
		tail := rest[signs(rest):]
		if next, _ := utf8.DecodeRuneInString(tail); len(tail) < len(rest) && (tail == "" || unicode.IsSpace(next) || isWide(next)) {
			rest = tail
		}
		for {
			n := noteLen(rest)
			if n == 0 {
				break
			}
			rest = rest[n:]
		}
	}
	return len(s) - len(rest)
}

// closing is how much of what s starts with closes a quotation that ends in a
// space: « C'est gratuit. »
func closing(s string) int {
	head := headOf(s)
	rest := strings.TrimLeft(head, "»”）」』】》〉")
	if len(rest) == len(head) {
		return 0
	}
	return len(head) - len(strings.TrimLeft(rest, " "))
}

// signs is how many signs of emphasis s starts with, up to the window.
func signs(s string) int {
	head := headOf(s)
	return len(head) - len(strings.TrimLeft(head, "*_`~"))
}

// noteLen is the length of a note's mark such as ¹, [1], [^2] or 【3】.
func noteLen(s string) int {
	if r, n := utf8.DecodeRuneInString(s); n > 0 && strings.ContainsRune(superscripts, r) {
		return n
	}
	for _, b := range [][2]string{{"[", "]"}, {"【", "】"}} {
		if inner, ok := strings.CutPrefix(s, b[0]); ok {
			end := strings.Index(inner[:min(len(inner), 16)], b[1])
			if end > 0 && strings.Trim(inner[:end], "0123456789^,- ") == "" {
				return len(b[0]) + end + len(b[1])
			}
		}
	}
	return 0
}
