package cassettes

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// writer writes the YAML of a cassette: mappings and lists of scalars, each
// in the most readable form that every reader takes for the same text, byte
// for byte. A library's emitter does not: of yaml.v3, some texts that start
// with a line break, a tab or U+2028 load as others, or not at all.
type writer struct{ b []byte }

// line writes a line as it stands.
func (w *writer) line(indent int, text string) {
	w.indent(indent)
	w.b = append(append(w.b, text...), '\n')
}

func (w *writer) indent(n int) {
	for range n {
		w.b = append(w.b, ' ')
	}
}

// text writes a name and the scalar that loads as s.
func (w *writer) text(indent int, name, s string) {
	w.indent(indent)
	w.b = append(w.b, name...)
	w.b = append(w.b, ' ')
	switch formOf(s) {
	case plain:
		w.b = append(append(w.b, s...), '\n')
	case singleQuoted:
		w.b = append(w.b, '\'')
		w.b = append(w.b, strings.ReplaceAll(s, "'", "''")...)
		w.b = append(w.b, "'\n"...)
	case literal:
		w.literal(indent+2, s)
	case doubleQuoted: // all escapes of Go's are also YAML's
		w.b = append(strconv.AppendQuote(w.b, s), '\n')
	case binary:
		w.b = append(w.b, "!!binary "...)
		w.b = append(append(w.b, base64.StdEncoding.EncodeToString([]byte(s))...), '\n')
	}
}

// literal writes lines of text as they are, indented.
func (w *writer) literal(indent int, s string) {
	lines := strings.TrimRight(s, "\n")
	switch len(s) - len(lines) {
	case 0:
		w.b = append(w.b, "|-\n"...)
	case 1:
		w.b = append(w.b, "|\n"...)
	default:
		w.b = append(w.b, "|+\n"...)
	}
	for line := range strings.Lines(s) {
		if line != "\n" {
			w.indent(indent)
		}
		w.b = append(w.b, line...)
	}
	if len(lines) == len(s) {
		w.b = append(w.b, '\n')
	}
}

// form is a form of scalars.
type form int

const (
	plain form = iota
	singleQuoted
	literal
	doubleQuoted
	binary
)

func formOf(s string) form {
	switch {
	case isPlain(s):
		return plain
	case !utf8.ValidString(s):
		return binary
	}
	lines, tabs := false, false
	for _, r := range s {
		switch {
		case r == '\n':
			lines = true
		case r == '\t':
			tabs = true
		case !isPrintable(r):
			return doubleQuoted
		}
	}
	switch {
	case lines && !strings.ContainsAny(s[:1], " \t\n"):
		return literal
	case lines || tabs:
		return doubleQuoted
	}
	return singleQuoted
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// isPlain reports whether s needs no quotes: words, a path, a status, and
// nothing that YAML takes for anything but text.
func isPlain(s string) bool {
	if s == "" || strings.Trim(s, letters+"0123456789/._-@;=,?&+: ") != "" || strings.Contains(s, ": ") || strings.Trim(s[len(s)-1:], ": ") == "" {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	if s[0] >= '0' && s[0] <= '9' { // no number and no time has words
		return strings.Contains(s, " ") && strings.ContainsAny(s, letters)
	}
	return strings.Trim(s[:1], letters+"/") == ""
}

// isPrintable reports whether YAML allows r as it is, and every reader takes
// it for no line break.
func isPrintable(r rune) bool {
	switch {
	case r < 0xA0:
		return ' ' <= r && r <= '~'
	case r == 0x2028, r == 0x2029, r == 0xFEFF, r&0xFFFE == 0xFFFE:
		return false
	}
	return true
}
