package reply

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Doubled gives a key that an object of valid JSON has twice, in whatever
// case: decoders would take one of the two values without a word.
func Doubled(valid json.RawMessage) string {
	var open []map[string]bool // the keys of each container; nil for an array
	isKey := false             // whether the next string is one
	for at := 0; at < len(valid); at++ {
		switch valid[at] {
		case '{':
			open = append(open, map[string]bool{})
			isKey = true
		case '[':
			open = append(open, nil)
			isKey = false
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			isKey = open[len(open)-1] != nil
		case '"':
			end := stringEnd(valid, at)
			if isKey {
				key := unquoted(valid[at:end])
				keys, folded := open[len(open)-1], fold(key)
				if keys[folded] {
					return key
				}
				keys[folded] = true
				isKey = false
			}
			at = end - 1
		}
	}
	return ""
}

// stringEnd is where the string that begins at start has ended.
func stringEnd(valid []byte, start int) int {
	at := start + 1
	for valid[at] != '"' {
		if valid[at] == '\\' {
			at++
		}
		at++
	}
	return at + 1
}

func unquoted(literal []byte) string {
	var s string
	_ = json.Unmarshal(literal, &s) // a valid string
	return s
}

// fold gives equal names to keys that encoding/json takes for equal: it
// compares by Unicode's simple folding, by which ſ is s and the Kelvin sign k.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				return next // the smallest of all that are equal
			}
			r = next
		}
	}, strings.ToValidUTF8(key, string(utf8.RuneError)))
}
