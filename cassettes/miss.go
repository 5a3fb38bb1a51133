package cassettes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const (
	maxMissLines   = 60
	maxMissReasons = 5 // on the first line
)

// MissError is the error of a call that the cassette lacks. Its text names
// the nearest recorded call and shows what differs.
type MissError struct {
	Path     string   // of the cassette
	Recorded string   // the date of the recording; empty where the file has none
	Call     int      // the call's number among those made in this run, from 1
	Method   string   // of the call
	URLPath  string   // of the call: "/api/chat"
	Label    string   // of the call, see WithLabel
	Times    int      // how often this very call is recorded, all used up; 0 where it is not
	Asked    int      // how often it was made in this run, this time included
	Nearest  string   // the label of the nearest recorded call; empty where there is none
	Changed  []string // what differs from it: "label", "model", "system", "prompt", "schema", "option num_ctx", …

	reason  string // ends the first line
	details []string
}

// Error explains the miss in at most 60 lines, of which the first alone tells
// what happened.
func (e *MissError) Error() string {
	call := call{number: e.Call, label: e.Label, ask: ask{method: e.Method, path: e.URLPath}}
	lines := append([]string{fmt.Sprintf("%s is not in the recording: %s", &call, e.reason)}, e.details...)
	if len(lines) > maxMissLines {
		more := len(lines) - maxMissLines + 1
		lines = append(lines[:maxMissLines-1], fmt.Sprintf("… and %d lines more", more))
	}
	return strings.Join(lines, "\n")
}

// explain completes the error of a call that take did not find.
func (c *Cassette) explain(e *MissError, label string, q question) {
	e.Path, e.Recorded = c.path, c.file.Recorded
	where := "recording  " + c.path
	if e.Recorded != "" {
		where += ", made on " + e.Recorded
	}
	e.details = []string{where}
	if e.Times > 0 {
		e.reason = fmt.Sprintf("it is recorded %s and was now made %s", times(e.Times), times(e.Asked))
		return
	}
	near := c.nearest(label, q)
	if near == nil {
		e.reason = "it holds no call at all"
		return
	}
	e.Nearest = near.Label
	e.details = append(e.details, fmt.Sprintf("nearest    interaction %d of %d (%s); - is recorded, + is now",
		slices.Index(c.file.Interactions, near), len(c.file.Interactions), near.ask.name(near.Label)))
	var reasons []string
	was, _ := near.parse(c.options.rules()) // parsed before
	for _, d := range differences(near.Label, was, label, q) {
		if !slices.Contains(e.Changed, d.what) {
			e.Changed = append(e.Changed, d.what)
		}
		if !slices.Contains(reasons, d.reason) {
			reasons = append(reasons, d.reason)
		}
		e.details = append(e.details, d.lines...)
	}
	if more := len(reasons) - maxMissReasons; more > 0 {
		reasons = append(reasons[:maxMissReasons], fmt.Sprintf("and %d more differences", more))
	}
	e.reason = strings.Join(reasons, "; ")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// nearest gives the recorded call most like one that is not recorded: of the
// same path and step if there is one, not yet replayed if there is one, and
// then with the most words in common.
func (c *Cassette) nearest(of string, q question) *interaction {
	step := func(label string) string {
		name, _, _ := strings.Cut(label, "@")
		return name
	}
	c.mu.Lock()
	rank := make(map[*interaction]int, len(c.file.Interactions))
	for _, i := range c.file.Interactions {
		for n, like := range []bool{
			!i.used, step(i.Label) == step(of), i.Label == of,
			i.ask.path == q.path && i.ask.method == q.method,
		} {
			if like {
				rank[i] |= 1 << n
			}
		}
	}
	c.mu.Unlock()
	var best *interaction
	var bestLike float64
	asked := words(q.body())
	for _, i := range c.file.Interactions {
		if best != nil && rank[i] < rank[best] {
			continue
		}
		if like := overlap(asked, words(i.Request.Body)); best == nil || rank[i] > rank[best] || like > bestLike {
			best, bestLike = i, like
		}
	}
	return best
}

// words gives the set of words in s; in scripts without spaces, of letters.
func words(s string) map[string]bool {
	set := map[string]bool{}
	start := -1
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!letter || r >= 0x2E80) {
			set[s[start:i]] = true
			start = -1
		}
		switch {
		case letter && r >= 0x2E80: // the first of the East Asian blocks
			set[string(r)] = true
		case letter && start < 0:
			start = i
		}
	}
	if start >= 0 {
		set[s[start:]] = true
	}
	return set
}

// overlap is the share of common words, from 0 to 1.
func overlap(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	return float64(common) / float64(cmp.Or(len(a)+len(b)-common, 1))
}
