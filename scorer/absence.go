package scorer

import (
	"regexp"

	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// absences are the forms of a claim about what the context lacks. Their last
// group is what is said to be lacking.
var absences = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:the |these |this |your |provided |given |available )*(?:context|documents?|passages?|texts?|sources?|information|data|results?) (?:do|does|did)(?: not|n['’]t) (?:say|state|mention|specify|include|contain|provide|give|cover|indicate|describe)(?: any| an?)?(?: information| details?| data)?(?: on| about| of| regarding)? (.+)$`),
	regexp.MustCompile(`(?i)^(?:there is|i (?:have|found|see)) no (?:information|mention|data|details?) (?:on|about|of|regarding) (.+?)(?: in the (?:provided |given )?(?:context|documents?|passages?|text|sources?))?[.!]?$`),
	regexp.MustCompile(`^(?:根据)?(?:所?提供的|给定的)?(?:上下文|文档|文件|资料|文本|材料|信息)(?:中|里)?(?:并)?(?:没有|未)(?:提到|提及|说明|给出|包含|提供)(?:任何)?(?:关于|有关)?(.+?)(?:的信息|的内容)?[。.]?$`),
}

// lacks reports whether a claim says that the context does not speak of
// something, and code finds none of that something's words, numbers and names
// in the context. Such a claim can have no quote.
func lacks(claim string, context *evidence.Context) bool {
	for _, form := range absences {
		m := form.FindStringSubmatch(claim)
		if m == nil {
			continue
		}
		lacking := m[len(m)-1]
		return len(text.Words(lacking)) > 0 && context.Ranks(lacking) && !context.Speaks(lacking)
	}
	return false
}
