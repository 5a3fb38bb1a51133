package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// minus is the sign of a negative number in folded text; a hyphen may stand
// between a letter and a digit ("COVID-19") and is dropped there.
const minus = '−'

// Fold reduces s to what a quote must keep: letters and digits in one form
// (NFKC, lower case), and a number's sign, decimal points and percent sign.
// A minus sign becomes U+2212. Fold(Fold(s)) == Fold(s).
func Fold(s string) string {
	folded, _ := FoldMap(s)
	return folded
}

// FoldMap folds s and tells where each byte came from: offsets[i] is the
// offset in s of the character that folded[i] is part of; one more entry,
// the last, is len(s).
func FoldMap(s string) (folded string, offsets []int) {
	chars := normalised(s)
	var b strings.Builder
	b.Grow(len(s))
	offsets = make([]int, 0, len(s)+1)
	kept := ' ' // the last rune kept
	for i, c := range chars {
		r := c.r
		if !isKept(chars, i, kept) {
			continue
		}
		if r == '-' {
			r = minus
		}
		for range utf8.RuneLen(r) {
			offsets = append(offsets, c.offset)
		}
		b.WriteRune(r)
		kept = r
	}
	return b.String(), append(offsets, len(s))
}

type char struct {
	r      rune
	offset int
}

// normalised is s in NFKC and lower case, each rune with the offset in s of
// the character that it comes from.
func normalised(s string) []char {
	chars := make([]char, 0, len(s))
	for i := 0; i < len(s); {
		n := 1
		if s[i] >= utf8.RuneSelf || i+1 < len(s) && s[i+1] >= utf8.RuneSelf {
			n = max(1, norm.NFKC.NextBoundaryInString(s[i:], true))
		}
		if s[i] < utf8.RuneSelf && n == 1 {
			chars = append(chars, char{unicode.ToLower(rune(s[i])), i})
			i++
			continue
		}
		for _, r := range norm.NFKC.String(strings.ToLower(norm.NFKC.String(s[i : i+n]))) {
			chars = append(chars, char{r, i})
		}
		i += n
	}
	return chars
}

// isKept reports whether chars[i] is part of folded text; kept is the last
// rune that was. What it keeps it must keep in folded text too, where nothing
// stands between what was kept.
func isKept(chars []char, i int, kept rune) bool {
	next, before := ' ', ' '
	if i+1 < len(chars) {
		next = chars[i+1].r
	}
	if i > 0 {
		before = chars[i-1].r
	}
	switch r := chars[i].r; r {
	case '.':
		return unicode.IsNumber(before) && unicode.IsNumber(next)
	case '%':
		return unicode.IsNumber(kept)
	case minus:
		return unicode.IsNumber(next)
	case '-':
		return unicode.IsNumber(next) && before != '%' && !unicode.IsNumber(before) && !unicode.IsLetter(before)
	case '+':
		return unicode.IsNumber(next) && kept != '%' && !unicode.IsNumber(kept)
	default:
		isJamo := r >= 0x1100 && r <= 0x11FF // letters that would join into one
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)) && !isJamo
	}
}
