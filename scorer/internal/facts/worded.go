package facts

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// wordings are numbers that are not written as numbers. They say what a
// source states; a claim is not held to them. The values are a share, as a
// percentage, or a count.
var wordings = []struct {
	words   string // English ones stand alone, Chinese ones anywhere
	value   float64
	percent bool
}{
	{"half 一半 半数 过半 对半", 50, true},
	{"half 半", .5, false},
	{"one-third a-third third 三分之一", 100. / 3, true},
	{"two-thirds 三分之二", 200. / 3, true},
	{"quarter one-fourth 四分之一", 25, true},
	{"three-quarters three-fourths 四分之三", 75, true},
	{"one-fifth a-fifth 五分之一", 20, true},
	{"one-tenth a-tenth 十分之一", 10, true},
	{"double doubled doubles twice twofold couple pair 翻番 翻倍 一倍 双", 2, false},
	{"double doubled doubles doubling twofold 翻番 翻倍 一倍", 100, true},
	{"triple tripled triples tripling threefold thrice 两倍", 3, false},
	{"quadruple quadrupled quadrupling fourfold 三倍", 4, false},
	{"dozen dozens 一打", 12, false},
	{"all entire entirely fully completely unanimous unanimously 全部 所有 完全", 100, true},
	{"hundred hundreds", 100, false},
	{"thousand thousands", 1000, false},
	{"million millions", 1e6, false},
	{"billion billions", 1e9, false},
}

var (
	outOf    = regexp.MustCompile(`(?i)\b([0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine)[- ](?:in|out of|of|/)(?: every)?[- ]([0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b`)
	slashed  = regexp.MustCompile(`\b([0-9]{1,3})/([0-9]{1,3})\b`)
	tenths   = regexp.MustCompile(`([一二三四五六七八九0-9])成(?:([一二三四五六七八九0-9])|半)?`)
	discount = regexp.MustCompile(`([一二三四五六七八九0-9](?:\.[0-9])?)折`)
	oneUnit  = regexp.MustCompile(`(?i)\b(?:a|an|one|per|each|every)[- ](second|minute|hour|day|week|fortnight|month|year|decade|century|kilomet(?:re|er)|met(?:re|er)|mile|kilo|pound|ton)\b`)
	halfUnit = regexp.MustCompile(`(?i)\bhalf[- ](?:an? )?([a-z]+)\b|半个?(\p{Han}{1,2})`)
	spoken   = regexp.MustCompile(`(?i)\b([a-z]+) (ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](one|two|three|four|five|six|seven|eight|nine))?\b`)

	counts = map[string]float64{
		"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
		"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
		"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
		"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
	}
)

func counted(word string) float64 {
	if v, ok := counts[strings.ToLower(word)]; ok {
		return v
	}
	return number(word)
}

// says reports whether s, in lower case, has the word.
func says(s, word string) bool {
	for {
		at := strings.Index(s, word)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		s = s[at+len(word):]
		after, _ := utf8.DecodeRuneInString(s)
		if word[0] >= utf8.RuneSelf || !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
}

// worded gives the quantities that s states in other words.
func worded(s string) []quantity {
	var list []quantity
	add := func(text string, v float64, percent bool, u unit) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			list = append(list, quantity{text: text, readings: []float64{v}, step: 1, percent: percent, small: true, unit: u})
		}
	}
	s = strings.ToLower(s)
	for _, w := range wordings {
		for word := range strings.FieldsSeq(w.words) {
			if says(s, word) || strings.Contains(word, "-") && says(s, strings.ReplaceAll(word, "-", " ")) {
				add(word, w.value, w.percent, unit{})
			}
		}
	}
	all := func(form *regexp.Regexp, marks ...string) [][]string {
		if !slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(s, m) }) {
			return nil // expressions are slow
		}
		return form.FindAllStringSubmatch(s, -1)
	}
	for _, form := range []*regexp.Regexp{outOf, slashed} {
		for _, m := range all(form, "/", " in ", "-in-", " of ", "-of-") {
			add(m[0], 100*counted(m[1])/counted(m[2]), true, unit{})
			add(m[0], counted(m[1])/counted(m[2]), false, unit{})
		}
	}
	for _, m := range all(tenths, "成") {
		v := 10 * counted(m[1])
		if m[2] != "" {
			v += counted(m[2])
		} else if strings.HasSuffix(m[0], "半") {
			v += 5
		}
		add(m[0], v, true, unit{})
	}
	for _, m := range all(discount, "折") {
		v := counted(m[1])
		add(m[0], 10*v, true, unit{})
		add(m[0], 100-10*v, true, unit{})
	}
	for _, m := range all(oneUnit, "a ", "an ", "one ", "one-", "per ", "per-", "each ", "every ") {
		add(m[0], 1, false, units[strings.ToLower(m[1])])
	}
	for _, m := range all(halfUnit, "half", "半") {
		add(m[0], .5, false, unitNamed(strings.ToLower(m[1]+m[2])))
	}
	for _, m := range all(spoken, " ten", " fifteen", "ty") { // "twelve fifty": 12.50, or 12:50
		if whole, ok := counts[strings.ToLower(m[1])]; ok {
			v := whole + (counted(m[2])+counts[strings.ToLower(m[3])])/100
			add(m[0], v, false, unit{})
			add(m[0], 100*v, false, unit{})
		}
	}
	return list
}
