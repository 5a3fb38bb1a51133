package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// window is how far code looks around a place in a text, in bytes: what takes
// longer to tell is not told, so that any text takes time in proportion.
const window = 128

// tailOf and headOf are the end and the start of s; they may cut a character.
func tailOf(s string) string { return s[max(0, len(s)-window):] }
func headOf(s string) string { return s[:min(len(s), window)] }

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func endsInSpace(s string) bool { return unicode.IsSpace(lastRune(s)) }

// lastField is the last run of s without white space.
func lastField(s string) string {
	return s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
}

// lastWord is the run of letters that s ends in.
func lastWord(s string) string {
	at := len(s)
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:at])
		if !unicode.IsLetter(r) || len(s)-at > window {
			break
		}
		at -= n
	}
	return s[at:]
}

// wordLen is the length of the run of letters that s starts with.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if n < 0 {
		return len(s)
	}
	return n
}
