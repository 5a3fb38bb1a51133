package noclaim

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// isQuestion reports whether a sentence asks.
func isQuestion(s string) bool {
	s = strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_\"”'’)）!！", r) || unicode.IsSymbol(r)
	})
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "吗") || strings.HasSuffix(s, "呢")
}

// isTopic reports whether a topic takes its words from the question.
func isTopic(topic, question string) bool {
	question = asked(question)
	if hasHan(topic) {
		return strings.Contains(question, topic)
	}
	words := strings.Fields(topic)
	known := strings.FieldsFunc(question, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.?!\"()", r) })
	return len(words) <= maxTopic && !slices.ContainsFunc(words, func(w string) bool {
		return !small[w] && !slices.Contains(known, w)
	})
}

// small are words that a topic or heading may have and its question not.
var small = set("a an the this that your our my of on in for to and about with")

// echoes reports whether s, a question, only repeats the user's question or a
// part of it.
func echoes(s, question string) bool {
	q := asked(question)
	if s == "" || q == "" {
		return false
	}
	first, _, _ := strings.Cut(s, " ")
	return hasHan(s) && strings.Contains(q, s) && len(s) > 2*len("吗") ||
		interrogatives[first] && slices.Contains(strings.Fields(q), first) && isTopic(s, question)
}

var interrogatives = set("what which who whose when where how is are do does did can could will would should was were has have")

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

var (
	part        = regexp.MustCompile(`[^.!?。！？\n]+[.!?。！？]?`)
	auxiliary   = regexp.MustCompile(`(?:^|[,;:]\s*)(?:and |so |but )?(?:is|are|was|were|do|does|did|has|have|had|will|would|should|can|could|may|might|must|am)(?:n't)?\s|\bor\b`)
	interrogate = regexp.MustCompile(`\b(?:what|which|who|whom|whose|when|where|why|how)\b|什么|啥|多少|多久|多长|多大|多远|几|哪|谁|怎|为何|如何|何时|何地`)
	request     = regexp.MustCompile(`\b(?:can|could|would|will) you (?:please |kindly )?(?:tell|help|explain|give|show|describe|summari[sz]e|list|find|check|look|write|translate|clarify|elaborate|compare|recommend|suggest)\b|\bdo you know wh`)
	whether     = regexp.MustCompile(`\b(?:if|whether|or)\b`)
	chineseYes  = regexp.MustCompile(`吗|吧|是否|是不是|有没有|能不能|可不可以|会不会|要不要|行不行|好不好|对不对|还是|能否|可否|或者`)
)

// isYesNo reports whether a word of the question, or "sure", could answer it:
// unless it plainly asks what, how and so on, or requests something.
func isYesNo(question string) bool {
	if len(question) > maxQuestion || chineseYes.MatchString(question) {
		return true
	}
	for _, p := range part.FindAllString(strings.ToLower(quotes.Replace(question)), -1) {
		p = strings.TrimSpace(p)
		if request.MatchString(p) && !whether.MatchString(p) {
			continue
		}
		if auxiliary.MatchString(p) || (strings.HasSuffix(p, "?") || strings.HasSuffix(p, "？")) && !interrogate.MatchString(p) {
			return true
		}
	}
	return false
}
