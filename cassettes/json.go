package cassettes

import (
	"bytes"
	"cmp"
	"encoding/json"
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

// parseJSON parses text that is one JSON value in valid UTF-8.
func parseJSON(text []byte) (value, bool) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return value{}, false
	}
	p := parser{text: text}
	return p.value(), true
}

// parser reads valid JSON: json.Valid has bounded its depth and found it sound.
type parser struct {
	text []byte
	at   int
}

func (p *parser) value() value {
	p.space()
	v := value{kind: p.text[p.at], start: p.at}
	switch v.kind {
	case '{':
		for p.at++; p.more('}'); {
			name := unquote(p.string())
			p.space()
			p.at++ // the colon
			v.members = append(v.members, member{name, p.value()})
		}
	case '[':
		for p.at++; p.more(']'); {
			v.items = append(v.items, p.value())
		}
	case '"':
		v.literal = string(p.string())
	default:
		v.kind = 'l'
		for p.at < len(p.text) && strings.IndexByte(",]} \t\r\n", p.text[p.at]) < 0 {
			p.at++
		}
		v.literal = string(p.text[v.start:p.at])
	}
	v.end = p.at
	return v
}

// more skips to the next element, or past the bracket that closes the list.
func (p *parser) more(bracket byte) bool {
	p.space()
	if p.text[p.at] == ',' {
		p.at++
		p.space()
	}
	if p.text[p.at] == bracket {
		p.at++
		return false
	}
	return true
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// string gives a string's literal as appendQuoted would write it. Few literals are
// not so already, and this keeps the lookup of long prompts fast.
func (p *parser) string() []byte {
	start, plain := p.at, true
	for p.at++; p.text[p.at] != '"'; p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
			plain = plain && p.text[p.at] != 'u' && p.text[p.at] != '/'
		case "\u2028"[0]: // U+2028 and U+2029 are escaped; they are rare
			plain = false
		}
	}
	p.at++
	literal := p.text[start:p.at]
	if !plain {
		literal = appendQuoted(nil, unquote(literal))
	}
	return literal
}

// unquote decodes a valid string literal.
func unquote(literal []byte) (s string) {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	_ = json.Unmarshal(literal, &s)
	return s
}

// text gives a string decoded, and nothing of other values.
func (v value) text() string {
	if v.kind != '"' {
		return ""
	}
	return unquote([]byte(v.literal))
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
