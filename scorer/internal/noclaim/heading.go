package noclaim

import (
	"slices"
	"strings"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// isHeading reports whether sentence looks like a heading and has no words
// but those of headings and, unless they could answer it, the question's.
func isHeading(sentence, question string) bool {
	trimmed := strings.TrimSpace(sentence)
	marked := strings.HasPrefix(trimmed, "#") || strings.HasSuffix(strings.TrimRight(trimmed, "*_ "), ":") || strings.HasSuffix(trimmed, "：") ||
		strings.HasPrefix(trimmed, "**") && strings.HasSuffix(trimmed, "**") || strings.HasPrefix(trimmed, "__") && strings.HasSuffix(trimmed, "__")
	s := strings.Trim(normal(sentence), ":： ")
	words := strings.Fields(headingSigns.Replace(s))
	if len(words) == 0 || len(words) > maxHeading {
		return false
	}
	known := func(w string) bool {
		return slices.ContainsFunc(languages(), func(l language) bool { return l.headings[w] })
	}
	isAsked := func(w string) bool {
		content := text.Words(w)
		return marked && len(content) > 0 && !isYesNo(question) &&
			(hasHan(w) && strings.Contains(asked(question), w) || !hasHan(w) && subset(content, text.Words(asked(question))))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return small[w] })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !known(w) && !isAsked(w) })
}

var headingSigns = strings.NewReplacer("/", " ", "&", " ", ",", " ")

func subset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(w string) bool { return !slices.Contains(of, w) })
}
