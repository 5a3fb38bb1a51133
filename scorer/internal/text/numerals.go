package text

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Chinese numerals. The signs of other forms are read as the common ones.
var (
	hanDigits = map[rune]int{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	hanPowers = map[rune]int{'十': 10, '百': 100, '千': 1000, '万': 1e4, '亿': 1e8}
	commonHan = map[rune]rune{'兩': '两', '萬': '万', '億': '亿', '壹': '一', '贰': '二', '叁': '三', '肆': '四', '伍': '五', '陆': '六',
		'柒': '七', '捌': '八', '玖': '九', '拾': '十', '佰': '百', '仟': '千'}
)

func common(r rune) rune {
	if c, ok := commonHan[r]; ok {
		return c
	}
	return r
}

func isNumeral(r rune) bool {
	r = common(r)
	_, digit := hanDigits[r]
	return digit || hanPowers[r] > 0
}

var (
	hanPercent = regexp.MustCompile(`^百分之(?:([0-9]+(?:\.[0-9]+)?)|([零〇一二两三四五六七八九十百]+(?:点[零〇一二三四五六七八九]+)?))`)
	hanDecimal = regexp.MustCompile(`^点[零〇一二三四五六七八九]+`)
	// dated is what a single 一 is a number before, and not an article;
	// indefinite what makes it one there too (有一天).
	dated      = regexp.MustCompile(`^(?:个?(?:小时|分钟|星期|季度|世纪|月)|[年月日号天周岁元倍])`)
	indefinite = regexp.MustCompile(`[有某第每同]$`)
	// measure is what small numerals count only before.
	measure = regexp.MustCompile(`^(?:个?(?:小时|分钟|工作日|星期|季度|世纪|月)|周年|[天年月日周岁元秒倍]|美元|欧元|日元|英镑|港元|人民币|平方|公里|公斤|千米|千克|` +
		`[个人次名位件条种块米克吨升度层家本张辆台部句点号级届项套只头座架艘枚股折成季页章节款场支轮户亩门所间字篇杯瓶盒箱袋口对双组批集期班段道样遍趟代队国省市县])`)
)

// numeralsAt reads the Chinese numerals that start at s[i]: they are a number
// before a measure word, or where they can hardly be anything else (三百).
func numeralsAt(s string, i int) (number, int) {
	rest := s[i:]
	if m := hanPercent.FindStringSubmatch(headOf(rest)); m != nil {
		value := m[1]
		if value == "" {
			whole, fraction, _ := strings.Cut(m[2], "点")
			value, _ = hanValue([]rune(whole))
			if fraction != "" {
				value += "." + hanFraction(fraction)
			}
		}
		return number{value: value, percent: true, scaled: true}, len(m[0])
	}
	var run []rune
	length := 0
	for _, r := range headOf(rest) {
		if !isNumeral(r) || strings.HasPrefix(rest[length:], "百分之") {
			break
		}
		run = append(run, common(r))
		length += utf8.RuneLen(r)
	}
	if length == 0 {
		return number{}, 0
	}
	if last := run[len(run)-1]; len(run) > 1 && (last == '千' || last == '百') && metric.MatchString(headOf(rest[length:])) {
		run, length = run[:len(run)-1], length-len("千") // 三千米 is 3 km or 3000 m: the digit is what can be compared
	}
	value, ok := hanValue(run)
	after := headOf(rest[length:])
	if ok {
		if m := hanDecimal.FindString(after); m != "" && !clock.MatchString(after) {
			value, length = value+"."+hanFraction(m[len("点"):]), length+len(m)
			return number{value: value}, length
		}
	}
	if !ok {
		value = ""
	}
	return number{value: value, small: !counts(run, s[:i], after)}, length
}

var (
	metric = regexp.MustCompile(`^[米克瓦卡焦赫]`)
	clock  = regexp.MustCompile(`^点[零〇一二三四五六七八九十]+分`)
)

// counts reports whether the numerals of run stand for a number between
// before and after.
func counts(run []rune, before, after string) bool {
	counted := measure.MatchString(after)
	ordinal := strings.HasSuffix(before, "第")
	first, single := run[0], len(run) == 1
	switch {
	case single && first == '一':
		return dated.MatchString(after) && !indefinite.MatchString(before)
	case single && (hanPowers[first] > 10 || first == '零' || first == '〇'):
		return false
	case first == '十' && single && strings.HasPrefix(after, "分"): // 十分 is "very"
		return false
	case single:
		return counted && !ordinal
	case hanPowers[first] >= 100: // 万一, 千万, 百万美元
		return len(run) > 1 && counted && !strings.HasPrefix(string(run), "万一")
	case first == '十' && len(run) == 2: // 十一, 十万
		return counted || ordinal
	}
	return true
}

// hanValue reads numerals; ok is false where they are no one number (三四).
func hanValue(run []rune) (value string, ok bool) {
	positional := true
	for _, r := range run {
		positional = positional && hanPowers[r] == 0
	}
	if positional {
		var b strings.Builder
		for _, r := range run {
			b.WriteByte(byte('0' + hanDigits[r]))
		}
		return b.String(), len(run) == 1 || len(run) > 2 || strings.ContainsAny(string(run), "零〇")
	}
	yi, wan, section, digit := 0, 0, 0, -1 // what is read, by its part: 亿, 万, below; the digit before the next sign
	for i, r := range run {
		switch power := hanPowers[r]; {
		case power == 0 && digit > 0:
			return "", false // 三四十
		case power == 0:
			digit = hanDigits[r]
			if last := i > 0 && i == len(run)-1; last && hanPowers[run[i-1]] >= 100 {
				digit *= hanPowers[run[i-1]] / 10 // 三千五
			}
		case power < 1e4:
			if digit < 0 {
				digit = 1
			}
			section, digit = section+digit*power, -1
		case power == 1e4:
			wan, section, digit = wan+max(section+max(digit, 0), 1)*power, 0, -1
		default:
			if yi > 0 {
				return "", false
			}
			yi, wan, section, digit = max(wan+section+max(digit, 0), 1)*power, 0, 0, -1
		}
	}
	return strconv.Itoa(yi + wan + section + max(digit, 0)), true
}

func hanFraction(digits string) string {
	var b strings.Builder
	for _, r := range digits {
		b.WriteByte(byte('0' + hanDigits[common(r)]))
	}
	return b.String()
}
