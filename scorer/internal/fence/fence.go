// Package fence marks where a text begins and ends in a prompt, so that
// nothing in the text can pose as its end or as what follows.
package fence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Fences mark the blocks of one prompt.
type Fences struct{ texts []string }

// Around makes fences for a prompt that shows these texts.
func Around(texts ...string) Fences { return Fences{texts} }

// Wrap puts a text between two lines that carry its name and marker: a short
// word made from the text's own hash, raised until none of the prompt's texts
// has it. So a block that several prompts show looks the same in all of them,
// as a server's prompt cache and a recording want it.
func (f Fences) Wrap(name, text string) string {
	m := f.marker(text, 8)
	return fmt.Sprintf("[%s %s]\n%s\n[end %s]", name, m, text, m)
}

func (f Fences) marker(text string, length int) string {
	for raise := 0; ; raise++ {
		h := sha256.Sum256(fmt.Appendf(nil, "%d %s", raise, text))
		m := hex.EncodeToString(h[:])[:length]
		if !slices.ContainsFunc(f.texts, func(t string) bool { return strings.Contains(t, m) }) {
			return m
		}
	}
}

// Line folds every run of white space, line breaks and control characters to
// one space, for a text that is listed on a line of its own.
func Line(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
