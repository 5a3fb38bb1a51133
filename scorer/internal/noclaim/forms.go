package noclaim

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

//go:embed forms_en.txt
var english string

//go:embed forms_zh.txt
var chinese string

// language is what sentences without a claim look like in one language.
type language struct {
	forms    map[string][]*regexp.Regexp // by section
	headings map[string]bool
	words    map[string]bool // of all forms and headings; Chinese ones are single characters
}

// languages reads the lists, once and only when they are needed.
var languages = sync.OnceValue(func() []language {
	return []language{
		read(english, `[^,;:.?!]+?`, `(?:[^\s,;:.?!]+ ){0,11}[^\s,;:.?!]+`),
		read(chinese, `[^，。；：？！,;:?!]+?`, `[^，。；：？！,;:?!]{1,40}`),
	}
})

// read compiles the forms of a list; topic and anything are the expressions
// of its two slots.
func read(list, topic, anything string) language {
	l := language{map[string][]*regexp.Regexp{}, map[string]bool{}, map[string]bool{}}
	section := ""
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		switch name, isSection := strings.CutPrefix(line, "== "); {
		case line == "" || line[0] == '#':
		case isSection:
			section = name
		case section == "heading":
			for word := range strings.FieldsSeq(line) {
				l.headings[word] = true
			}
			l.add(line)
		default:
			l.add(line)
			l.forms[section] = append(l.forms[section], compile(line, topic, anything))
		}
	}
	return l
}

func (l language) add(line string) {
	for _, w := range wordsOf(line) {
		l.words[w] = true
	}
}

// compile turns a form into an expression for a whole sentence; its slots are
// groups.
func compile(form, topic, anything string) *regexp.Regexp {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		switch c := form[i]; {
		case strings.HasPrefix(form[i:], "<topic>"):
			b.WriteString("(" + topic + ")")
			i += len("<topic>") - 1
		case strings.HasPrefix(form[i:], "<any>"):
			b.WriteString("(" + anything + ")")
			i += len("<any>") - 1
		case strings.HasPrefix(form[i:], "，"):
			b.WriteString("[，,]?")
			i += len("，") - 1
		case c == '{':
			b.WriteString("(?:")
		case c == '}':
			b.WriteByte(')')
		case c == '[':
			b.WriteString("(?:")
		case c == ']':
			b.WriteString(")?")
		case c == '|':
			b.WriteByte('|')
		case c == ',':
			b.WriteString(",?")
		case c == ' ':
			b.WriteString(`\s*`)
		default:
			b.WriteString(regexp.QuoteMeta(form[i : i+1]))
		}
	}
	return regexp.MustCompile("^" + b.String() + "$")
}

// wordsOf splits a text in lower case into words; a Chinese character is one.
func wordsOf(s string) []string {
	var words []string
	from := -1
	for i, r := range s {
		han := unicode.Is(unicode.Han, r)
		letter := !han && (unicode.IsLetter(r) || unicode.IsNumber(r) || r == '\'')
		if !letter && from >= 0 {
			words, from = append(words, s[from:i]), -1
		}
		switch {
		case han:
			words = append(words, string(r))
		case letter && from < 0:
			from = i
		}
	}
	if from >= 0 {
		words = append(words, s[from:])
	}
	return words
}
