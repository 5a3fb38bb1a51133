package scorer

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// absences are the forms of a claim about what the context lacks. Their last
// group is what is said to be lacking.
var absences = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:the |these |this |your |provided |given |available )*(?:context|documents?|passages?|texts?|sources?|information|data|results?) (?:do|does|did)(?: not|n['’]t) (?:say|state|mention|specify|include|contain|provide|give|cover|indicate|describe)(?: any| an?)?(?: information| details?| data)?(?: on| about| of| regarding)? (.+?)[.!]?$`),
	regexp.MustCompile(`(?i)^(?:there is|i (?:have|found|see)) no (?:information|mention|data|details?) (?:on|about|of|regarding) (.+?)(?: in the (?:provided |given )?(?:context|documents?|passages?|text|sources?))?[.!]?$`),
	regexp.MustCompile(`(?i)^(.+?) (?:is|are|was|were)(?: not|n['’]t) (?:mentioned|stated|specified|covered|described|included|given|provided)(?: anywhere)? in the (?:provided |given )?(?:context|documents?|passages?|text|sources?)[.!]?$`),
	regexp.MustCompile(`^(?:根据)?(?:所?提供的|给定的)?(?:上下文|文档|文件|资料|文本|材料|信息)(?:中|里)?(?:并)?(?:没有|未)(?:提到|提及|说明|给出|包含|提供)(?:任何)?(?:关于|有关)?(.+?)(?:的信息|的内容)?[。.]?$`),
}

// lackingIn is what a claim says that the context does not speak of: "gift
// cards" of "The context does not mention gift cards." It is empty for any
// other claim. No quote can support such a claim, so it is turned round: the
// judge is asked whether the context speaks of gift cards.
func lackingIn(claim string) string {
	for _, form := range absences {
		if m := form.FindStringSubmatch(claim); m != nil && len(text.Words(m[len(m)-1])) > 0 {
			return m[len(m)-1]
		}
	}
	return ""
}

// speaksOf words the question that is asked in place of a claim of absence.
func speaksOf(lacking string) string {
	if text.SameScript(lacking, "资料") {
		return fmt.Sprintf("资料中提到了%s。", lacking)
	}
	return fmt.Sprintf("The context says something about %s.", lacking)
}

// turnedRound turns a look at what a claim says is lacking into a look at the
// claim: it is contradicted by a quote, and supported where the judge finds
// none; unless code finds a sentence with all its words.
func (v *judgeVerifier) turnedRound(f *finding, l look) look {
	switch {
	case len(l.pieces) > 0 && l.said != Unsupported:
		l.Kind, l.said = Contradicted, Contradicted
		if l.Reason == "" {
			l.Reason = "the context does speak of it"
		}
		return l
	case l.said != Unsupported && v.mayTouch(f.lacking): // without a quote it is no opinion
		l.Kind, l.said, l.Source = Inconclusive, Inconclusive, "code"
		l.Reason = "the judge says that the context speaks of it, but quotes nothing that does"
		return l
	}
	l.pieces, l.Evidence = nil, nil
	if piece, speaks := v.context.Speaks(f.lacking); speaks {
		l.Kind, l.said, l.Source = Inconclusive, Inconclusive, "code"
		l.Reason = "the judge finds nothing about it, but the context says " + excerpt(piece.Text)
		l.Evidence = []Quote{quoteOf(piece)}
		return l
	}
	l.Kind, l.said, l.Source = Supported, Supported, "absence"
	return l
}

// mayTouch reports whether the context has a word, number or name of s, or is
// in another script, where that cannot be told.
func (v *judgeVerifier) mayTouch(s string) bool {
	return !v.context.Ranks(s) || slices.ContainsFunc(text.Words(s), v.context.Knows)
}

// sweeping are claims that one sentence of the context cannot settle.
var sweeping = regexp.MustCompile(`(?i)\b(?:only|solely|exclusively|all|every|each|always|everyone|everybody|everything|never|none|nobody|nothing|no one)\b|[只仅]|所有|全部|每|任何|总是|从不|从未|从来|没有任何|绝不`)

// needsAll reports whether a claim needs every part of a long context to be
// read: claims of absence, "only", "all" and "never", and those that no words
// can be found by.
func (v *judgeVerifier) needsAll(f *finding) bool {
	return f.lacking != "" || sweeping.MatchString(f.claim.Text) || !v.context.Ranks(f.about)
}
