package facts

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// quantity is a number with all that tells what it may equal.
type quantity struct {
	text     string
	value    string    // canonical, for what is no number: a version, an address
	readings []float64 // what it may stand for, the plain one first
	step     float64   // the weight of its last stated digit
	percent  bool
	small    bool
	dated    bool // a part of a date in digits
	day      bool // of a month
	unit     unit
	bound    bound
	span     float64 // of a decade or century: how many years it covers
}

// bound is what a word before a number makes of it.
type bound int

const (
	plain   bound = iota
	about         // 5% to either side
	over          // up to a quarter more
	nearly        // down to a fifth less
	exactly       // to the last digit, whatever the precision
)

var bounds = []struct {
	is     bound
	before *regexp.Regexp
	after  *regexp.Regexp
}{
	{exactly, regexp.MustCompile(`(?:\b(?:exactly|precisely)|正好|恰好|刚好|整整)\s*[$€£¥￥]?$`), regexp.MustCompile(`^ ?(?:整|exactly\b)`)},
	{over, regexp.MustCompile(`(?:\b(?:over|above|exceed(?:s|ed|ing)?|beyond|upwards? of|at least|no (?:less|fewer) than|more than|minimum of|a good)|超过?|逾|高于|多于|至少|不少于|不低于|突破|大于)\s*[$€£¥￥]?$`),
		regexp.MustCompile(`^ ?(?:余|多[^少]|以上|\+|or more\b|plus\b|and (?:above|over|more|up)\b)`)},
	{nearly, regexp.MustCompile(`(?:\b(?:nearly|almost|under|below|up to|less than|fewer than|at most|no more than|not more than|just shy of|close to|maximum of)|近|将近|接近|不到|不足|低于|少于|至多|最多|不超过|不多于)\s*[$€£¥￥]?$`),
		regexp.MustCompile(`^ ?(?:以下|以内|or (?:less|fewer)\b)`)},
	{about, regexp.MustCompile(`(?:\b(?:about|around|approximately|approx\.?|roughly|circa|ca?\.|some|an estimated|estimated(?: at)?|or so)|~|≈|约|大约|大概|约为|估计|左右)\s*[$€£¥￥]?$`),
		regexp.MustCompile(`^ ?(?:左右|上下|前后|or so\b|-?ish\b|or thereabouts\b)`)},
}

var (
	clockTime  = regexp.MustCompile(`^(?::\d\d)?\s?p\.?m\b`)
	groupAfter = regexp.MustCompile(`^, (\d{3})\b`)
	decade     = regexp.MustCompile(`^(?:['’]?s\b|年代)`)
	century    = regexp.MustCompile(`^(?:st|nd|rd|th)?[- ]?century|^ ?世纪`)
	thousands  = regexp.MustCompile(`^\d{1,3}\.\d{3}$`)
	metres     = regexp.MustCompile(`^m\b`)
	decimals   = regexp.MustCompile(`^,(\d{1,2})\b`)
	tenthAfter = regexp.MustCompile(`^(?:成(?:[^立为功员本果绩分]|$)|折)`)
	isNumeric  = regexp.MustCompile(`^[\d.,]+$`)
)

// claimed reads the numbers of a claim, with the words that bound them.
func claimed(claim string) []quantity {
	list, figures := quantitiesOf(claim)
	for i, f := range figures {
		for _, b := range bounds {
			if b.before.MatchString(strings.TrimSuffix(f.Before, " ")) || b.after.MatchString(f.After) {
				list[i].bound = b.is
				break
			}
		}
	}
	return list
}

// stated reads the numbers of a source, and what it says in words: "half", "a
// dozen", "a week", 三成.
func stated(source string) []quantity {
	list, _ := quantitiesOf(source)
	type key struct {
		text  string
		small bool
		dated bool
		unit  unit
		most  float64
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(append(list, worded(source)...), func(q quantity) bool {
		k := key{q.text, q.small, q.dated, q.unit, 0}
		if len(q.readings) > 0 {
			k.most = slices.Max(q.readings)
		}
		again := seen[k]
		seen[k] = true
		return again
	})
}

// quantitiesOf gives a quantity for each figure of s.
func quantitiesOf(s string) (list []quantity, figures []text.Figure) {
	figures = text.Figures(s)
	for i, f := range figures {
		q := quantity{text: f.Text, value: f.Value, percent: f.Percent, small: f.Small, dated: isDated(f), day: isDay(f), step: math.Pow10(f.Step), unit: unitOf(f)}
		if v, ok := f.Float(); ok {
			q.readings = append(q.readings, v)
			q.addReadings(f, v)
			if i > 0 && figures[i-1].Opens && !q.dated {
				q.addShort(figures[i-1], f)
			}
		}
		switch m := tenthAfter.FindString(f.After); {
		case strings.HasPrefix(m, "成") && len(q.readings) > 0:
			q.text, q.readings, q.percent = q.text+"成", []float64{10 * q.readings[0]}, true
		case m != "", len(q.readings) > 0 && q.readings[0] <= 12 && !q.percent && !hasDigit(f.Text):
			q.small = true // 三个人, 八折: worded says what else it is
		}
		list = append(list, q)
	}
	return list, figures
}

// addReadings adds what else a figure may stand for.
func (q *quantity) addReadings(f text.Figure, v float64) {
	switch {
	case clockTime.MatchString(f.After) && v < 12:
		q.readings = append(q.readings, v+12)
	case thousands.MatchString(f.Text):
		q.readings = append(q.readings, v*1000) // 12.345 in much of Europe
	case metres.MatchString(f.After):
		q.readings = append(q.readings, v*1e6) // 5.68m: metres or millions
	case decade.MatchString(f.After) && math.Mod(v, 10) == 0:
		q.span = 10
		if v < 100 {
			q.readings = append(q.readings, 1900+v, 2000+v)
		}
	case century.MatchString(f.After) && v > 0 && v < 30:
		q.readings, q.span = append(q.readings, (v-1)*100+1), 100
	}
	if m := groupAfter.FindStringSubmatch(f.After); m != nil && v < 1000 && isNumeric.MatchString(f.Text) {
		q.readings = append(q.readings, v*1000+number(m[1])) // "3, 400"
	}
	if m := decimals.FindStringSubmatch(f.After); m != nil && isNumeric.MatchString(f.Text) {
		q.readings = append(q.readings, v+number(m[1])/math.Pow10(len(m[1]))) // 1,5
	}
}

// addShort reads the end of a short range as its start begins: 14 of 2011–14.
func (q *quantity) addShort(start, end text.Figure) {
	if cut := len(start.Value) - len(end.Value); cut > 0 && isNumeric.MatchString(end.Text) {
		q.readings = append(q.readings, number(start.Value[:cut]+end.Value))
	}
}

// fits reports whether own, a quantity of a source, bears q out.
func (q quantity) fits(own quantity) bool {
	if len(q.readings) == 0 || len(own.readings) == 0 {
		return q.value == own.value
	}
	for _, a := range q.readings {
		for _, b := range own.readings {
			converted, alike := own.unit.to(q.unit, b)
			switch {
			case !alike:
				continue
			case q.percent && !own.percent: // a table's 45.1, under a header with the sign; or 0.45
				if own.unit.kind == "" && (q.near(a, 100*b, false) || (b >= 10 || own.step < 1) && q.near(a, b, false)) {
					return true
				}
				continue
			case !q.percent && own.percent && !own.small:
				continue
			}
			if q.near(a, converted, converted != b) {
				return true
			}
		}
	}
	return false
}

func (q quantity) near(a, b float64, converted bool) bool {
	a, b = math.Abs(a), math.Abs(b) // "fell by 3" states −3
	const exact = 1e-9
	switch low, high := a*(1-exact), a*(1+exact); {
	case b >= low && b <= high:
		return true
	case q.bound == exactly:
		return false
	case q.span > 0 && a > 100 && b >= a && b < a+q.span:
		return true
	case q.bound == about:
		return b >= .95*a && b <= 1.05*a
	case q.bound == over:
		return b >= low && b <= 1.25*a
	case q.bound == nearly:
		return b >= .8*a && b <= high
	case converted && math.Abs(a-b) <= .01*a:
		return true
	}
	return math.Abs(a-b) <= q.step/2*(1+exact) // at the precision that it is stated with
}

// isPrecise reports whether a number is hardly right by chance.
func (q quantity) isPrecise() bool {
	return q.percent || q.day || len(q.readings) == 0 || q.step < 1 || math.Abs(q.readings[0]) >= 100 && q.span == 0
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
