package reply

import (
	"encoding/json"
	"strings"
)

// withoutThinking drops what a model thought aloud, also where the opening or
// the closing mark is missing. Marks inside the JSON's own strings are part
// of the answer: a reply that is JSON as a whole is not searched.
func withoutThinking(text string) string {
	if trimmed := strings.TrimSpace(text); json.Valid([]byte(trimmed)) {
		return trimmed
	}
	var kept strings.Builder
	inside := false
	for {
		start, end, closing := mark(text)
		if start < 0 {
			break
		}
		switch {
		case closing && !inside:
			kept.Reset() // all so far was thinking
		case !closing && !inside:
			kept.WriteString(text[:start])
		}
		inside = !closing
		text = text[end:]
	}
	if !inside {
		kept.WriteString(text)
	}
	return kept.String()
}

// mark finds the first mark that opens or closes thinking; start is negative
// where there is none.
func mark(text string) (start, end int, closing bool) {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return -1, -1, false
		}
		at += next
		name, closing := strings.CutPrefix(text[at+1:], "/")
		for _, word := range []string{"think", "thinking", "thought", "reasoning"} {
			if len(name) > len(word) && name[len(word)] == '>' && strings.EqualFold(name[:len(word)], word) {
				return at, len(text) - len(name) + len(word) + 1, closing
			}
		}
	}
}
