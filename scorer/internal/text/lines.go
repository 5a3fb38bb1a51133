package text

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// block is a stretch of a text that no sentence crosses.
type block struct {
	start, end int
	prose      bool // may hold several sentences
}

// blocks cuts s into blocks: a line each, but wrapped lines are one.
func blocks(s string) []block {
	var list []block
	fence, open := "", false // open: the last block may run on in the next line
	for start, end := range lines(s) {
		line := strings.TrimSpace(s[start:end])
		mark := fenceOf(line)
		switch {
		case line == "":
			open = false
			continue
		case fence != "":
			if strings.HasPrefix(mark, fence) && line == mark {
				fence = ""
			}
			list = append(list, block{start, end, false})
			open = false
			continue
		case mark != "":
			fence = mark
			list = append(list, block{start, end, false})
			open = false
			continue
		}
		row := isRow(line)
		if last := len(list) - 1; open && !row && runsOn(strings.TrimSpace(s[list[last].start:start]), line) {
			list[last].end = end
		} else {
			list = append(list, block{start, end, !row})
		}
		open = !row && line[0] != '#'
	}
	return list
}

// lineTag is a tag of HTML after which a line ends.
var lineTag = regexp.MustCompile(`(?i)<(?:br\s*/?|/(?:p|div|li|[uo]l|h[1-6]|t[dhr]|blockquote))>`)

// withoutTags cuts the blocks of prose also where tags end a line.
func withoutTags(s string, list []block) []block {
	if !strings.Contains(s, "<") {
		return list
	}
	var cut []block
	for _, b := range list {
		if b.prose {
			start := b.start
			for _, tag := range lineTag.FindAllStringIndex(s[start:b.end], -1) {
				cut = append(cut, block{b.start, start + tag[1], true})
				b.start = start + tag[1]
			}
		}
		cut = append(cut, b)
	}
	return cut
}

// lines yields the byte offsets of each line without its line break.
func lines(s string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := 0
		for i, r := range s {
			if r == '\n' && i > 0 && s[i-1] == '\r' {
				start = i + 1
				continue
			}
			switch r {
			case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
				if !yield(start, i) {
					return
				}
				start = i + utf8.RuneLen(r)
			}
		}
		yield(start, len(s))
	}
}

// fenceOf is the run of backticks or tildes that opens or closes a code
// block, or nothing.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, c) {
			return line[:n]
		}
	}
	return ""
}

// isRow reports whether a line is a row of a Markdown table.
func isRow(line string) bool {
	return line[0] == '|' || strings.Contains(line, " | ")
}

// marker is what stands before the text of a line: quote signs, heading
// signs, bullets and numbers, in any order.
var marker = regexp.MustCompile(`^(?:\s*(?:>|#{1,6}(?:\s|$)|[-*+•·▪◦‣●○–—](?:\s|$)|\*\*(?:\d{1,3}[.)]\s)|[(（]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[)）](?:\s|$)|\d{1,3}[.．](?:\s|$)|(?:[a-z]|[ivx]{2,4})\.\s|(?:\d{1,3}|[一二三四五六七八九十]{1,3})、|[(（](?:\d{1,3}|[一二三四五六七八九十]{1,3})[)）]))+\s*`)

// markerLen is the length of the marker at the start of a line.
func markerLen(line string) int {
	return len(marker.FindString(line[:min(len(line), 64)]))
}

// runsOn reports whether line plainly continues the text before it. A bare
// marker belongs to the line after it.
func runsOn(before, line string) bool {
	before = before[strings.LastIndexAny(before, "\n\r")+1:]
	switch {
	case markerLen(line) > 0 || strings.ContainsAny(line[:1], "-=*_") || strings.Trim(before, " \t-=*_") == "":
		return false
	case markerLen(before) == len(before):
		return strings.ContainsFunc(before, unicode.IsDigit)
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	if strings.ContainsRune(".!?:;。！？：；…", last) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(first) || leadsOn[strings.ToLower(lastWord(before))]
}
