package text

import (
	"strconv"
	"strings"
)

// Figure is a number as a text states it.
type Figure struct {
	// Value is the number in the form that Numbers gives, without "%".
	Value   string
	Percent bool
	// Step is the power of ten of the last digit that is stated: 5 of "1.5
	// million", 0 of "14", -2 of "3.50".
	Step int
	// Small figures are spelled out and say little: "one", "third", 三.
	Small bool
	// Opens says that the next figure ends a range that this one starts.
	Opens bool
	// Text is the figure as it stands, in western digits; Before and After are
	// the 32 bytes around it, in lower case.
	Text, Before, After string
}

// around is how much of the text beside a figure is given, in bytes.
const around = 32

// Figures gives the numbers of s in order, small ones too.
func Figures(s string) []Figure {
	s = western(s)
	var list []Figure
	for _, n := range numbers(s, true) {
		f := Figure{Percent: n.percent, Small: n.small, Opens: n.open, Step: n.zeros}
		f.Value = decimal(n.value, n.zeros)
		if _, fraction, ok := strings.Cut(n.value, "."); ok && strings.Count(n.value, ".") == 1 {
			f.Step -= len(fraction)
		}
		f.Text = s[n.start:n.end]
		f.Before = strings.ToLower(strings.ToValidUTF8(s[max(0, n.start-around):n.start], ""))
		f.After = strings.ToLower(strings.ToValidUTF8(s[n.end:min(len(s), n.end+around)], ""))
		list = append(list, f)
	}
	return list
}

// Float is the value as a number; ok is false for a version or an address.
func (f Figure) Float() (v float64, ok bool) {
	v, err := strconv.ParseFloat(f.Value, 64)
	return v, err == nil && strings.Count(f.Value, ".") <= 1
}
