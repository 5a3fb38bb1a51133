package text

import (
	"maps"
	"strings"
)

// set is the set of the words of a list.
func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// unique is a list that takes each item once.
type unique struct {
	items []string
	seen  map[string]bool
}

func (u *unique) add(item string) {
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	if item != "" && !u.seen[item] {
		u.seen[item] = true
		u.items = append(u.items, item)
	}
}
