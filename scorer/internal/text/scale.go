package text

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	scaleWord = regexp.MustCompile(`^(?i:[ -]?(hundred|thousand|million|billion|trillion|mln|mio|bln|bn|mn|tn|trn|crores?|lakhs?)\b)`)
	scaleSign = regexp.MustCompile(`^[kKM]\b|^ ?(?:bn|tn)\b`)
	moneySign = regexp.MustCompile(`^ ?[mMbBtT]\b`)
	scaleHan  = regexp.MustCompile(`^ ?[百千万亿萬億]{1,3}`)
	lesserHan = regexp.MustCompile(`^(\d{1,4})([百千万萬])`)
	percent   = regexp.MustCompile(`^(?i:\s?%|[ -](?:percent|per cent|pct|percentage points?)\b|个百分点)`)

	powers = map[string]int{
		"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "mln": 6, "mio": 6, "mn": 6,
		"bln": 9, "bn": 9, "tn": 12, "trn": 12, "crore": 7, "crores": 7, "lakh": 5, "lakhs": 5, "k": 3, "m": 6, "b": 9, "t": 12,
	}
)

// scale reads the magnitudes and the percent sign after a number and gives
// their length.
func (n *number) scale(rest string, money bool) int {
	length := 0
	if rest == "" || strings.IndexByte(",.;:!?()[]{}\n\"'*|/<>=", rest[0]) >= 0 { // as a rule nothing follows
		return 0
	}
	for {
		head := headOf(rest[length:])
		if m := scaleWord.FindStringSubmatch(head); m != nil {
			n.zeros += powers[strings.ToLower(m[1])]
			length += len(m[0])
		} else if m := scaleSign.FindString(head); m != "" && n.zeros == 0 {
			n.zeros += powers[strings.ToLower(strings.TrimSpace(m))]
			length += len(m)
		} else if m := moneySign.FindString(head); m != "" && n.zeros == 0 && money {
			n.zeros += powers[strings.ToLower(strings.TrimSpace(m))]
			length += len(m)
		} else if m := scaleHan.FindString(head); m != "" && !metric.MatchString(head[len(m):]) && !strings.HasPrefix(head, "百分") {
			for _, r := range strings.TrimSpace(m) {
				n.zeros += len(strconv.Itoa(hanPowers[common(r)])) - 1
			}
			length += len(m)
		} else {
			break
		}
		n.scaled = true
	}
	if m := percent.FindString(headOf(rest[length:])); m != "" {
		n.percent, n.scaled = true, true
		length += len(m)
	}
	return length
}

// isMoney reports whether a sign of money ends before.
func isMoney(before string) bool {
	return strings.ContainsRune("$€£¥￥", lastRune(strings.TrimRight(before[max(0, len(before)-4):], " ")))
}

// addHan reads the lesser parts of a number such as 3万5千 or 1亿2000万 and
// gives their length.
func (n *number) addHan(rest string) int {
	if n.zeros < 4 || n.percent {
		return 0
	}
	length := 0
	for {
		m := lesserHan.FindStringSubmatch(headOf(rest[length:]))
		if m == nil || metric.MatchString(headOf(rest[length+len(m[0]):])) {
			return length
		}
		sum, err := strconv.Atoi(decimal(n.value, n.zeros))
		part, _ := strconv.Atoi(m[1])
		r, _ := utf8.DecodeRuneInString(m[2])
		if part *= hanPowers[common(r)]; err != nil || sum < 0 || part >= sum {
			return length
		}
		n.value, n.zeros = strconv.Itoa(sum+part), 0
		length += len(m[0])
	}
}
