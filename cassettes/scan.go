package cassettes

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// scan reads the part of YAML that cassettes are written in, ours and
// go-vcr's, many times faster than a reader of all YAML, which matters where
// a thousand tests each open theirs. ok is false for anything else, which is
// left to yaml.v3; what it does read, it reads as yaml.v3 does.
func scan(data []byte) (n *yaml.Node, ok bool) {
	text := string(data)
	if !strings.HasSuffix(text, "\n") || !utf8.ValidString(text) {
		return nil, false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !isPrintable(r) {
			return nil, false
		}
	}
	s := scanner{rest: text}
	for strings.HasPrefix(s.rest, "#") {
		s.next()
	}
	if strings.HasPrefix(s.rest, "---\n") {
		s.next()
	}
	n = s.block(0)
	return n, n != nil && s.rest == "" && !s.failed
}

// scanner reads lines; rest starts one, or is what follows a dash in one.
type scanner struct {
	rest   string
	dashed int // how much of the line was read up to rest
	failed bool
}

// next takes the line, without its end.
func (s *scanner) next() string {
	line, rest, _ := strings.Cut(s.rest, "\n")
	s.rest = rest
	return line
}

func (s *scanner) fail() *yaml.Node {
	s.failed, s.rest = true, ""
	return nil
}

// indentation counts the spaces that start the line; a dash counts as one.
func (s *scanner) indentation() int {
	if s.dashed > 0 {
		return s.dashed
	}
	return len(s.rest) - len(strings.TrimLeft(s.rest, " "))
}

// unindent drops the spaces that start the line, or stand for a dash.
func (s *scanner) unindent(indent int) {
	if s.dashed == 0 {
		s.rest = s.rest[indent:]
	}
	s.dashed = 0
}

// block reads the mapping or list whose lines have that indentation.
func (s *scanner) block(indent int) *yaml.Node {
	var n *yaml.Node
	for s.rest != "" && s.indentation() == indent {
		kind := yaml.MappingNode
		if s.dashed == 0 && strings.HasPrefix(s.rest[indent:], "- ") {
			kind = yaml.SequenceNode
		}
		if n == nil {
			n = &yaml.Node{Kind: kind}
		}
		if n.Kind != kind {
			return s.fail()
		}
		if kind == yaml.SequenceNode {
			n.Content = append(n.Content, s.item(indent))
		} else {
			s.member(n, indent)
		}
	}
	if n == nil || s.failed || s.rest != "" && s.indentation() > indent {
		return s.fail()
	}
	return n
}

// item reads an item of a list: a scalar, or a mapping that starts on the
// line of the dash.
func (s *scanner) item(indent int) *yaml.Node {
	s.rest = s.rest[indent+2:]
	line, _, _ := strings.Cut(s.rest, "\n")
	if name, _, ok := strings.Cut(line, ":"); ok && isName(name) && (len(line) == len(name)+1 || line[len(name)+1] == ' ') {
		s.dashed = indent + 2
		return s.block(indent + 2)
	}
	return s.scalar(indent)
}

// member reads a name and what it stands for.
func (s *scanner) member(n *yaml.Node, indent int) {
	s.unindent(indent)
	name, _, ok := strings.Cut(s.rest, ":")
	if !ok || !isName(name) {
		s.fail()
		return
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.Clone(name)}
	s.rest = s.rest[len(name)+1:]
	var value *yaml.Node
	switch {
	case strings.HasPrefix(s.rest, " "):
		s.rest = s.rest[1:]
		value = s.scalar(indent)
	case strings.HasPrefix(s.rest, "\n"):
		s.next()
		if s.indentation() <= indent {
			s.fail()
			return
		}
		value = s.block(s.indentation())
	default:
		s.fail()
		return
	}
	n.Content = append(n.Content, key, value)
}

// isName allows what field and header names are made of. YAML itself has keys
// of up to 1024 characters.
func isName(s string) bool {
	return s != "" && len(s) < 1000 && strings.Trim(s, letters+"0123456789_-") == "" && s[0] != '-'
}

// scalar reads a scalar in a block of that indentation: the rest of the line,
// and for a literal the lines that follow.
func (s *scanner) scalar(indent int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	line := s.next()
	ok := line != ""
	if !ok {
		return s.fail()
	}
	switch line[0] {
	case '\'':
		n.Style = yaml.SingleQuotedStyle
		n.Value, ok = singleQuotedText(line)
	case '"':
		n.Style = yaml.DoubleQuotedStyle
		n.Value, ok = doubleQuotedText(line)
	case '|':
		n.Style = yaml.LiteralStyle
		n.Value, ok = s.literal(indent, line)
	case '!':
		n.Tag, n.Style = "!!binary", yaml.TaggedStyle
		n.Value, ok = strings.CutPrefix(line, "!!binary ")
		ok = ok && n.Value != "" && strings.Trim(n.Value, letters+"0123456789+/=") == ""
		n.Value = strings.Clone(n.Value)
	case '{', '[':
		n.Kind, n.Tag = yaml.MappingNode, ""
		if line[0] == '[' {
			n.Kind = yaml.SequenceNode
		}
		ok = line == "{}" || line == "[]"
	default:
		n.Tag = ""
		n.Value, ok = strings.Clone(line), isPlainLine(line)
	}
	if !ok {
		return s.fail()
	}
	return n
}

// isPlainLine allows the texts without quotes that hold no sign of YAML's.
func isPlainLine(s string) bool {
	const first = letters + "0123456789/"
	mark := func(r rune) bool { return r < utf8.RuneSelf && !strings.ContainsRune(first+" ._-+@:;=,()?&%~!*", r) }
	s = strings.TrimPrefix(s, "-") // of a number
	return s != "" && strings.Trim(s[:1], first) == "" && !strings.ContainsFunc(s, mark) &&
		!strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ")
}

func singleQuotedText(line string) (string, bool) {
	inner, ok := strings.CutSuffix(line[1:], "'")
	if !ok {
		return "", false
	}
	text := strings.ReplaceAll(inner, "''", "\x00") // which no text has here
	if strings.Contains(text, "'") {
		return "", false
	}
	return strings.Clone(strings.ReplaceAll(text, "\x00", "'")), true // of a file, keep the parts alone
}

func doubleQuotedText(line string) (string, bool) {
	inner, ok := strings.CutSuffix(line[1:], `"`)
	if !ok {
		return "", false
	}
	b := make([]byte, 0, len(inner))
	for inner != "" {
		at := strings.IndexAny(inner, `"\`)
		if at < 0 {
			b = append(b, inner...)
			break
		}
		b = append(b, inner[:at]...)
		if inner[at] == '"' || at+1 == len(inner) {
			return "", false
		}
		escape := inner[at+1]
		inner = inner[at+2:]
		digits := 0
		switch escape {
		case '"', '\\':
			b = append(b, escape)
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r':
			b = append(b, '\r')
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		default:
			return "", false
		}
		if digits > 0 {
			if len(inner) < digits {
				return "", false
			}
			code, err := strconv.ParseUint(inner[:digits], 16, 32)
			if err != nil || !utf8.ValidRune(rune(code)) {
				return "", false
			}
			b = utf8.AppendRune(b, rune(code))
			inner = inner[digits:]
		}
	}
	return string(b), true
}

// literal reads the lines that are indented deeper than the block they are in.
func (s *scanner) literal(outer int, header string) (string, bool) {
	indent := s.indentation()
	if indent <= outer || strings.HasPrefix(s.rest[indent:], "\n") || strings.HasPrefix(s.rest[indent:], "\t") {
		return "", false // empty, or in need of a hint
	}
	prefix := s.rest[:indent]
	end, size := 0, 0
	for end < len(s.rest) {
		length := strings.IndexByte(s.rest[end:], '\n') + 1
		switch line := s.rest[end : end+length]; {
		case strings.HasPrefix(line, prefix):
			size += length - indent
		case line == "\n":
			size++
		case strings.TrimLeft(line, " ") == "\n":
			return "", false // spaces alone, and too few
		default:
			length = 0
		}
		if length == 0 {
			break
		}
		end += length
	}
	b := make([]byte, 0, size)
	for line := range strings.Lines(s.rest[:end]) {
		b = append(b, strings.TrimPrefix(line, prefix)...)
	}
	s.rest = s.rest[end:]
	kept := len(bytes.TrimRight(b, "\n"))
	switch header {
	case "|-":
		return string(b[:kept]), true
	case "|":
		return string(b[:kept+1]), true
	case "|+":
		return string(b), true
	}
	return "", false
}
