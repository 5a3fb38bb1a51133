package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What closes after, and what opens before, a sentence.
const (
	closers      = "\"'”’»)]}*_`~）」』】》〉"
	superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹" // of notes
	openers      = "\"'“‘«([{*_`~（「『【《〈"
)

// ends reports whether the break that Unicode's rules put at really ends the
// sentence that starts at last.
func ends(s string, last, at int) bool {
	before := tailOf(s[last:at])
	trimmed := strings.TrimRightFunc(before, unicode.IsSpace)
	core := strings.TrimRightFunc(trimmed, func(r rune) bool {
		return strings.ContainsRune(closers+superscripts, r) || unicode.Is(unicode.Cf, r)
	})
	core = strings.TrimRight(core, " ") // « C'est gratuit. »
	after := strings.TrimLeftFunc(headOf(s[at:]), unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, openers))
	end, _ := utf8.DecodeLastRuneInString(core)
	spaced := len(trimmed) < len(before)
	switch {
	case end == '…' && spaced:
		return unicode.IsUpper(next)
	case !unicode.Is(unicode.Sentence_Terminal, end):
		return noteTail(core)
	case !spaced && !isWide(end) && next < utf8.RuneSelf:
		// No space: part of an address or a name, or a space forgotten.
		word := lastField(core)
		return unicode.IsUpper(next) && !strings.ContainsAny(word, "/=@") && len(word) > 1
	case !spaced && isWide(next) && strings.HasSuffix(core, ".."):
		return false // 他想了想...然后走了。
	case strings.HasSuffix(trimmed, "’") && next != utf8.RuneError && strings.Count(before, "“") > strings.Count(before, "”"):
		return false // a quotation inside of another one
	case isWide(end) && len(core) < len(trimmed) && saidAfter.MatchString(after):
		return false // “真的吗？”他说。
	case (end == '!' || end == '?' || end == '！' || end == '？') && unicode.IsLower(next):
		return len(core) == len(trimmed) // "Stop!" he said.
	case end != '.':
		return true
	case unicode.IsLower(next) && len(core) < len(trimmed):
		return false
	}
	return !abbreviated(strings.TrimSuffix(core, "."), after)
}

// saidAfter is what goes on with a sentence after a quotation.
var saidAfter = regexp.MustCompile(`^\p{Han}{0,4}(?:说|道|问|表示|称|回答|写道)`)

// noteTail reports whether core ends in the mark of a note that follows the
// end of a sentence, its closing bracket already trimmed.
func noteTail(core string) bool {
	open := strings.LastIndexAny(core, "[【")
	return open > 0 && strings.ContainsRune(".!?。！？", lastRune(strings.TrimRight(core[:open], "]】 0123456789[【^,-")))
}

// lowerBreaks finds, between from and to, ends of sentences that are followed
// by a lower-case letter: Unicode's rules never break there.
func lowerBreaks(s string, from, to int) []int {
	var list []int
	for i := from; i < to; {
		at := strings.Index(s[i:to], ". ")
		if at < 0 {
			break
		}
		i += at + 2
		word := lastField(tailOf(s[from : i-2]))
		next, _ := utf8.DecodeRuneInString(s[i:to])
		if unicode.IsLower(next) && (isLowerWord(word) && len(word) > 2 || word == "") && !shortened[word] {
			list = append(list, i)
		}
	}
	return list
}

func isLowerWord(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) })
}

// isWide reports whether r is written without spaces around it.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}
