package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

// goodReply and badReply are verdicts on refundClaim: it is right, and it is wrong.
const (
	goodReply = `{"verdicts":[{"claim":1,"evidence":["Refunds are issued within 14 days."],"reason":"","verdict":"supported"}]}`
	badReply  = `{"verdicts":[{"claim":1,"evidence":[],"reason":"no","verdict":"unsupported"}]}`
)

// Rule 8: what is wrong with a reply is an error that says so, and never
// makes a bad claim pass.
func TestFaultyReplyNeverPasses(t *testing.T) {
	deep := strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000)
	for _, c := range []struct {
		name   string
		reply  func(good string) string
		scored bool // it says the same as the reply that it is made from
	}{
		{"as it is", same8, true},
		{"empty", const8(""), false},
		{"white space", const8(" \n\t"), false},
		{"null", const8("null"), false},
		{"NaN", replace8(`"claim":1`, `"claim":NaN`), false},
		{"Infinity", replace8(`"claim":1`, `"claim":Infinity`), false},
		{"no verdicts", replace8(`"verdicts"`, `"other"`), false},
		{"verdicts null", const8(`{"verdicts":null}`), false},
		{"verdicts an object", const8(`{"verdicts":{"claim":1,"verdict":"supported"}}`), false},
		{"verdicts in a list of lists", func(s string) string {
			return strings.Replace(strings.Replace(s, "[{", "[[{", 1), "}]", "}]]", 1)
		}, false},
		{"verdicts doubled", func(s string) string { return strings.TrimSuffix(s, "}") + `,"verdicts":[]}` }, false},
		{"claim missing", replace8(`"claim":1,`, ``), false},
		{"claim null", replace8(`"claim":1`, `"claim":null`), false},
		{"claim a string", replace8(`"claim":1`, `"claim":"1"`), false},
		{"claim a fraction", replace8(`"claim":1`, `"claim":1.5`), false},
		{"claim of another number", replace8(`"claim":1`, `"claim":2`), false},
		{"claim negative", replace8(`"claim":1`, `"claim":-1`), false},
		{"claim huge", replace8(`"claim":1`, `"claim":1e300`), false},
		{"claim doubled", replace8(`"claim":1`, `"claim":1,"claim":1`), false},
		{"claim doubled in another case", replace8(`"claim":1`, `"Claim":2,"claim":1`), false},
		{"verdict missing", func(s string) string { return s[:strings.LastIndex(s, `,"verdict"`)] + "}]}" }, false},
		{"verdict null", verdict8(`null`), false},
		{"verdict a list", verdict8(`["supported"]`), false},
		{"verdict true", verdict8(`true`), false},
		{"verdict Supported", verdict8(`"Supported"`), false},
		{"verdict with a full stop", verdict8(`"supported."`), false},
		{"verdict yes", verdict8(`"yes"`), false},
		{"verdict of two", verdict8(`"supported|unsupported"`), false},
		{"verdict inconclusive", verdict8(`"inconclusive"`), false},
		{"verdict doubled", replace8(`"claim":1`, `"claim":1,"verdict":"supported"`), false},
		{"verdict doubled with a long s", func(s string) string {
			return strings.TrimSuffix(s, "}") + `,"verdictſ":[{"claim":1,"evidence":["Refunds are issued within 14 days."],"verdict":"supported"}]}`
		}, false},
		{"evidence null", evidence8(`null`), false},
		{"evidence a number", evidence8(`14`), false},
		{"evidence of numbers", evidence8(`[14]`), false},
		{"evidence an object", evidence8(`{"text":"Refunds are issued within 14 days."}`), false},
		{"reason a number", reason8(`1`), false},
		{"reason a list", reason8(`[]`), false},
		{"reason missing", func(s string) string {
			return strings.Replace(strings.Replace(s, `"reason":"",`, "", 1), `"reason":"no",`, "", 1)
		}, true},
		{"reordered", func(s string) string {
			i := strings.LastIndex(s, `"verdict":`)
			verdict := strings.TrimSuffix(s[i:], "}]}")
			return strings.Replace(s[:i-1]+"}]}", `{"claim"`, "{"+verdict+`,"claim"`, 1)
		}, true},
		{"with an extra field", replace8(`"claim":1`, `"confidence":0.9,"claim":1`), true},
		{"with an extra field above", replace8(`{"verdicts"`, `{"note":"x","verdicts"`), true},
		{"with a deep extra field", replace8(`{"verdicts"`, `{"x":`+deep+`,"verdicts"`), false},
		{"with an extra field of 10 MB", replace8(`{"verdicts"`, `{"x":"`+strings.Repeat("y", 10<<20)+`","verdicts"`), true},
		{"after 10 MB of prose", func(s string) string { return strings.Repeat("I think so. ", 10<<20/12) + s }, true},
		{"fenced", func(s string) string { return "```json\n" + s + "\n```" }, true},
		{"fenced, never closed", func(s string) string { return "```json\n" + s }, true},
		{"in prose", func(s string) string { return "Here it is:\n" + s + "\nDone." }, true},
		{"after thinking", func(s string) string { return "<think>" + flipped(s) + "</think>" + s }, true},
		{"inside thinking", func(s string) string { return "<think>" + s + "</think>" }, false},
		{"inside thinking that does not end", func(s string) string { return "<think>" + s }, false},
		{"two that agree", func(s string) string { return s + "\n" + s }, true},
		{"two that differ", func(s string) string { return s + "\n" + flipped(s) }, false},
		{"two that differ, in a list", func(s string) string { return "[" + s + "," + flipped(s) + "]" }, false},
		{"a verdict and its contrary", func(s string) string {
			one, other := strings.TrimSuffix(s, "]}"), flipped(s)
			return one + "," + strings.TrimPrefix(other, `{"verdicts":[`)
		}, false},
		{"an example before it", func(s string) string { return `{"verdicts":[{"claim":1,"verdict":"…"}]} ` + s }, true},
		{"with a byte order mark", func(s string) string { return "\ufeff" + s }, true},
		{"trailing comma", replace8("}]}", "},]}"), false},
		{"single quotes", func(s string) string { return strings.ReplaceAll(s, `"`, `'`) }, false},
		{"a comment inside", replace8(`{"verdicts"`, `{/* ok */"verdicts"`), false},
		{"escaped twice", func(s string) string { text, _ := json.Marshal(s); return string(text) }, false},
		{"NUL bytes around", func(s string) string { return "\x00" + s + "\x00" }, true},
		{"a thousand verdicts on it", func(s string) string {
			one := strings.TrimSuffix(strings.TrimPrefix(s, `{"verdicts":[`), "]}")
			return `{"verdicts":[` + strings.Repeat(one+",", 999) + one + "]}"
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for good, score := range map[string]float64{goodReply: 0, badReply: 1} {
				r, err := score8(t, c.reply(good))
				if c.scored {
					require.NoError(t, err)
					assert.Equal(t, score, r.Score)
					continue
				}
				require.Error(t, err)
				assert.True(t, errors.Is(err, ErrBadReply) || errors.Is(err, ErrIncomplete), "%v", err)
				assert.ErrorContains(t, err, stepVerdicts)
				assert.Less(t, len(err.Error()), 1000)
			}
		})
	}
}

func score8(t *testing.T, text string) (*Result, error) {
	t.Helper()
	return score(t, &scripted{verdicts: []string{text}}, perSentence, "", refundClaim, refundContext)
}

func same8(s string) string               { return s }
func const8(s string) func(string) string { return func(string) string { return s } }

func replace8(old, with string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, with, 1) }
}

// verdict8, evidence8 and reason8 put another value in a field's place.
func verdict8(value string) func(string) string {
	return func(s string) string { return s[:strings.LastIndex(s, `"verdict":`)] + `"verdict":` + value + "}]}" }
}

func evidence8(value string) func(string) string { return field8(`"evidence":`, `,"reason"`, value) }
func reason8(value string) func(string) string   { return field8(`"reason":`, `,"verdict"`, value) }

func field8(from, to, value string) func(string) string {
	return func(s string) string {
		i, j := strings.Index(s, from), strings.LastIndex(s, to)
		return s[:i] + from + value + s[j:]
	}
}

func flipped(reply string) string {
	if reply == goodReply {
		return badReply
	}
	return goodReply
}

func TestReplyCutAtAnyByteIsNoScore(t *testing.T) {
	for _, whole := range []string{goodReply, badReply, "<think>Hm.</think>\n```json\n" + goodReply + "\n```"} {
		end := strings.LastIndex(whole, "}") + 1
		for at := range end {
			_, err := score8(t, whole[:at])
			require.ErrorIs(t, err, ErrBadReply, "%q", whole[:at])
		}
		_, err := score8(t, whole[:end])
		require.NoError(t, err)
	}
	claims := claimsText(claimText(1, refundClaim))
	for at := range claims {
		_, err := score(t, &scripted{claims: []string{claims[:at]}}, HallucinationOptions{}, "", refundClaim, refundContext)
		require.ErrorIs(t, err, ErrBadReply, "%q", claims[:at])
	}
}

// checkResult requires of any result what must hold whatever the judge said.
func checkResult(t *testing.T, r *Result) {
	t.Helper()
	bad := 0
	require.Len(t, r.Verdicts, len(r.Claims))
	for i, v := range r.Verdicts {
		require.Equal(t, i+1, v.Claim)
		require.Equal(t, i+1, r.Claims[i].Number)
		if v.Kind != Supported {
			bad++
		} else if v.Source != "absence" {
			require.NotEmpty(t, v.Evidence)
		}
		for _, q := range v.Evidence {
			require.Equal(t, q.Text, r.Context[q.Passage][q.Span.Start:q.Span.End])
		}
		span := r.Claims[i].Span
		require.NotEmpty(t, strings.TrimSpace(r.Output[span.Start:span.End]))
	}
	require.Equal(t, float64(bad)/float64(max(len(r.Claims), 1))*r.Scale, r.Score)
	require.GreaterOrEqual(t, r.Score, 0.0)
	require.LessOrEqual(t, r.Score, r.Scale)
}

func FuzzVerdictsReply(f *testing.F) {
	f.Add(goodReply)
	f.Add(badReply)
	f.Add(verdictsText(supported, unsupported))
	f.Add("<think>" + badReply + "</think>" + goodReply)
	f.Add(`{"verdicts":[{"claim":1,"evidence":"Refunds are issued within 14 days.","verdict":"supported"},{"claim":2,"verdict":"contradicted"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := score(t, &scripted{verdicts: []string{text}}, HallucinationOptions{Claims: PerSentence, Scale: 3}, "", refundClaim+" "+freeClaim, refundContext)
		if err != nil {
			require.True(t, errors.Is(err, ErrBadReply) || errors.Is(err, ErrIncomplete), "%v", err)
			require.Nil(t, r)
			return
		}
		checkResult(t, r)
		require.True(t, r.Verdicts[1].Bad(), "nothing in the context bears it out")
		if !r.Verdicts[0].Bad() {
			require.Contains(t, strings.ToLower(text), "upported")
		}
	})
}

func FuzzClaimsReply(f *testing.F) {
	f.Add(claimsText(claimText(1, refundClaim)), refundClaim+" "+freeClaim)
	f.Add(claimsText(claimText(1, "Refunds"), claimText(2, "退款")), "退款会在14天内发放。Shipping is free.")
	f.Add(`{"claims":[],"no_claim":[1,2]}`, "| a | 1 |\n- b: 2.5%")
	f.Fuzz(func(t *testing.T, text, output string) {
		j := &scripted{claims: []string{text}, verdicts: []string{""}}
		o := HallucinationOptions{Verifier: everything{}}
		r, err := score(t, j, o, "", output, refundContext)
		if err != nil {
			require.True(t, errors.Is(err, ErrBadReply) || errors.Is(err, ErrNotText), "%v", err)
			return
		}
		sentences := map[int]bool{}
		for i, c := range r.Claims {
			require.Equal(t, i+1, c.Number)
			sentences[c.Sentence] = true
		}
		for _, s := range stating(sentencesOf(output), "", nil) {
			require.True(t, sentences[s.Number], "no claim of %q", s.Text)
			require.Equal(t, s.Text, output[s.Span.Start:s.Span.End])
		}
		require.Equal(t, 0.0, r.Score)
	})
}

// everything is a Verifier that supports all.
type everything struct{}

func (everything) Verify(_ context.Context, r VerifyRequest) ([]Verdict, error) {
	var verdicts []Verdict
	for _, c := range r.Claims {
		verdicts = append(verdicts, Verdict{Claim: c.Number, Kind: Supported})
	}
	return verdicts, nil
}

// Whatever the form of a reply accepts is scored, and all else is an error.
func FuzzWhatTheFormAcceptsIsScored(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{9, 9, 9, 1, 0, 0, 3, 2, 1})
	f.Fuzz(func(t *testing.T, choices []byte) {
		text := built(choices)
		r, err := score8(t, text)
		var form struct {
			Verdicts []opinion `json:"verdicts"`
		}
		if reply.Parse(text, verdictsForm, &form) != nil {
			require.ErrorIs(t, err, ErrBadReply, text)
			return
		}
		kinds, others := map[Kind]bool{}, false
		for _, o := range form.Verdicts {
			kinds[o.Verdict] = true
			others = others || o.Claim != 1
		}
		switch {
		case others:
			require.ErrorIs(t, err, ErrBadReply, text)
		case len(kinds) != 1: // none, or torn
			require.ErrorIs(t, err, ErrIncomplete, text)
		default:
			require.NoError(t, err, text)
			checkResult(t, r)
		}
	})
}

// built makes a reply of one or two verdicts, right or wrong in a field or two
// as the choices say.
func built(choices []byte) string {
	next := func(list ...string) string {
		if len(choices) == 0 {
			return list[0]
		}
		c := choices[0]
		choices = choices[1:]
		return list[int(c)%len(list)]
	}
	one := func() string {
		return fmt.Sprintf(`{%s%s%s%s}`,
			next(`"claim":1`, `"claim":1`, `"claim":2`, `"claim":"1"`, `"claim":null`, `"Claim":1`, `"claim":1.0`),
			next(`,"evidence":["Refunds are issued within 14 days."]`, `,"evidence":[]`, `,"evidence":"Refunds are issued within 14 days."`, `,"evidence":null`, `,"evidence":[1]`, ``),
			next(`,"reason":"x"`, ``, `,"reason":null`, `,"reason":3`, `,"extra":{}`),
			next(`,"verdict":"supported"`, `,"verdict":"unsupported"`, `,"verdict":"contradicted"`, `,"verdict":"yes"`, `,"verdict":null`, ``, `,"verdict":"supported","verdict":"unsupported"`))
	}
	verdicts := next("one", "one", "two", "none")
	switch verdicts {
	case "two":
		return verdictsText(one(), one())
	case "none":
		return verdictsText()
	}
	return verdictsText(one())
}
