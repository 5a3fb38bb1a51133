package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	grouped = regexp.MustCompile(`^\d{1,3}(?:(?:,\d{3})+|(?:,\d{2})+,\d{3}|(?:['’]\d{3})+|(?:[ \x{A0}\x{202F}\x{2009}]\d{3})+)(?:\.\d+)?`)
	dotted  = regexp.MustCompile(`^\d{1,3}\.\d{3}\.\d{3}`) // thousands, in much of Europe
)

// digitsAt reads a number written in digits, and its sign before it.
func digitsAt(s string, i int) (number, int) {
	plainEnd := i
	for plainEnd < len(s) && (isDigit(s[plainEnd]) || s[plainEnd] == '.' && plainEnd+1 < len(s) && isDigit(s[plainEnd+1])) {
		plainEnd++
	}
	end, value := plainEnd, s[i:plainEnd]
	if m := grouped.FindString(headOf(s[i:])); len(m) > end-i && (i+len(m) == len(s) || !isDigit(s[i+len(m)])) {
		end, value = i+len(m), strings.Map(digitOrPoint, m)
	} else if m := dotted.FindString(value); m != "" && m == value {
		value = strings.ReplaceAll(value, ".", "")
	}
	if value[0] == '.' {
		value = "0" + value
	}
	if isNegative(s[:i]) {
		value = "-" + value
	}
	return number{value: value}, end - i
}

func digitOrPoint(r rune) rune {
	if r >= '0' && r <= '9' || r == '.' {
		return r
	}
	return -1
}

// isNegative reports whether a minus sign or a word for it ends before, the
// text before a number.
func isNegative(before string) bool {
	before = before[max(0, len(before)-16):]
	trimmed := strings.TrimRight(before, "$€£¥")
	if sign, ok := strings.CutSuffix(trimmed, "-"); ok {
		at := lastRune(strings.TrimRightFunc(sign, unicode.IsSpace))
		apart := sign == "" || unicode.IsSpace(lastRune(sign)) || strings.ContainsRune("(（[“\"'：:=,，、", lastRune(sign)) || isUnspaced(lastRune(sign))
		return apart && !unicode.IsDigit(at)
	}
	word := strings.ToLower(strings.TrimRight(before, " "))
	return strings.HasSuffix(word, " minus") || word == "minus" || strings.HasSuffix(word, "零下") || hasSuffix(word, "负")
}

// western writes digits, signs and letters of other widths and scripts as
// ASCII has them.
func western(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '−' || r == '﹣':
			return '-'
		case r == '\u3000':
			return ' '
		case unicode.IsDigit(r):
			for _, zero := range "٠۰०০๐" {
				if r >= zero && r <= zero+9 {
					return r - zero + '0'
				}
			}
		}
		return r
	}, s)
}
