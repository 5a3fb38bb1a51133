package facts

import (
	"regexp"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// unit is what a number counts, as far as it can be converted or must not be
// mistaken for another.
type unit struct {
	kind   string  // "length", "mass", "time", …, "money"
	factor float64 // in the kind's base
	offset float64 // of temperatures
	code   string  // of a currency
}

// to converts v from u to other. alike is false where both say what they
// count and it is not the same: 5 dollars are no 5 euros.
func (u unit) to(other unit, v float64) (converted float64, alike bool) {
	switch {
	case u.kind == "" || other.kind == "" || u.kind != other.kind:
		return v, true
	case u.kind == "money":
		return v, u.code == other.code
	case u == other:
		return v, true
	}
	return (v*u.factor + u.offset - other.offset) / other.factor, true
}

var units = map[string]unit{}

func init() {
	for _, d := range []struct {
		kind   string
		factor float64
		names  string
	}{
		{"length", 1, "m metre metres meter meters 米"},
		{"length", 1000, "km kms kilometre kilometres kilometer kilometers 公里 千米"},
		{"length", .01, "cm centimetre centimetres centimeter centimeters 厘米 公分"},
		{"length", .001, "mm millimetre millimetres millimeter millimeters 毫米"},
		{"length", 1609.344, "mi mile miles 英里"},
		{"length", .3048, "ft foot feet 英尺"},
		{"length", .0254, "inch inches 英寸"},
		{"length", .9144, "yd yard yards 码"},
		{"mass", 1, "kg kgs kilo kilos kilogram kilograms 公斤 千克"},
		{"mass", .001, "g gram grams 克"},
		{"mass", 1e-6, "mg milligram milligrams 毫克"},
		{"mass", 1000, "t tonne tonnes ton tons 吨"},
		{"mass", .45359237, "lb lbs pound pounds 磅"},
		{"mass", .02834952, "oz ounce ounces 盎司"},
		{"mass", .5, "斤"},
		{"time", 1, "s sec secs second seconds 秒 秒钟"},
		{"time", 60, "min mins minute minutes 分钟"},
		{"time", 3600, "h hr hrs hour hours 小时 个小时 钟头"},
		{"time", 86400, "day days 天 日内"},
		{"time", 7 * 86400, "week weeks 周 星期 个星期"},
		{"time", 14 * 86400, "fortnight fortnights"},
		{"time", 30.4375 * 86400, "month months 个月"},
		{"time", 365.25 * 86400, "yr yrs year years 年"},
		{"time", 3652.5 * 86400, "decade decades"},
		{"time", 36525 * 86400, "century centuries"},
		{"volume", 1, "l litre litres liter liters 升"},
		{"volume", .001, "ml millilitre millilitres milliliter milliliters 毫升"},
		{"volume", 3.785411784, "gal gallon gallons 加仑"},
		{"area", 1, "m² sqm 平方米"},
		{"area", 1e6, "km² 平方公里 平方千米"},
		{"area", 1e4, "ha hectare hectares 公顷"},
		{"area", 4046.8564224, "acre acres 英亩"},
		{"area", 2000. / 3, "亩"},
		{"data", 1, "kb kilobyte kilobytes"},
		{"data", 1e3, "mb megabyte megabytes"},
		{"data", 1e6, "gb gigabyte gigabytes"},
		{"data", 1e9, "tb terabyte terabytes"},
		{"power", 1, "kw kilowatt kilowatts 千瓦"},
		{"power", 1e3, "mw megawatt megawatts 兆瓦"},
		{"power", 1e6, "gw gigawatt gigawatts"},
		{"temperature", 1, "°c celsius 摄氏度 ℃"},
	} {
		for name := range strings.FieldsSeq(d.names) {
			units[name] = unit{kind: d.kind, factor: d.factor}
		}
	}
	for _, name := range []string{"°f", "fahrenheit", "华氏度", "℉"} {
		units[name] = unit{kind: "temperature", factor: 5. / 9, offset: -160. / 9}
	}
	for code, names := range map[string]string{
		"USD": "$ us$ usd dollar dollars 美元 美金", "EUR": "€ eur euro euros 欧元", "GBP": "£ gbp 英镑 sterling",
		"CNY": "cny rmb yuan renminbi 元 人民币 块钱 元人民币", "JPY": "jpy yen 日元", "INR": "₹ inr rupee rupees 卢比", "KRW": "₩ krw won 韩元", "HKD": "hk$ hkd 港元 港币",
	} {
		for name := range strings.FieldsSeq(names) {
			units[name] = unit{kind: "money", code: code}
		}
	}
}

var (
	unitAfter  = regexp.MustCompile(`^[ -]?(°[cf]|℃|℉|km²|m²|[a-z]+|\p{Han}{1,4})`)
	moneyFirst = regexp.MustCompile(`(hk\$|us\$|[$€£₹₩]|usd|eur|gbp|cny|rmb|jpy|inr) ?$`)
)

// unitOf is the unit that stands beside a figure.
func unitOf(f text.Figure) unit {
	if m := moneyFirst.FindStringSubmatch(f.Before); m != nil {
		return units[m[1]]
	}
	m := unitAfter.FindStringSubmatch(f.After)
	if m == nil {
		return unit{}
	}
	word := []rune(m[1])
	if word[0] < 0x80 || word[0] == '°' {
		if f.After[0] == 'm' || f.After[0] == 's' || f.After[0] == 't' {
			if len(word) == 1 {
				return unit{} // 5m: metres, minutes or millions
			}
		}
		return units[m[1]]
	}
	if word[0] == '年' && len(f.Value) == 4 { // 2024年 is a date
		return unit{}
	}
	return unitNamed(m[1])
}

// unitNamed is the unit that a word begins with, or that it is where the word
// is written in letters: 公里外, "miles".
func unitNamed(word string) unit {
	han := []rune(word)
	for n := len(han); n > 0; n-- {
		if u, ok := units[string(han[:n])]; ok {
			return u
		}
		if n == len(han) && isASCII(word) {
			break
		}
	}
	return unit{}
}
