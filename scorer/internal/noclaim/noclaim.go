// Package noclaim tells the sentences of an output that state nothing and so
// need no judge: greetings, offers of help, lead-ins, headings, questions,
// "I don't know". The forms are closed lists, matched against whole sentences;
// what they leave open may hold words of the user's question only. So a
// sentence that says anything of its own is never one of them, and in doubt a
// sentence is judged.
package noclaim

import (
	"regexp"
	"slices"
)

const (
	maxSentence = 300  // bytes; what is longer says something
	maxQuestion = 4096 // bytes, the last ones, that are looked at
	maxTopic    = 8    // words that a slot may take over from the question
	maxHeading  = 6    // words
	maxCommas   = 4    // in a sentence
)

// Is reports whether sentence states nothing that could be judged. question is
// what the user asked; words of it add nothing when they are repeated.
func Is(sentence, question string) bool {
	if len(sentence) > maxSentence {
		return false
	}
	if !sayable(sentence) {
		return true
	}
	s := normal(sentence)
	switch {
	case hasOwnWord(s, question):
		return false
	case isHeading(sentence, question):
		return true
	case isQuestion(sentence):
		return matches(s, question, "question", "greeting") || echoes(s, question)
	}
	return matches(s, question, statements...)
}

// Abstains reports whether sentence declines to answer for want of knowledge:
// "I don't know", "The documents do not say how long it takes".
func Abstains(sentence string) bool {
	if len(sentence) > maxSentence || isQuestion(sentence) {
		return false
	}
	return declines(normal(sentence))
}

// declines reports whether s is a form of declining, alone or between commas
// beside others ("Based on the documents, I don't know").
func declines(s string) bool {
	isOne := func(part string) bool {
		return fits(part, "abstain", func(string) bool { return false }) ||
			fits(part, "lacks", func(slot string) bool { return !turns.MatchString(slot) })
	}
	if isOne(s) {
		return true
	}
	first, rest, found := cutComma(s)
	return found && (isOne(first) && (declines(rest) || matches(rest, "", statements...)) ||
		matches(first, "", statements...) && declines(rest))
}

// turns is where a sentence that declines goes on to state something.
var turns = regexp.MustCompile(`\b(?:but|however|although|though|except|because|only)\b|但|不过|而是|只|因为|除了`)

// hasOwnWord reports whether s has a word that neither a form nor the question
// has: it says something of its own, no form needs to be tried.
func hasOwnWord(s, question string) bool {
	known := wordsOf(asked(question))
	return slices.ContainsFunc(wordsOf(s), func(w string) bool {
		return !small[w] && !slices.ContainsFunc(languages(), func(l language) bool { return l.words[w] }) && !slices.Contains(known, w)
	})
}

// statements are the sections of the lists that are no questions.
var statements = []string{"greeting", "thanks", "apology", "reply", "offer", "signoff", "leadin", "abstain"}

// matches reports whether s is a form of one of the sections, or several with
// commas between them ("Sure, here is what I found").
func matches(s, question string, sections ...string) bool {
	if len(comma.FindAllStringIndex(s, maxCommas+1)) > maxCommas {
		return false
	}
	isAsked := func(topic string) bool { return isTopic(topic, question) }
	one := func(part string) bool {
		return slices.ContainsFunc(sections, func(section string) bool {
			return fits(part, section, isAsked) && (section != "reply" || !isYesNo(question))
		})
	}
	if one(s) {
		return true
	}
	first, rest, found := cutComma(s)
	return found && one(first) && matches(rest, question, sections...)
}

var comma = regexp.MustCompile(`\s*(?:[,，、;；!！]|\s[-–—]+\s)\s*`)

func cutComma(s string) (first, rest string, found bool) {
	at := comma.FindStringIndex(s)
	if at == nil {
		return s, "", false
	}
	return s[:at[0]], s[at[1]:], true
}

// fits reports whether s is a form of the section and what stands in its
// slot, if it has one, is allowed.
func fits(s, section string, allowed func(slot string) bool) bool {
	for _, l := range languages() {
		for _, form := range l.forms[section] {
			m := form.FindStringSubmatch(s)
			if m != nil && !slices.ContainsFunc(m[1:], func(slot string) bool { return slot != "" && !allowed(slot) }) {
				return true
			}
		}
	}
	return false
}
