package evidence

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

const (
	longest = 1200 // bytes of a piece: what has no sentences is cut
	member  = 160  // bytes of a piece of JSON, after which it ends with the member
)

// split cuts a passage into pieces: sentences, or records and members of
// JSON. Together they hold all of it but white space, in order.
func split(passage string) []text.Sentence {
	sentences := text.Sentences
	if isJSON(passage) {
		sentences = members
	}
	var pieces []text.Sentence
	for _, s := range sentences(passage) {
		for len(s.Text) > longest {
			cut := cutAt(s.Text)
			head := strings.TrimSpace(s.Text[:cut])
			pieces = append(pieces, text.Sentence{Text: head, Start: s.Start, End: s.Start + len(head)})
			tail := strings.TrimSpace(s.Text[cut:])
			s = text.Sentence{Text: tail, Start: s.End - len(tail), End: s.End}
		}
		pieces = append(pieces, s)
	}
	return pieces
}

// cutAt is where a text that is too long for a piece is cut: at the last
// space or sign that allows it.
func cutAt(s string) int {
	head := s[:longest]
	if at := strings.LastIndexAny(head, " \t\n,;|，；、"); at > longest/2 {
		_, n := utf8.DecodeRuneInString(s[at:])
		return at + n
	}
	at := longest
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	if at == 0 {
		return longest // no text
	}
	return at
}

func isJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}

// members cuts JSON where a record of a list ends, and after a member where
// the piece has grown long.
func members(s string) []text.Sentence {
	var pieces []text.Sentence
	from, quoted := 0, false
	add := func(to int) {
		part := strings.TrimSpace(s[from:to])
		if part != "" {
			start := from + strings.Index(s[from:to], part)
			pieces = append(pieces, text.Sentence{Text: part, Start: start, End: start + len(part)})
		}
		from = to
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == ',' && (i-from >= member || i > 0 && strings.IndexByte("}]", lastByte(s[:i])) >= 0 && strings.Contains(s[from:i], ":")):
			add(i + 1)
		}
	}
	add(len(s))
	return pieces
}

func lastByte(s string) byte {
	s = strings.TrimRight(s, " \t\r\n")
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

var (
	ruler   = regexp.MustCompile(`^\|?[\s:|-]*-[\s:|-]*$`) // under a table's header
	heading = regexp.MustCompile(`^#{1,6}\s|^\*\*[^*]+\*\*:?$|^__[^_]+__:?$`)
)

// leadsOf gives, for each piece of a passage, the pieces that say what it is
// about: the heading or title over it and, for a row, its table's header.
func leadsOf(passage string, pieces []Piece, first int) [][]int {
	leads := make([][]int, len(pieces))
	title, header := -1, -1
	for i, p := range pieces {
		row := isRow(p.Text)
		if !row {
			header = -1
		}
		switch {
		case heading.MatchString(p.Text) || i == 0 && isTitle(passage, p):
			title = first + i
			continue
		case row && header < 0:
			header = first + i
		case row && i > 0 && ruler.MatchString(p.Text):
		case row:
			leads[i] = append(leads[i], header)
		}
		if title >= 0 {
			leads[i] = append([]int{title}, leads[i]...)
		}
	}
	return leads
}

// isTitle reports whether the first piece of a passage stands on a line of
// its own, is short and does not end as a sentence does.
func isTitle(passage string, p Piece) bool {
	rest := passage[p.End:]
	return len(p.Text) <= 120 && strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") && strings.TrimSpace(rest) != "" &&
		!isRow(p.Text) && !strings.ContainsAny(p.Text[len(p.Text)-1:], ".!?;") && !hasSuffix(p.Text, "。", "！", "？", "；")
}

func hasSuffix(s string, ends ...string) bool {
	for _, end := range ends {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// isRow reports whether a piece is a row of a table.
func isRow(s string) bool {
	return s[0] == '|' || strings.Contains(s, " | ") || strings.Contains(s, "\t")
}
