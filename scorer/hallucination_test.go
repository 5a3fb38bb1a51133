package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	supported   = opinionText(1, "supported", refundClaim, "")
	unsupported = opinionText(2, "unsupported", "", "the context says nothing about free shipping")
)

func TestScoreIsBadClaimsOfAllTimesScale(t *testing.T) {
	for _, c := range []struct {
		name, output string
		scale, score float64
		level        Level
	}{
		{"all supported", refundClaim, 0, 0, LevelNone},
		{"half bad", refundClaim + " " + freeClaim, 0, 0.5, LevelModerate},
		{"half bad of ten", refundClaim + " " + freeClaim, 10, 5, LevelModerate},
		{"all bad", freeClaim, 1, 1, LevelComplete},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judging(func(_ int, claim string) (string, string) {
				if claim == refundClaim {
					return "supported", refundClaim
				}
				return "unsupported", ""
			})
			r := mustScore(t, j, HallucinationOptions{Scale: c.scale}, "", c.output, refundContext)
			assert.Equal(t, c.score, r.Score)
			assert.Equal(t, c.level, r.Level())
		})
	}
}

func TestOneBadClaimOf250IsNotRoundedAway(t *testing.T) {
	var output, facts strings.Builder
	for i := range 250 {
		fmt.Fprintf(&output, "Locker number %d is painted green. ", 100+i)
		if i > 0 {
			fmt.Fprintf(&facts, "Locker number %d is painted green. ", 100+i)
		}
	}
	j := judging(func(_ int, claim string) (string, string) { return "supported", claim })
	r := mustScore(t, j, HallucinationOptions{Claims: PerSentence}, "", output.String(), facts.String())
	assert.Len(t, r.Claims, 250)
	assert.Equal(t, 1.0/250, r.Score)
	assert.Equal(t, LevelLow, r.Level())
	assert.False(t, Max(0).Holds(r.Score))
}

func TestCallsStayWithinTheBudget(t *testing.T) {
	var output, facts []string
	for i := range 10 {
		s := fmt.Sprintf("The depot in sector %d stores copper wire.", 20+i)
		output, facts = append(output, s), append(facts, s)
	}
	good := judging(func(_ int, claim string) (string, string) { return "supported", claim })
	oneBad := judging(func(n int, claim string) (string, string) {
		if n == 3 {
			return "unsupported", ""
		}
		return "supported", claim
	})
	for _, c := range []struct {
		name   string
		judge  Judge
		claims ClaimsFrom
		output string
		calls  int
	}{
		{"ten good claims", good, FromJudge, strings.Join(output, " "), 2},
		{"ten good claims by sentence", good, PerSentence, strings.Join(output, " "), 1},
		{"a bad claim costs one second look", oneBad, FromJudge, strings.Join(output, " "), 3},
		{"empty output", good, FromJudge, "", 0},
		{"white space", good, FromJudge, " \n\t ", 0},
		{"nothing stated", good, FromJudge, "Hello! How can I help you?", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustScore(t, c.judge, HallucinationOptions{Claims: c.claims}, "", c.output, facts...)
			assert.Equal(t, c.calls, r.Calls)
		})
	}
}

func TestContextComesFromTheFirstSourceThatIsSet(t *testing.T) {
	calls := 0
	get := func(_ context.Context, run Run) ([]string, error) {
		calls++
		return []string{string(ExtractToolResults(run.Output)[0].Result)}, nil
	}
	j := judging(func(_ int, claim string) (string, string) { return "supported", claim })
	run := TextRun("", "Order 1234 has shipped today.")
	run.Output = append(run.Output, Message{Role: Tool, ToolResults: []ToolResult{{Tool: "orders", Result: json.RawMessage(`{"order":1234,"status":"shipped today"}`)}}})

	r, err := NewHallucination(j, HallucinationOptions{Context: []string{"static"}}).Score(t.Context(), run)
	require.NoError(t, err)
	assert.Equal(t, []string{"static"}, r.Context)

	run.Context = []string{"the run's"}
	r, err = NewHallucination(j, HallucinationOptions{Context: []string{"static"}}).Score(t.Context(), run)
	require.NoError(t, err)
	assert.Equal(t, []string{"the run's"}, r.Context)

	r, err = NewHallucination(j, HallucinationOptions{Context: []string{"static"}, GetContext: get}).Score(t.Context(), run)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"order":1234,"status":"shipped today"}`}, r.Context)
	assert.Equal(t, 1, calls, "GetContext is called once a run")

	broken := errors.New("no such index")
	_, err = NewHallucination(j, HallucinationOptions{GetContext: func(context.Context, Run) ([]string, error) { return nil, broken }}).Score(t.Context(), run)
	assert.ErrorIs(t, err, broken)
}

func TestEmptyContextSupportsNothing(t *testing.T) {
	j := &scripted{}
	for _, context := range [][]string{nil, {}, {""}, {" ", "\n"}} {
		r := mustScore(t, j, HallucinationOptions{}, "", refundClaim+" "+freeClaim, context...)
		assert.Equal(t, 1.0, r.Score)
		assert.Len(t, r.Bad(), 2)
		assert.Contains(t, r.Reason, "the context is empty")
	}
	assert.Empty(t, j.sent, "no call is made")

	r := mustScore(t, j, HallucinationOptions{}, "", "I don't know.")
	assert.Zero(t, r.Score)
	assert.True(t, r.Abstained)
}

func TestBadInputIsAnErrorThatSaysWhat(t *testing.T) {
	fine := &scripted{verdicts: []string{verdictsText(supported)}}
	for _, c := range []struct {
		name    string
		judge   Judge
		o       HallucinationOptions
		output  string
		context string
		is      error
		says    string
	}{
		{"scale NaN", fine, HallucinationOptions{Scale: math.NaN()}, "x", "y", nil, "Scale is NaN"},
		{"scale negative", fine, HallucinationOptions{Scale: -1}, "x", "y", nil, "Scale is -1"},
		{"scale infinite", fine, HallucinationOptions{Scale: math.Inf(1)}, "x", "y", nil, "Scale is +Inf"},
		{"no judge", nil, HallucinationOptions{}, "x", "y", nil, "no judge"},
		{"claims misspelt", fine, HallucinationOptions{Claims: "all"}, "x", "y", nil, `Claims is "all"`},
		{"abstain misspelt", fine, HallucinationOptions{Abstain: "maybe"}, "x", "y", nil, `Abstain is "maybe"`},
		{"min claims negative", fine, HallucinationOptions{MinClaims: -1}, "x", "y", nil, "MinClaims is -1"},
		{"output no UTF-8", fine, HallucinationOptions{}, "Refunds\xff", "y", ErrNotText, "output: not valid UTF-8 at byte 7"},
		{"context no UTF-8", fine, HallucinationOptions{}, "Refunds.", "ab\xc3", ErrNotText, "context[0]: not valid UTF-8 at byte 2"},
		{"too few claims", fine, HallucinationOptions{MinClaims: 2}, refundClaim, refundContext, ErrTooFewClaims, "1, at least 2"},
		{"too few claims in nothing", fine, HallucinationOptions{MinClaims: 1}, "", refundContext, ErrTooFewClaims, "0, at least 1"},
		{"abstains though forbidden", fine, HallucinationOptions{Abstain: AbstainForbid}, "I don't know.", refundContext, ErrAbstained, "I don't know"},
		{"answers though it should not", fine, HallucinationOptions{Abstain: AbstainRequire}, refundClaim, refundContext, ErrNotAbstained, "Refunds are issued"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := score(t, c.judge, c.o, "", c.output, c.context)
			require.ErrorContains(t, err, c.says)
			assert.Nil(t, r)
			if c.is != nil {
				assert.ErrorIs(t, err, c.is)
			}
		})
	}
}

func TestAllowedClaimIsShownAndCounted(t *testing.T) {
	j := &scripted{verdicts: []string{verdictsText(supported, unsupported), verdictsText(unsupported)}}
	o := HallucinationOptions{Allow: []Allowance{{regexp.MustCompile(`free worldwide`), "a slogan that marketing has cleared"}}}
	r := mustScore(t, j, o, "", refundClaim+" "+freeClaim, refundContext)
	assert.Zero(t, r.Score)
	assert.Len(t, r.Claims, 2)
	assert.Equal(t, Verdict{Claim: 2, Kind: Supported, Reason: "a slogan that marketing has cleared", Source: "allowed"}, r.Verdicts[1])
}

func TestUsersNoClaimIsFinal(t *testing.T) {
	j := &scripted{verdicts: []string{verdictsText(supported)}}
	o := HallucinationOptions{NoClaim: func(s string) bool { return strings.HasPrefix(s, "Shipping") }}
	r := mustScore(t, j, o, "", refundClaim+" "+freeClaim, refundContext)
	assert.Zero(t, r.Score)
	assert.Len(t, r.Claims, 1)
}

func TestJudgedReasonIsAskedForOnRequestOnly(t *testing.T) {
	j := &scripted{verdicts: []string{verdictsText(supported)}, reason: []string{`{"reason":"All of it is in the context."}`}}
	r := mustScore(t, j, HallucinationOptions{JudgedReason: true}, "", refundClaim, refundContext)
	assert.Equal(t, "All of it is in the context.", r.Reason)
	assert.Contains(t, r.Prompts.Reason, refundClaim)
	assert.Equal(t, 3, r.Calls)

	r = mustScore(t, j, HallucinationOptions{}, "", refundClaim, refundContext)
	assert.Equal(t, "The context supports the one claim.", r.Reason)
}

func TestResultHasTheOriginalsFieldNames(t *testing.T) {
	j := &scripted{verdicts: []string{verdictsText(supported, unsupported), verdictsText(unsupported)}}
	run := TextRun("When are refunds issued?", refundClaim+" "+freeClaim)
	run.ID, run.Context = "run-7", []string{refundContext}
	r, err := NewHallucination(j, HallucinationOptions{}).Score(t.Context(), run)
	require.NoError(t, err)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(data, &got))
	assert.Equal(t, "run-7", got["runId"])
	assert.Equal(t, 0.5, got["score"])
	assert.Equal(t, map[string]any{"claims": []any{refundClaim, freeClaim}}, got["preprocessStepResult"])
	assert.Contains(t, got["preprocessPrompt"], "sentence 2: "+freeClaim)
	assert.Contains(t, got["analyzePrompt"], "claim 1: "+refundClaim)
	assert.Contains(t, got["reason"], "1 of 2 claims bad")
	verdicts := got["analyzeStepResult"].(map[string]any)["verdicts"].([]any)
	require.Len(t, verdicts, 2)
	assert.Subset(t, verdicts[0], map[string]any{"statement": refundClaim, "verdict": "no"})
	assert.Subset(t, verdicts[1], map[string]any{"statement": freeClaim, "verdict": "yes", "reason": "the context says nothing about free shipping"})
}

func TestScoreOfNothingMarshalsEmptyLists(t *testing.T) {
	data, err := json.Marshal(mustScore(t, &scripted{}, HallucinationOptions{}, "", "", refundContext))
	require.NoError(t, err)
	assert.Contains(t, string(data), `"claims":[]`)
	assert.Contains(t, string(data), `"verdicts":[]`)
}
