package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Numbers gives the numbers of s in order of appearance, without duplicates,
// in a form in which equal numbers are equal strings: digits without
// separators, a decimal point without trailing zeros, "-" before a negative
// number, "%" after a percentage; a version or address of three parts or more
// is kept whole. "1.5 million" is "1500000", "百分之四十五" is "45%".
//
// Spelled-out numbers up to twelve, ordinals up to twelfth and the number that
// marks an item of a list are no numbers here.
func Numbers(s string) []string {
	var list unique
	for _, n := range numbers(western(s), false) {
		list.add(n.String())
	}
	return list.items
}

// numbers reads the numbers of s, which is western, in order. Small ones are
// spelled-out numbers that say little.
func numbers(s string, small bool) []number {
	var found []number
	for i := 0; i < len(s); {
		n, length := numberAt(s, i)
		if length == 0 {
			i += skip(s, i)
			continue
		}
		if n.value != "" && (small || !n.small) {
			n.start, n.end = i, i+length
			found = append(found, n)
		}
		i += length
	}
	for i, n := range found {
		if i+1 < len(found) && n.open {
			found[i] = n.upTo(found[i+1])
		}
	}
	return found
}

// number is a number as read: a decimal, not yet scaled.
type number struct {
	value   string // "-1.50", or what is to be kept as it is
	zeros   int    // powers of ten by which magnitudes multiply it
	percent bool
	scaled  bool // has a magnitude or percent sign of its own
	open    bool // the start of a range
	small   bool // spelled out, and too common to tell anything

	start, end int
}

// upTo gives n, the start of a range, the magnitude and percent sign of the
// range's end: "10-15%", "2 to 3 million". Not in "2019 to 5 million".
func (n number) upTo(end number) number {
	start, _, _ := strings.Cut(n.value, ".")
	limit, _, _ := strings.Cut(end.value, ".")
	if !n.scaled && len(start) <= len(limit) {
		n.zeros, n.percent = end.zeros, end.percent
	}
	return n
}

func (n number) String() string {
	v := decimal(n.value, n.zeros)
	if n.percent {
		v += "%"
	}
	return v
}

// decimal is the canonical form of value × 10^zeros.
func decimal(value string, zeros int) string {
	if strings.Count(value, ".") > 1 {
		return value
	}
	digits, negative := strings.CutPrefix(value, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if pad := zeros - len(fraction); pad > 0 {
		fraction += strings.Repeat("0", pad)
	}
	whole, fraction = whole+fraction[:zeros], strings.TrimRight(fraction[zeros:], "0")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative && whole != "0" {
		whole = "-" + whole
	}
	return whole
}

// skip is how far to go on from i, where no number starts: over a whole word,
// so that digits in it ("GPT4") are not taken for numbers.
func skip(s string, i int) int {
	r, n := utf8.DecodeRuneInString(s[i:])
	if !isSpelling(r) {
		return n
	}
	for i+n < len(s) {
		r, w := utf8.DecodeRuneInString(s[i+n:])
		if !isSpelling(r) && !unicode.IsDigit(r) {
			break
		}
		n += w
	}
	return n
}

// isSpelling reports whether r is a letter of a script that puts spaces
// between words.
func isSpelling(r rune) bool { return unicode.IsLetter(r) && !isUnspaced(r) || r == '_' }

// numberAt reads the number that starts at s[i]; length 0 means none, a
// number without a value something to be passed over.
func numberAt(s string, i int) (n number, length int) {
	rest := s[i:]
	if i == 0 || s[i-1] == '\n' {
		if m := itemNumber.FindString(rest[:min(len(rest), window)]); m != "" {
			return number{}, len(m)
		}
	}
	switch r, _ := utf8.DecodeRuneInString(rest); {
	case r >= '0' && r <= '9', r == '.' && len(rest) > 1 && isDigit(rest[1]) && (i == 0 || !isDigit(s[i-1])):
		n, length = digitsAt(s, i)
	case r == 'v' && version.MatchString(headOf(rest)) && !afterLetter(s, i):
		m := version.FindString(headOf(rest))
		return number{value: m[1:]}, len(m)
	case isSpelling(r) && r < utf8.RuneSelf:
		n, length = spelledAt(s, i)
	case isNumeral(r) || r == '百':
		n, length = numeralsAt(s, i)
	}
	if length == 0 || n.value == "" || n.small {
		return n, length
	}
	length += n.scale(s[i+length:], isMoney(s[:i]))
	length += n.addHan(s[i+length:])
	if i+length < len(s) && strings.IndexByte(",.;:!?)\n", s[i+length]) < 0 {
		n.open = rangeSign.MatchString(headOf(s[i+length:]))
	}
	return n, length
}

var (
	// itemNumber is the number of a list's item at the start of a line.
	itemNumber = regexp.MustCompile(`^\s*(?:[#>*+-]+\s+)*(?:\*\*)?(?:\d{1,3}[.)]\s+|\(\d{1,3}\)\s*|\d{1,3}、)\S`)
	version    = regexp.MustCompile(`^v\d+(?:\.\d+)+`)
	rangeSign  = regexp.MustCompile(`^(?:\s?[-–—~～]\s?|\s?(?:至|到)\s?|\sto\s)[$€£¥]?\d`)
)

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func afterLetter(s string, i int) bool { return i > 0 && isSpelling(lastRune(s[:i])) }
