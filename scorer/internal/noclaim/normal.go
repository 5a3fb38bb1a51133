package noclaim

import (
	"regexp"
	"strings"
	"unicode"
)

// sayable reports whether s has a letter or digit outside of a code fence's
// opening line.
func sayable(s string) bool {
	if fence.MatchString(s) {
		return false
	}
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

var (
	fence   = regexp.MustCompile("^\\s*(?:`{3,}|~{3,})\\s*[a-zA-Z0-9+#-]{0,15}\\s*$")
	leading = regexp.MustCompile(`^(?:\s|[#>*+_~•·▪◦‣●○–—-]|\d{1,2}[.)]\s|(?:\d{1,2}|[一二三四五六七八九十]{1,3})、|[(（](?:\d{1,2}|[一二三四五六七八九十]{1,3})[)）])+`)
	quotes  = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u00a0", " ")
)

// normal is a sentence as the forms are matched: lower case, without markers,
// emphasis, emoji, outer quotes and final signs, single spaces; Chinese has none.
func normal(s string) string {
	s = leading.ReplaceAllString(quotes.Replace(s), "")
	s = strings.TrimFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("$€£¥%+-", r)
	})
	s = strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("**", "", "__", "").Replace(s)), " "))
	if hasHan(s) {
		s = strings.ReplaceAll(s, " ", "")
	}
	return s
}

// asked is the question as sentences are compared with it.
func asked(question string) string {
	return normal(question[max(0, len(question)-maxQuestion):])
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
