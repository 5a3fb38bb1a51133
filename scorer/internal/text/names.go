package text

import (
	"regexp"
	"strings"
)

// Names gives the names of s, lower-cased, in order of appearance and without
// duplicates: runs of capitalised words ("steve jobs", "bank of england"),
// acronyms ("nasa", "us" for U.S.), words with inner capitals or digits
// ("iphone", "gpt4") and titles in 《》. A single capitalised word that starts
// a sentence counts only where s capitalises it inside a sentence too.
func Names(s string) []string {
	words := capitalised(s)
	inner := map[string]bool{} // words that are capitalised inside a sentence
	for _, w := range words {
		if w.kind == name && !w.starts {
			inner[w.canonical] = true
		}
	}
	var list unique
	for i := 0; i < len(words); {
		run := 1
		for i+run < len(words) && words[i+run].joins {
			run++
		}
		list.add(nameOf(words[i:i+run], inner))
		i += run
	}
	for _, m := range bookTitle.FindAllStringSubmatch(s, -1) {
		list.add(strings.ToLower(strings.TrimSpace(m[1])))
	}
	return list.items
}

var bookTitle = regexp.MustCompile(`《([^《》\n]{1,200})》`)

// connectors stand inside names.
var connectors = set(`of the de la le du des del di da von van der den el al bin ibn for`)

// joint reports whether the gap between two capitalised words joins them to
// one name, and by what words; dotted: a full stop may stand in it.
func joint(gap string, dotted bool) (link string, joins bool) {
	if dotted {
		gap = strings.TrimPrefix(gap, ".")
	}
	if dotted && gap == "" { // J.K.
		return "", true
	}
	if len(gap) > 24 || gap == "" || gap[0] != ' ' || gap[len(gap)-1] != ' ' {
		return "", false
	}
	words := strings.Fields(gap)
	for _, w := range words {
		if !connectors[w] {
			return "", false
		}
		link += w + " "
	}
	return link, len(words) <= 2
}

// nameOf is the name that a run of capitalised words makes, or nothing.
func nameOf(run []capital, inner map[string]bool) string {
	for len(run) > 0 && isStarter(run[0]) {
		run = run[1:]
	}
	if len(run) == 0 {
		return ""
	}
	if first := run[0]; len(run) == 1 && (first.kind == initial ||
		first.kind == name && first.starts && !inner[first.canonical] && !days[first.canonical]) {
		return ""
	}
	var b strings.Builder
	b.WriteString(run[0].canonical)
	for _, w := range run[1:] {
		b.WriteString(" " + w.link + w.canonical)
	}
	return b.String()
}

// addresses are titles and marks that are no part of a name.
var addresses = union(set(`the a an mr mrs ms mx dr prof messrs st`), numbered)

// isStarter reports whether a word has its capital from the start of a
// sentence, or is an article or title.
func isStarter(c capital) bool {
	base := c.canonical
	if at := strings.IndexAny(base, "'’"); at > 0 {
		base = base[:at]
	}
	return addresses[base] && c.kind != acronym && !months[base] || c.starts && c.kind != mixed && c.kind != acronym && starters[base]
}
