package cassettes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	commentCalls = 200 // calls listed at most
	commentWords = 72  // runes shown of what was asked and answered, each
)

// comment is the head of the file, for those who review it: which test, when,
// which models, and a line a call.
func (f *file) comment(date string) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimRight("# "+fmt.Sprintf(format, args...), " ") + "\n")
	}
	line("Recorded HTTP calls of %s. Made by a real run on %s;", cmp.Or(oneLine(f.Test, 300), "a client"), date)
	line("tests replay them without a network. Do not edit: record anew, as package evaltest does with")
	line("EVALTEST_MODE=record go test -count=1%s", runFlag(oneLine(f.Test, 300)))
	line("")
	var models, calls []string
	for _, i := range f.Interactions {
		if m := i.question.model(); m != "" && !slices.Contains(models, m) {
			models = append(models, m)
		}
		if len(calls) < commentCalls {
			calls = append(calls, oneLine(i.summary(), 400))
		}
	}
	slices.Sort(models)
	line("models: %s", cmp.Or(oneLine(strings.Join(models, ", "), 500), "none named"))
	for id, call := range calls {
		line("%d: %s", id, call)
	}
	if more := len(f.Interactions) - len(calls); more > 0 {
		line("… and %d more", more)
	}
	return b.String()
}

// runFlag selects the test alone.
func runFlag(test string) string {
	if test == "" {
		return ""
	}
	parts := strings.Split(test, "/")
	for n, part := range parts {
		parts[n] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return fmt.Sprintf(" -run '%s'", strings.Join(parts, "/"))
}

// summary says in a line what a call asked and what answered.
func (i *interaction) summary() string {
	s := cmp.Or(i.Label, i.ask.name(""))
	if m := i.question.model(); m != "" {
		s += ", " + m
	}
	if text := i.question.lastLine(); text != "" {
		s += fmt.Sprintf(", asked »%s«", oneLine(text, commentWords))
	}
	if code := i.Response.Code; code != 200 {
		s += fmt.Sprintf(", status %d", code)
	}
	return s + fmt.Sprintf(", answered »%s«", oneLine(answer(i.Response.Body), commentWords))
}

// model is the model that a call asks, in the APIs of Ollama and OpenAI alike.
func (q question) model() string { return q.json.get("model").text() }

// lastLine is the last line of what a model is asked: prompts put there what
// differs from call to call.
func (q question) lastLine() string {
	text := cmp.Or(q.json.get("prompt").text(), q.json.get("input").text())
	for _, m := range q.json.get("messages").items {
		if m.get("role").text() == "user" {
			text = m.get("content").text()
		}
	}
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}

// answer is what a model answered, joined where it was streamed; the whole
// body where it is another answer.
func answer(body string) string {
	if v, ok := parseJSON(body); ok {
		return cmp.Or(answerPart(v), body)
	}
	var b strings.Builder
	for line := range strings.Lines(body) {
		if v, ok := parseJSON(strings.TrimPrefix(line, "data:")); ok {
			b.WriteString(answerPart(v))
		}
	}
	return cmp.Or(b.String(), body)
}

func answerPart(v value) string {
	part := cmp.Or(v.get("message").get("content").text(), v.get("response").text())
	for _, choice := range v.get("choices").items {
		part += choice.get("message").get("content").text() + choice.get("delta").get("content").text()
	}
	return part
}

// oneLine gives the first runes of s on one line, printable ones alone.
func oneLine(s string, runes int) string {
	s = strings.ToValidUTF8(s[:min(len(s), 8*runes)], "")
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > runes {
		return string(r[:runes-1]) + "…"
	}
	return s
}
