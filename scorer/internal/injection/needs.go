package injection

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// order is a form of text with what a text needs to have it: one string of
// each list. Looking for strings is a hundred times faster than the form, and
// most sentences lack one.
type order struct {
	form  *regexp.Regexp
	needs [][]string
}

func (o order) matches(s string) bool {
	for _, list := range o.needs {
		if !slices.ContainsFunc(list, func(need string) bool { return strings.Contains(s, need) }) {
			return false
		}
	}
	return o.form.MatchString(s)
}

func compile(forms ...string) []order {
	list := make([]order, len(forms))
	for i, f := range forms {
		tree, err := syntax.Parse(f, syntax.Perl)
		if err != nil {
			panic(err) // the forms are ours and are tested
		}
		list[i] = order{regexp.MustCompile(`(?ms)` + f), needsOf(tree)}
	}
	return list
}

// needsOf reads off a form what every match of it has.
func needsOf(tree *syntax.Regexp) [][]string {
	switch {
	case tree.Op == syntax.OpLiteral:
		return [][]string{{string(tree.Rune)}}
	case tree.Op == syntax.OpCapture, tree.Op == syntax.OpPlus, tree.Op == syntax.OpRepeat && tree.Min > 0:
		return needsOf(tree.Sub[0])
	case tree.Op == syntax.OpConcat:
		var all [][]string
		for _, sub := range tree.Sub {
			all = append(all, needsOf(sub)...)
		}
		return all
	case tree.Op == syntax.OpAlternate:
		var either []string
		for _, sub := range tree.Sub {
			needs := needsOf(sub)
			if len(needs) == 0 {
				return nil
			}
			either = append(either, slices.MaxFunc(needs, func(a, b []string) int { return shortest(a) - shortest(b) })...)
		}
		return [][]string{either}
	}
	return nil
}

func shortest(list []string) int {
	return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
}
