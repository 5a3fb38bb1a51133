package evaltest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/evaltest/go-evaltest/cassettes"
	"github.com/evaltest/go-evaltest/scorer"
)

const (
	maxShown    = 10  // bad claims in a message
	maxWithheld = 3   // pieces in a message that the judge was not shown
	maxQuoted   = 200 // characters of a quoted text
	around      = 30  // characters of the output before and after a claim
)

// report is a message: a first line that alone tells what happened, labelled
// lines, and who judged and what to run.
type report struct {
	first string
	lines []line
	foot  []line
}

type line struct{ label, text string }

func (r report) String() string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(r.first, "\n"))
	for _, l := range append(r.lines, r.foot...) {
		fmt.Fprintf(&b, "\n%-10s %s", l.label, l.text)
	}
	return b.String()
}

// badScore explains a score outside its bound.
func badScore(id string, r *scorer.Result, bound Bound, t TestingT, rec *recording) string {
	m := report{first: fmt.Sprintf("%s score %s: %s", id, comparison(r.Score, bound), finding(r)), foot: footOf(t, rec, r.Model)}
	if answers(r) {
		m.lines = append(m.lines, line{"question", quote(r.Question)})
	}
	bad := r.Bad()
	slices.SortStableFunc(bad, func(a, b scorer.Verdict) int { return unsure(a) - unsure(b) }) // what is certain comes first
	for _, v := range bad[:min(len(bad), maxShown)] {
		m.lines = append(m.lines, badClaim(r, v)...)
	}
	if more := len(bad) - maxShown; more > 0 {
		m.lines = append(m.lines, line{"…", fmt.Sprintf("and %s more", count(more, "bad claim"))})
	}
	m.lines = append(m.lines, withheld(r)...)
	return m.String()
}

// unsure is 1 for an inconclusive verdict.
func unsure(v scorer.Verdict) int {
	if v.Kind == scorer.Inconclusive {
		return 1
	}
	return 0
}

// comparison shows the score and the bound that it breaks, with as many
// digits as it takes to see that it does.
func comparison(score float64, bound Bound) string {
	sign := " > "
	if score < bound.Limit() {
		sign = " < "
	}
	shown := ""
	for digits := 2; digits <= 17; digits++ {
		shown = strconv.FormatFloat(score, 'f', digits, 64)
		if v, err := strconv.ParseFloat(shown, 64); err == nil && !bound.Holds(v) {
			break
		}
	}
	return shown + sign + number(bound.Limit())
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// finding sums up the verdicts in a clause.
func finding(r *scorer.Result) string {
	bad := r.Bad()
	switch {
	case r.NothingToCheck != "":
		return r.NothingToCheck + ": nothing to score"
	case len(r.Claims) == 0:
		return shorten(fold(cmp.Or(r.Reason, "the scorer gives no reason")))
	case answers(r):
		verb := "do"
		if len(bad) == 1 {
			verb = "does"
		}
		return fmt.Sprintf("%d of %s %s not answer the question", len(bad), count(len(r.Claims), "statement"), verb)
	case emptyContext(r) && len(bad) > 0:
		return "the context was empty, so nothing in the output is supported"
	}
	inconclusive := 0
	for _, v := range bad {
		inconclusive += unsure(v)
	}
	verb := "are"
	if len(bad) == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("%d of %s %s bad", len(bad), count(len(r.Claims), "claim"), verb)
	if inconclusive > 0 {
		text += fmt.Sprintf(" (%d inconclusive)", inconclusive)
	}
	return text
}

// answers reports whether the verdicts say what answers a question.
func answers(r *scorer.Result) bool {
	return slices.ContainsFunc(r.Verdicts, func(v scorer.Verdict) bool {
		return v.Kind == scorer.Relevant || v.Kind == scorer.Unsure || v.Kind == scorer.Irrelevant
	})
}

func emptyContext(r *scorer.Result) bool {
	return strings.TrimSpace(strings.Join(r.Context, "")) == ""
}

func badClaim(r *scorer.Result, v scorer.Verdict) []line {
	c := r.Claim(v.Claim)
	lines := []line{{numbered(v), fmt.Sprintf("%s: %s", v.Kind, quote(c.Text))}}
	if place := inOutput(r.Output, c.Span); place != "" {
		lines = append(lines, line{"in output", place})
	}
	if v.Reason != "" {
		lines = append(lines, line{"because", shorten(fold(v.Reason))})
	}
	if v.Agreement > 0 && v.Agreement < 1 && v.Kind != scorer.Inconclusive {
		lines = append(lines, line{"votes", fmt.Sprintf("%.0f%% say %s", 100*v.Agreement, v.Kind)})
	}
	lines = append(lines, unstated(r, v.Claim)...)
	if len(v.Evidence) > 0 {
		return append(lines, line{"evidence", passage(v.Evidence[0])})
	}
	for i, claim := range r.Claims {
		if claim.Number == v.Claim && i < len(r.Nearest) && r.Nearest[i].Text != "" {
			lines = append(lines, line{"nearest", passage(r.Nearest[i])})
		}
	}
	return lines
}

// numbered labels the line of a verdict.
func numbered(v scorer.Verdict) string {
	switch v.Kind {
	case scorer.Relevant, scorer.Unsure, scorer.Irrelevant:
		return fmt.Sprintf("said %d", v.Claim)
	}
	return fmt.Sprintf("claim %d", v.Claim)
}

// unstated names the numbers and names of a claim that nothing states.
func unstated(r *scorer.Result, claim int) []line {
	var quoted []string
	for _, u := range r.Unstated {
		if u.Claim == claim {
			quoted = append(quoted, quote(u.Text))
		}
	}
	if len(quoted) == 0 {
		return nil
	}
	return []line{{"not stated", strings.Join(quoted[:min(len(quoted), maxShown)], ", ")}}
}

// withheld tells what the judge was not shown.
func withheld(r *scorer.Result) (lines []line) {
	for _, q := range r.Withheld[:min(len(r.Withheld), maxWithheld)] {
		place := "question " + quote(q.Text)
		if q.Passage >= 0 {
			place = passage(q)
		}
		lines = append(lines, line{"withheld", place + ", which speaks to the judge"})
	}
	return lines
}

func passage(q scorer.Quote) string { return fmt.Sprintf("context[%d] %s", q.Passage, quote(q.Text)) }

// inOutput shows a claim's sentence between » and « with what stands around it.
func inOutput(output string, s scorer.Span) string {
	if s.Start < 0 || s.End > len(output) || s.Start >= s.End {
		return ""
	}
	before, after := []rune(fold(output[:s.Start])), []rune(fold(output[s.End:]))
	left, right := "", ""
	if len(before) > around {
		left, before = "…", fromWord(before[len(before)-around:])
	}
	if len(after) > around {
		right, after = "…", toWord(after[:around])
	}
	text := left + string(before)
	if text != "" {
		text += " "
	}
	text += "»" + shorten(fold(output[s.Start:s.End])) + "«"
	if len(after) > 0 {
		text += " " + string(after) + right
	}
	return text
}

// allowed words a bound: "at most 0".
func allowed(bound Bound) string {
	return strings.NewReplacer("<=", "at most", ">=", "at least").Replace(bound.String())
}

// fromWord drops the piece of a word that a cut has left at the start, where
// words are set apart by spaces.
func fromWord(r []rune) []rune {
	if i := slices.Index(r, ' '); i >= 0 && i < len(r)-1 {
		return r[i+1:]
	}
	return r
}

// toWord drops the piece of a word that a cut has left at the end.
func toWord(r []rune) []rune {
	for i := len(r) - 1; i > 0; i-- {
		if r[i] == ' ' {
			return r[:i]
		}
	}
	return r
}

// goodScore tells, for go test -v, what was checked, on what evidence and by
// whom.
func goodScore(id string, r *scorer.Result, bound Bound, rec *recording) string {
	first := fmt.Sprintf("evaltest: %s score %s (%s): %s", id, number(r.Score), allowed(bound), outcome(r))
	if r.NothingToCheck != "" {
		return first
	}
	m := report{first: first}
	for _, v := range r.Verdicts[:min(len(r.Verdicts), maxShown)] {
		m.lines = append(m.lines, line{numbered(v), fmt.Sprintf("%s: %s", v.Kind, quote(r.Claim(v.Claim).Text))})
		switch {
		case v.Source == "allowed":
			m.lines = append(m.lines, line{"allowed", fold(v.Reason)})
		case len(v.Evidence) > 0:
			m.lines = append(m.lines, line{"evidence", passage(v.Evidence[0])})
		case v.Reason != "":
			m.lines = append(m.lines, line{"because", shorten(fold(v.Reason))})
		}
	}
	if more := len(r.Verdicts) - maxShown; more > 0 {
		m.lines = append(m.lines, line{"…", fmt.Sprintf("and %s more", count(more, "claim"))})
	}
	m.foot = judgeLines(rec, r.Model)
	return m.String()
}

// outcome sums up in a clause what good a result has.
func outcome(r *scorer.Result) string {
	switch good := len(r.Claims) - len(r.Bad()); {
	case r.NothingToCheck != "":
		return "nothing to check, " + r.NothingToCheck
	case len(r.Claims) == 0:
		return finding(r)
	case answers(r) && good == 1:
		return fmt.Sprintf("1 of %s answers the question", count(len(r.Claims), "statement"))
	case answers(r):
		return fmt.Sprintf("%d of %s answer the question", good, count(len(r.Claims), "statement"))
	default:
		return fmt.Sprintf("%d of %s supported", good, count(len(r.Claims), "claim"))
	}
}

// noScore explains a test that has no score, which is never a pass.
func noScore(caller string, err error, t TestingT, rec *recording) string {
	text := err.Error()
	var miss *cassettes.MissError
	switch {
	case errors.As(err, &miss):
		text = miss.Error()
	case errors.Is(err, cassettes.ErrNoCassette):
		text = "there is no recording of this test yet"
	}
	if caller != "Client" { // which is asked for none
		text = "no score: " + text
	}
	m := report{first: caller + ": " + text, foot: footOf(t, rec)}
	if miss != nil && rec != nil {
		m.lines = append(m.lines, line{"update", rec.recordAs(Update, t)})
	}
	return m.String()
}

// footOf ends a message: who judged, from which recording, and the commands
// that run the test again.
func footOf(t TestingT, rec *recording, model ...string) []line {
	foot := judgeLines(rec, model...)
	if rec == nil {
		return append(foot, line{"rerun", rerun(t.Name(), repeats(t))})
	}
	foot = append(foot, line{"rerun", rec.environment() + rerun(t.Name(), repeats(t))})
	if rec.options.Mode != Live {
		foot = append(foot, line{"re-record", rec.recordAs(Record, t)})
	}
	return foot
}

func judgeLines(rec *recording, model ...string) []line {
	var lines []line
	if len(model) > 0 && model[0] != "" {
		text := model[0]
		switch {
		case rec == nil:
		case rec.options.Mode == Live:
			text += ", live"
		case rec.Recorded() != "":
			text += ", recorded " + rec.Recorded()
		default:
			text += ", being recorded"
		}
		lines = append(lines, line{"judge", text})
	}
	if rec != nil && rec.options.Mode != Live {
		lines = append(lines, line{"cassette", rec.shown})
	}
	return lines
}

// environment repeats what the environment set for the judge, as a command
// needs it again.
func (r *recording) environment() string {
	if r.set.model.by == "EVALTEST_MODEL" {
		return "EVALTEST_MODEL=" + quoted(r.set.model.value) + " "
	}
	return ""
}

// recordAs is the command that runs a test in a recording mode.
func (r *recording) recordAs(mode Mode, t TestingT) string {
	command := r.environment() + rerun(t.Name(), repeats(t))
	if r.set.mode.by == "WithMode" {
		return fmt.Sprintf("with WithMode(%q): %s", mode, command)
	}
	return "EVALTEST_MODE=" + string(mode) + " " + command
}

func quote(s string) string { return strconv.Quote(shorten(fold(s))) }

// fold puts a text on one line. What a terminal would obey or hide, such as
// an escape sequence in a model's words, is shown as a replacement character.
func fold(s string) string {
	visible := func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}
	return strings.Join(strings.Fields(strings.Map(visible, s)), " ")
}

func shorten(s string) string {
	if r := []rune(s); len(r) > maxQuoted {
		return string(r[:maxQuoted]) + "…"
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
