package cassettes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// value is a parsed JSON value. It keeps what encoding/json's maps lose: the
// order of members, members named twice, the digits of numbers and where in
// the text a value stands.
type value struct {
	kind       byte   // '{', '[', '"', or 'l' for numbers, true, false and null
	literal    string // of a string, in its canonical form, or as written
	members    []member
	items      []value
	start, end int  // in the parsed text
	ignored    bool // no part of the canonical form
}

type member struct {
	name  string
	value value
}

// maxDepth is as deep as encoding/json reads.
const maxDepth = 10000

// parseJSON parses text that is one JSON value in valid UTF-8. It takes what
// encoding/json takes for valid, in one pass: every call is looked up by what
// it gives.
func parseJSON(text string) (value, bool) {
	if !utf8.ValidString(text) {
		return value{}, false
	}
	p := parser{text: text}
	v := p.value(0)
	p.space()
	return v, !p.failed && p.at == len(text)
}

// parser reads JSON. Where it fails, it is at the end of the text.
type parser struct {
	text   string
	at     int
	failed bool
}

func (p *parser) fail() { p.failed, p.at = true, len(p.text) }

// next is the byte that is read next; 0, which no JSON has, at the end.
func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value(depth int) value {
	p.space()
	v := value{kind: p.next(), start: p.at}
	switch v.kind {
	case '{':
		for more := p.open('}', depth); more; more = p.more('}') {
			name := unquote(p.string())
			p.space()
			if p.next() != ':' {
				p.fail()
				break
			}
			p.at++
			v.members = append(v.members, member{name, p.value(depth + 1)})
		}
	case '[':
		for more := p.open(']', depth); more; more = p.more(']') {
			v.items = append(v.items, p.value(depth+1))
		}
	case '"':
		v.literal = p.string()
	default:
		v.kind = 'l'
		v.literal = p.word()
	}
	v.end = p.at
	return v
}

// open reads a bracket, and reports whether a first element follows.
func (p *parser) open(bracket byte, depth int) bool {
	p.at++
	p.space()
	switch {
	case depth >= maxDepth:
		p.fail()
	case p.next() == bracket:
		p.at++
	default:
		return !p.failed
	}
	return false
}

// more reads the comma before another element, or the bracket that ends them.
func (p *parser) more(bracket byte) bool {
	p.space()
	switch p.next() {
	case ',':
		p.at++
		p.space()
		return true
	case bracket:
		p.at++
	default:
		p.fail()
	}
	return false
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// number is that of RFC 8259.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// word reads a number, true, false or null.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(",]}: \t\r\n", p.text[p.at]) < 0 {
		p.at++
	}
	word := p.text[start:p.at]
	switch word {
	case "true", "false", "null":
	default:
		if !number.MatchString(word) {
			p.fail()
		}
	}
	return word
}

// string gives a string's literal as appendQuoted would write it. Few
// literals are not so already.
func (p *parser) string() string {
	if p.next() != '"' {
		p.fail()
		return `""`
	}
	start := p.at
	length, plain := literalLength(p.text[start:])
	if length == 0 {
		p.fail()
		return `""`
	}
	p.at += length
	literal := p.text[start:p.at]
	if !plain {
		literal = string(appendQuoted(nil, unquote(literal)))
	}
	return literal
}

// literalLength measures the string literal that s starts with, 0 where none
// does, and reports whether it is as appendQuoted writes it: without escapes
// of what needs none, and with U+2028 and U+2029 escaped.
func literalLength(s string) (length int, plain bool) {
	plain = true
	at := 1
	for {
		run := strings.IndexByte(s[at:], '"')
		if run < 0 {
			return 0, false
		}
		if escape := strings.IndexByte(s[at:at+run], '\\'); escape >= 0 {
			run = escape
		}
		control, separator := rare(s[at : at+run])
		if control {
			return 0, false
		}
		plain = plain && !separator
		at += run
		if s[at] == '"' {
			return at + 1, plain
		}
		if at++; at == len(s) {
			return 0, false
		}
		switch s[at] {
		case '"', '\\', 'b', 'f', 'n', 'r', 't':
		case '/':
			plain = false
		case 'u':
			plain = false
			if len(s) < at+5 || strings.Trim(s[at+1:at+5], "0123456789abcdefABCDEF") != "" {
				return 0, false
			}
			at += 4
		default:
			return 0, false
		}
		at++
	}
}

// rare reports whether s has control characters, and whether it has the byte
// that U+2028 and U+2029 start with. It looks at eight bytes at a time.
func rare(s string) (control, separator bool) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(s) >= 8; s = s[8:] {
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		below := (x - ones*' ') &^ x & high // of a byte below the space, or before one
		e2 := x ^ ones*0xE2
		separator = separator || (e2-ones)&^e2&high != 0
		control = control || below != 0
	}
	for _, c := range []byte(s) {
		control = control || c < ' '
		separator = separator || c == 0xE2
	}
	return control, separator
}

// unquote decodes a valid string literal.
func unquote(literal string) (s string) {
	if strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1]
	}
	_ = json.Unmarshal([]byte(literal), &s)
	return s
}

// text gives a string decoded, and nothing of other values.
func (v value) text() string {
	if v.kind != '"' {
		return ""
	}
	return unquote(v.literal)
}

// get gives a member of an object, the last of that name as encoding/json
// does; the zero value where there is none.
func (v value) get(name string) value {
	for _, m := range slices.Backward(v.members) {
		if m.name == name {
			return m.value
		}
	}
	return value{}
}

// canonical writes v without white space, without what is ignored and with
// members sorted by name.
// Members of one name keep their order, as it matters to those who read them.
func (v value) canonical(to []byte) []byte {
	return v.write(to, "", func(members []member) []member {
		members = withoutIgnored(members)
		byName := func(a, b member) int { return cmp.Compare(a.name, b.name) }
		if slices.IsSortedFunc(members, byName) {
			return members
		}
		sorted := slices.Clone(members)
		slices.SortStableFunc(sorted, byName)
		return sorted
	})
}

// indented writes v for people, members in their order.
func (v value) indented() []byte {
	return v.write(nil, "\n", func(members []member) []member { return members })
}

// maxIndent keeps the form of deep JSON from growing with the square of its depth.
const maxIndent = 64

// write appends v to to. newline starts a line, indentation included; where
// it is empty, everything stands on one line.
func (v value) write(to []byte, newline string, order func([]member) []member) []byte {
	inner := newline
	if newline != "" && len(newline) < maxIndent {
		inner += "  "
	}
	switch v.kind {
	case '{':
		to = append(to, '{')
		members := order(v.members)
		for i, m := range members {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendQuoted(append(to, inner...), m.name)
			to = append(to, ':')
			if newline != "" {
				to = append(to, ' ')
			}
			to = m.value.write(to, inner, order)
		}
		if len(members) > 0 {
			to = append(to, newline...)
		}
		return append(to, '}')
	case '[':
		to = append(to, '[')
		for i, item := range v.items {
			if i > 0 {
				to = append(to, ',')
			}
			to = item.write(append(to, inner...), inner, order)
		}
		if len(v.items) > 0 {
			to = append(to, newline...)
		}
		return append(to, ']')
	}
	return append(to, v.literal...)
}

// appendQuoted appends s as a JSON string that leaves <, > and & readable.
func appendQuoted(to []byte, s string) []byte {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] < utf8.RuneSelf
	}
	if plain {
		return append(append(append(to, '"'), s...), '"')
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
