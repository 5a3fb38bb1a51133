package cassettes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

const (
	maxDiffLines = 24
	maxLine      = 160 // runes of a text's line in a difference
	shortValue   = 60  // runes of a JSON value that is shown whole
)

// difference is one thing in which a call differs from a recorded one.
type difference struct {
	what   string // for programs: "model"
	reason string // a clause of the first line
	lines  []string
}

// differences compares a call with a recorded one, what explains most first.
func differences(wasFor string, was question, isFor string, is question) []difference {
	var all []difference
	short := func(what, reason, was, is string) {
		if was != is {
			was, is = cmp.Or(oneLine(was, shortValue), "none"), cmp.Or(oneLine(is, shortValue), "none")
			all = append(all, difference{what, fmt.Sprintf(reason, was, is), []string{fmt.Sprintf("%-10s recorded %s, now %s", what, was, is)}})
		}
	}
	short("call", "it was recorded as %s, now %s", was.method+" "+was.uri, is.method+" "+is.uri)
	short("label", "recorded for %s, now %s", wasFor, isFor)
	short("model", "recorded with %s, now %s", was.model(), is.model())
	if was.json.kind == '{' && is.json.kind == '{' {
		all = append(all, memberDifferences(was.json, is.json)...)
		if all != nil {
			return all
		}
	}
	return append(all, textDifference("body", "its body has changed", was.body(), is.body())...)
}

// memberDifferences compares the members of two requests' bodies.
func memberDifferences(was, is value) []difference {
	var all []difference
	for _, name := range names(was, is) {
		a, b := was.get(name), is.get(name)
		if a.ignored || b.ignored {
			continue
		}
		switch name {
		case "model": // compared before
		case "messages":
			all = append(all, messageDifferences(a.items, b.items)...)
		case "system", "instructions":
			all = append(all, textDifference("system", "its system text has changed", a.readable(), b.readable())...)
		case "prompt":
			all = append(all, textDifference(name, "its prompt has changed", a.readable(), b.readable())...)
		case "format", "response_format":
			all = append(all, textDifference("schema", "its schema has changed", a.readable(), b.readable())...)
		case "options":
			for _, option := range names(a, b) {
				all = append(all, valueDifference("option "+option, a.get(option), b.get(option))...)
			}
		default:
			all = append(all, valueDifference(name, a, b)...)
		}
	}
	// Prompts say most; their differences are the longest, and come last.
	slices.SortStableFunc(all, func(a, b difference) int { return cmp.Compare(len(a.lines), len(b.lines)) })
	return all
}

// names lists the members of both, in their order.
func names(a, b value) []string {
	var all []string
	for _, m := range slices.Concat(a.members, b.members) {
		if !slices.Contains(all, m.name) {
			all = append(all, m.name)
		}
	}
	return all
}

func messageDifferences(was, is []value) []difference {
	var all []difference
	for n := range max(len(was), len(is)) {
		var a, b value
		if n < len(was) {
			a = was[n]
		}
		if n < len(is) {
			b = is[n]
		}
		role := cmp.Or(b.get("role").text(), a.get("role").text(), "unnamed")
		title := fmt.Sprintf("message %d (%s)", n+1, oneLine(role, shortValue))
		what, reason := "prompt", "its prompt has changed"
		if role == "system" || role == "developer" {
			what, reason = "system", "its system text has changed"
		}
		content := textDifference(what, reason, a.get("content").readable(), b.get("content").readable())
		if content == nil { // the role, a picture, a tool's call
			content = textDifference("prompt", "its messages have changed", a.readable(), b.readable())
		}
		for _, d := range content {
			d.lines[0] = title + ":"
			all = append(all, d)
		}
	}
	return all
}

// valueDifference shows short values in a line, others line by line.
func valueDifference(name string, was, is value) []difference {
	name = oneLine(name, shortValue)
	a, b := string(was.canonical(nil)), string(is.canonical(nil))
	reason := fmt.Sprintf("its %s has changed", name)
	if utf8.RuneCountInString(a) > shortValue || utf8.RuneCountInString(b) > shortValue {
		return textDifference(name, reason, was.readable(), is.readable())
	}
	if a == b {
		return nil
	}
	return []difference{{name, reason, []string{
		fmt.Sprintf("%-10s recorded %s, now %s", name, cmp.Or(a, "none"), cmp.Or(b, "none")),
	}}}
}

// readable is a string's text, and any other value as indented JSON.
func (v value) readable() string {
	if v.kind == '"' {
		return v.text()
	}
	return string(v.indented())
}

// textDifference shows the lines that differ, with two lines around them.
func textDifference(what, reason, was, is string) []difference {
	if was == is {
		return nil
	}
	was, is = foldLines(was), foldLines(is)
	diff, err := udiff.ToUnified("", "", was, udiff.Lines(was, is), 2)
	if err != nil {
		diff = err.Error()
	}
	if diff == "" {
		diff = "\n\nonly where lines break"
	}
	lines := []string{what + ":"}
	for n, line := range slices.Collect(strings.Lines(diff)) {
		if n >= 2 { // after the names of files
			lines = append(lines, "  "+visible(line))
		}
	}
	if len(lines) > maxDiffLines {
		more := len(lines) - maxDiffLines + 1
		lines = append(lines[:maxDiffLines-1], fmt.Sprintf("  … and %d lines more", more))
	}
	return []difference{{what, reason, lines}}
}

// visible drops what would disturb a terminal.
func visible(line string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, line)
}

// foldLines breaks long lines after sentences, so that a change stays on the
// lines that it is in, and where there are none at a fixed length.
func foldLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		long := utf8.RuneCountInString(line) > maxLine
		length, ended := 0, false
		var last rune
		for _, r := range line {
			if length >= maxLine || length >= maxLine/4 && ended && long {
				b.WriteByte('\n')
				length = 0
			}
			b.WriteRune(r)
			ended = r == ' ' && strings.ContainsRune(".!?", last) || strings.ContainsRune("。！？", r)
			last = r
			length++
		}
		b.WriteByte('\n')
	}
	return b.String()
}
