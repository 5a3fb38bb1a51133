package facts

import (
	"regexp"
	"strings"
	"time"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// date is a date that a source states, or as much of one as it states; what
// is not stated is 0.
type date struct{ year, month, day int }

const months = `(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`

var (
	monthNames  = map[string]int{}
	ymd         = regexp.MustCompile(`\b(\d{4})[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})`)
	dmy         = regexp.MustCompile(`\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b`)
	hanMonth    = regexp.MustCompile(`(\d{1,2}|[一二三四五六七八九十]{1,2})月`)
	named       = regexp.MustCompile(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:[a-z]{0,6})\b\.?(?: (\d{1,2})(?:st|nd|rd|th)?\b)?(?:,? (\d{4})\b)?`)
	numeric     = regexp.MustCompile(`^[-/.]\d|^ ?月`)
	monthBefore = regexp.MustCompile(`(?i)\b` + months + `\.? $`)
	monthAfter  = regexp.MustCompile(`(?i)^(?:st|nd|rd|th)?(?: of)? ` + months + `\b|^ ?[日号]`)
	numericEnd  = regexp.MustCompile(`\d[-/.]$`)
)

func init() {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		monthNames[name], monthNames[name[:3]] = int(m), int(m)
	}
	monthNames["sept"] = 9
}

// datesOf reads the dates of s, in digits, in words and in Chinese.
func datesOf(s string) []date {
	var list []date
	for _, m := range ymd.FindAllStringSubmatch(s, -1) {
		list = append(list, dateOf(m[1], m[2], m[3]))
	}
	for _, m := range dmy.FindAllStringSubmatch(s, -1) { // either order is in use
		list = append(list, dateOf(m[3], m[2], m[1]), dateOf(m[3], m[1], m[2]))
	}
	for _, m := range hanMonth.FindAllStringSubmatch(s, -1) {
		if n := text.Figures(m[0]); len(n) == 1 {
			list = append(list, dateOf("", n[0].Value, ""))
		}
	}
	for _, m := range named.FindAllStringSubmatch(s, -1) {
		d := dateOf(m[4], "", m[1]+m[3])
		if d.month = monthNames[strings.ToLower(m[2])]; d.month > 0 && isMonth(m[0]) {
			list = append(list, d)
		}
	}
	return list
}

// isMonth leaves out words that only begin like a month: "march" is one,
// "market" is none.
func isMonth(found string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(found), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if monthNames[word] > 0 {
			return true
		}
	}
	return false
}

func dateOf(year, month, day string) date {
	part := func(s string) int {
		if v := number(s); s != "" && v == v {
			return int(v)
		}
		return 0
	}
	d := date{part(year), part(month), part(day)}
	if d.month > 12 {
		d.month = 0
	}
	return d
}

// days counts the days of a date from a fixed one; of what is not stated, from
// its start.
func (d date) days() float64 {
	return time.Date(d.year, time.Month(max(d.month, 1)), max(d.day, 1), 0, 0, 0, 0, time.UTC).Sub(time.Unix(0, 0)).Hours() / 24
}

// isOf reports whether a number of a date in digits is a part of d.
func (q quantity) isOf(d date) bool {
	return q.dated && len(q.readings) > 0 && q.readings[0] > 0 &&
		(q.readings[0] == float64(d.month) || q.readings[0] == float64(d.day) || q.readings[0] == float64(d.year%100) && d.year > 0)
}

// isDay reports whether a figure is the day of a month, as in January 9 or 9日.
func isDay(f text.Figure) bool {
	return monthBefore.MatchString(f.Before) || monthAfter.MatchString(f.After)
}

// isDated reports whether a figure is a part of a date in digits.
func isDated(f text.Figure) bool {
	return numeric.MatchString(f.After) || numericEnd.MatchString(f.Before)
}

// datesName reports whether a name is that of a month or day of the week of one of
// the source's dates.
func (s *Source) datesName(word string) bool {
	for _, d := range s.dates {
		if monthNames[word] > 0 && monthNames[word] == d.month {
			return true
		}
		if d.year > 31 && d.month > 0 && d.day > 0 {
			day := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Weekday().String()
			if strings.EqualFold(word, day) {
				return true
			}
		}
	}
	return false
}
