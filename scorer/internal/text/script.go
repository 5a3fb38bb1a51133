package text

import "unicode"

// scripts are the kinds of writing that share no words with each other. A
// character of the first two says about as much as three letters.
var scripts = []struct {
	tables []*unicode.RangeTable
	weight int
}{
	{[]*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo}, 3},
	{[]*unicode.RangeTable{unicode.Hangul}, 3},
	{[]*unicode.RangeTable{unicode.Latin}, 1},
	{[]*unicode.RangeTable{unicode.Cyrillic}, 1},
	{[]*unicode.RangeTable{unicode.Greek}, 1},
	{[]*unicode.RangeTable{unicode.Arabic}, 1},
	{[]*unicode.RangeTable{unicode.Hebrew}, 1},
	{[]*unicode.RangeTable{unicode.Devanagari}, 1},
	{[]*unicode.RangeTable{unicode.Thai}, 1},
}

// SameScript reports whether the words of a and b can be compared: it is
// false where each is mostly written in another script. A text without
// letters can be compared with any.
func SameScript(a, b string) bool {
	x, y := Script(a), Script(b)
	return x < 0 || y < 0 || x == y
}

// Script tells texts of different scripts apart: it is a number for the script
// that most of s is written in, -1 without letters.
func Script(s string) int {
	counts := make([]int, len(scripts)+1) // the last: all others
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if r < 0x80 {
			counts[2]++
			continue
		}
		counts[indexOf(r)] += weightOf(indexOf(r))
	}
	best := -1
	for i, n := range counts {
		if n > 0 && (best < 0 || n > counts[best]) {
			best = i
		}
	}
	return best
}

func indexOf(r rune) int {
	for i, s := range scripts {
		if unicode.In(r, s.tables...) {
			return i
		}
	}
	return len(scripts)
}

func weightOf(i int) int {
	if i < len(scripts) {
		return scripts[i].weight
	}
	return 1
}
