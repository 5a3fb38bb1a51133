package cassettes

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// edit replaces a part of a text.
type edit struct {
	start, end int
	old        string // what stands there, decoded
	new        string // as it is to stand there
}

// splice makes the edits, which do not overlap. Every other byte stays.
func splice(text string, edits []edit) string {
	if len(edits) == 0 {
		return text
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.start])
		b.WriteString(e.new)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// document is a JSON value in a text, and where it stands.
type document struct {
	value
	at int
}

// edits puts edits of the value where they are in the text.
func (d document) edits(of []edit) []edit {
	for n := range of {
		of[n].start += d.at
		of[n].end += d.at
	}
	return of
}

// documents finds the JSON in a body: the whole of it, or the lines and
// events of a stream, NDJSON or SSE.
func documents(text string) []document {
	if v, ok := parseJSON(text); ok {
		return []document{{v, 0}}
	}
	var found []document
	at := 0
	for line := range strings.Lines(text) {
		data := strings.TrimPrefix(line, "data:")
		if v, ok := parseJSON(data); ok {
			found = append(found, document{v, at + len(line) - len(data)})
		}
		at += len(line)
	}
	return found
}

// fixTimes replaces in a chat answer of Ollama's or OpenAI's, streamed or not,
// what differs with every run: times, durations and the answer's own id.
func fixTimes(body string) string {
	if !strings.Contains(body, `"created`) {
		return body
	}
	var edits []edit
	for _, d := range documents(body) {
		fixed := fixedMembers(d)
		for _, m := range d.members {
			if to, ok := fixed[m.name]; ok {
				edits = append(edits, edit{start: d.at + m.value.start, end: d.at + m.value.end, new: to})
			}
		}
	}
	return splice(body, edits)
}

// ollamaFixed and openaiFixed have no duration of 0: readers divide by it.
var (
	ollamaFixed = map[string]string{
		"created_at":     `"` + fixedTime + `"`,
		"total_duration": "1", "load_duration": "1", "prompt_eval_duration": "1", "eval_duration": "1",
	}
	openaiFixed = map[string]string{"created": "946684800", "id": `"chatcmpl-0"`} // the same moment
)

// fixedMembers are the members of an answer to be fixed, and to what.
func fixedMembers(d document) map[string]string {
	switch {
	case d.get("created_at").kind == '"' && d.get("done").kind == 'l':
		return ollamaFixed
	case strings.HasPrefix(d.get("object").text(), "chat.completion") && d.get("created").kind == 'l' && strings.HasPrefix(d.get("id").text(), "chatcmpl"):
		return openaiFixed
	}
	return nil
}

// strand is the text that a stream gives piece by piece, such as the words of
// an answer: the strings at one place of its events.
type strand struct {
	path   string
	pieces []edit // new is still to be set
}

func (s strand) text() string {
	var b strings.Builder
	for _, p := range s.pieces {
		b.WriteString(p.old)
	}
	return b.String()
}

// strands gives the strings of a body's JSON, those of one place together.
func strands(docs []document) []*strand {
	var all []*strand
	byPath := map[string]*strand{}
	for _, d := range docs {
		d.leaves("", func(path string, leaf value) {
			s := byPath[path]
			if s == nil {
				s = &strand{path: path}
				byPath[path] = s
				all = append(all, s)
			}
			s.pieces = append(s.pieces, edit{start: d.at + leaf.start, end: d.at + leaf.end, old: leaf.text()})
		})
	}
	return all
}

// leaves visits the strings of v, each with its place: "choices[0].delta.content".
// In a list, an item that states its index stands at that place.
func (v value) leaves(path string, visit func(string, value)) {
	switch v.kind {
	case '"':
		visit(path, v)
	case '{':
		for _, m := range v.members {
			place := m.name
			if path != "" {
				place = path + "." + m.name
			}
			m.value.leaves(place, visit)
		}
	case '[':
		for n, item := range v.items {
			place := fmt.Sprint(n)
			if index := item.get("index"); index.kind == 'l' {
				place = index.literal
			}
			item.leaves(path+"["+place+"]", visit)
		}
	}
}

// text redacts a body: of its JSON the strings, decoded, and of all else the
// text as it stands. What is JSON stays JSON.
func (r rules) text(text string, found []string) string {
	if len(found) == 0 && r.redact == nil {
		return text
	}
	var edits []edit
	at := 0
	gap := func(end int) {
		if is := r.plain(text[at:end], found); is != text[at:end] {
			edits = append(edits, edit{start: at, end: end, new: is})
		}
	}
	for _, d := range documents(text) {
		gap(d.at + d.start)
		at = d.at + d.end
		d.leaves("", func(_ string, leaf value) {
			was := leaf.text()
			if is := r.plain(was, found); is != was {
				edits = append(edits, edit{start: d.at + leaf.start, end: d.at + leaf.end, new: string(appendQuoted(nil, is))})
			}
		})
	}
	gap(len(text))
	return splice(text, edits)
}

// strands redacts what a stream splits over its events.
func (r rules) strands(text string, found []string) string {
	docs := documents(text)
	if len(docs) < 2 {
		return text
	}
	var edits []edit
	for _, s := range strands(docs) {
		was := s.text()
		is := r.plain(was, found)
		is = splice(is, secretsIn(is))
		if is != was {
			edits = append(edits, s.reword(was, is)...)
		}
	}
	return splice(text, edits)
}

// reword spreads another text over the pieces. Those before and after the
// change stay; what is new stands in the first that changes.
func (s strand) reword(was, is string) []edit {
	before := 0
	for before < min(len(was), len(is)) && was[before] == is[before] {
		before++
	}
	for before > 0 && (within(was, before) || within(is, before)) {
		before--
	}
	after := 0
	for after < min(len(was), len(is))-before && was[len(was)-1-after] == is[len(is)-1-after] {
		after++
	}
	for after > 0 && (within(was, len(was)-after) || within(is, len(is)-after)) {
		after--
	}
	changed := is[before : len(is)-after]
	var edits []edit
	at := 0
	for _, p := range s.pieces {
		from, to := min(max(before-at, 0), len(p.old)), min(max(len(was)-after-at, 0), len(p.old))
		at += len(p.old)
		inserts := before == len(was)-after && changed != "" && at >= before
		if from == to && !inserts {
			continue
		}
		p.new = string(appendQuoted(nil, p.old[:from]+changed+p.old[to:]))
		changed = ""
		edits = append(edits, p)
	}
	return edits
}

// within reports whether a rune of s spans the place.
func within(s string, at int) bool { return at < len(s) && !utf8.RuneStart(s[at]) }
