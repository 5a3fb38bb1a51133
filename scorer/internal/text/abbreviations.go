package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Abbreviations, without their full stop, by what may follow them in the same
// sentence.
var (
	// whatever follows
	titles = set(`dr mr mrs ms mx prof st mt ft gen sen rep gov capt cmdr lt col maj sgt cpl rev hon fr sr sra
		messrs vs v e.g i.e eg ie cf viz approx ca resp incl esp dept univ assn bros al`)
	// a number
	numbered = set(`no nos nr sect sects fig figs eq eqs sec secs ch chap vol vols art arts p pp para paras tab tbl app
		ver rev ed ref refs`)
	months = set(`jan feb mar apr jun jul aug sep sept oct nov dec`)
	// anything but a word that often starts a sentence
	entities = set(`u.s u.k u.n e.u u.s.a d.c inc ltd corp co cos llc plc gmbh bros jr sr ph.d m.d b.a m.a m.sc b.sc
		ave blvd rd hwy`)
	// a day, a month or a time zone
	times = set(`a.m p.m`)
	// all of them, and those that only a lower-case word follows
	shortened = union(titles, numbered, months, entities, times, set(`etc min max avg std temp tel ext dist govt intl natl misc orig
		sq cu oz lb lbs kg km cm mm ml hr hrs sec secs mins wk wks mo mos yr yrs qty ave abbr cont dep div lit trans pl sing`))

	days = set(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july
		august september october november december`)
)

// abbreviated reports whether the full stop after word, the end of before,
// belongs to an abbreviation, number or initial rather than ending a sentence
// that after would follow.
func abbreviated(before, after string) bool {
	word := strings.TrimLeft(lastField(before), openers)
	lower := strings.ToLower(word)
	next, _ := utf8.DecodeRuneInString(after)
	nextWord := strings.ToLower(after[:wordLen(after)])
	switch {
	case word == "":
		return false
	case isMarkerNumber(word):
		// "Steps: 1. Open it. 2. Close it."
		rest := strings.TrimSpace(before[:len(before)-len(word)])
		return rest == "" || strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "：")
	case (numbered[lower] || months[lower]) && (unicode.IsDigit(next) || next == '#'):
		return true
	case titles[lower]:
		return true
	case entities[lower]:
		return !starters[nextWord]
	case times[lower]:
		zone := after[:len(nextWord)]
		return days[nextWord] || len(zone) > 1 && strings.ToUpper(zone) == zone
	}
	return isInitial(before, word) && unicode.IsUpper(next) && !starters[nextWord]
}

// isMarkerNumber reports whether word can number an item of a list.
func isMarkerNumber(word string) bool {
	return len(word) > 0 && len(word) <= 2 && strings.Trim(word, "0123456789") == ""
}

// isInitial reports whether word, the end of before, is the initial of a name.
func isInitial(before, word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	if n == 0 || !unicode.IsUpper(r) {
		return false
	}
	if n < len(word) { // "J.K"
		return len(word) <= 5 && strings.Count(word, ".") == (len(word)-1)/2 && strings.ToUpper(word) == word
	}
	previous := lastWord(strings.TrimRight(before[:len(before)-n], ". "))
	first, _ := utf8.DecodeRuneInString(previous)
	return previous == "" || word != "I" && (unicode.IsUpper(first) || stopWords[previous]) // not "plan B"
}

// leadsOn are words that no line of prose ends in unless it is wrapped.
var leadsOn = set(`a an the of by to in on at for from with and or but nor that which who whose is are was were be been has have had
	will would can could may might must shall should this these those its their his her our your my as than into within
	between about over under per not very`)

// starters are words that often start a sentence and are no name.
var starters = union(leadsOn, stopWords, set(`however although though while when where whenever once since because if unless until
	after before during despite according based also additionally moreover furthermore therefore thus hence meanwhile
	overall finally first firstly second secondly third lastly next then still yet instead otherwise yesterday today tomorrow
	recently currently usually often sometimes generally typically please note yes no ok okay sure certainly hello hi hey thanks
	thank sorry unfortunately fortunately here there it he she they we you what why how let see another each every many most
	some several few all both either neither such one two three four five six seven eight nine ten customers people users`))
