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

// Marker is a short word, made from the texts' own hash, that occurs in none
// of them. Equal texts give equal markers, so that prompts stay the same.
func Marker(texts ...string) string { return marker(8, texts) }

func marker(length int, texts []string) string {
	for salt := 0; ; salt++ {
		h := sha256.New()
		for _, t := range texts {
			fmt.Fprintf(h, "%d:%s", len(t), t)
		}
		fmt.Fprintf(h, "salt %d", salt)
		m := hex.EncodeToString(h.Sum(nil))[:length]
		if !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, m) }) {
			return m
		}
	}
}

// Wrap puts text between two lines that carry the marker.
func Wrap(marker, name, text string) string {
	return fmt.Sprintf("[%s %s]\n%s\n[end %s]", name, marker, text, marker)
}

// Line folds every run of white space, line breaks and control characters to
// one space, for a text that is listed on a line of its own.
func Line(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
