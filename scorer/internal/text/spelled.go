package text

import (
	"strconv"
	"strings"
)

var (
	units = numbersOf(0, 1, `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		seventeen eighteen nineteen`)
	tens     = numbersOf(20, 10, `twenty thirty forty fifty sixty seventy eighty ninety`)
	ordinals = numbersOf(13, 1, `thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`)
	lasts    = numbersOf(1, 1, `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`)
	powersOf = map[string]int{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
)

func numbersOf(from, step int, list string) map[string]int {
	m := map[string]int{}
	for w := range strings.FieldsSeq(list) {
		m[w] = from
		from += step
	}
	return m
}

// spelledAt reads a spelled-out English number that starts at s[i]. What is
// twelve or less is passed over, unless a percent sign or word follows it.
func spelledAt(s string, i int) (number, int) {
	if i > 0 && (isSpelling(lastRune(s[:i])) || isDigit(s[i-1])) {
		return number{}, 0
	}
	rest := s[i:]
	total, group, end, words := 0, -1, 0, 0 // group: the number below the next power; -1: none yet
	for at := 0; words < 24; words++ {
		w, next := spelledWord(rest, at)
		word := strings.ToLower(w)
		value, isUnit := units[word]
		ten, isTen := tens[word]
		power, isPower := powersOf[word]
		ordinal, isOrdinal := ordinals[word]
		last, isLast := lasts[word]
		switch {
		case words == 0 && (word == "a" || word == "half"):
			// "a hundred", "half a million"
			following, after := spelledWord(rest, next)
			if word == "half" && strings.EqualFold(following, "a") {
				next = after
				following, _ = spelledWord(rest, next)
			}
			if following = strings.ToLower(following); powersOf[following] == 0 && following != "hundred" {
				return number{}, 0
			}
			group = 1
		case words == 0 && isLast:
			group = last
		case isUnit && group < 0, isTen && group < 0:
			group = max(value, ten)
		case (isUnit && value < 10 || isLast && last < 10) && group >= 20 && group%10 == 0 && group%100 != 0:
			group += max(value, last)
		case (isUnit || isTen) && group >= 100 && group%100 == 0:
			group += max(value, ten)
		case isTen && group >= 13 && group <= 20: // nineteen ninety
			group = group*100 + ten
		case isOrdinal && (group < 0 || group >= 100 && group%100 == 0):
			group = max(group, 0) + ordinal
		case word == "hundred" && group > 0 && group < 100:
			group *= 100
		case isPower && group > 0 && (total == 0 || power < total):
			total, group = total+group*power, -1
		case word == "and" && words > 0 && (group >= 100 || group < 0 && total > 0):
			at = next
			continue
		default:
			w = ""
		}
		if w == "" {
			break
		}
		at, end = next, next
		if isLast || isOrdinal {
			break
		}
	}
	if end == 0 {
		return number{}, 0
	}
	total += max(group, 0)
	n := number{value: strconv.Itoa(total)}
	if strings.EqualFold(rest[:min(len(rest), 4)], "half") {
		n.value = strconv.Itoa(total / 2)
	}
	n.small = total <= 12 && !percent.MatchString(headOf(rest[end:]))
	return n, end
}

// spelledWord is the word at s[at:], after a space or hyphen unless at is 0,
// and its end. Texts cut into words have a space on both sides of a hyphen.
func spelledWord(s string, at int) (word string, end int) {
	if at > 0 {
		if at >= len(s) || s[at] != ' ' && s[at] != '-' {
			return "", at
		}
		at++
		if strings.HasPrefix(s[at-1:], " - ") {
			at += 2
		}
	}
	n := wordLen(headOf(s[at:]))
	if n > 12 || at+n < len(s) && isDigit(s[at+n]) {
		return "", at
	}
	return s[at : at+n], at + n
}
