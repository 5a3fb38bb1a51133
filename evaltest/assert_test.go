package evaltest

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

const (
	grounded   = "Refunds are issued within 14 days."
	ungrounded = grounded + " Shipping is free worldwide."
)

var shop = []string{"Refunds are issued within 14 days."}

func TestBadClaimFailsTheTestAndIsExplained(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, ungrounded, shop, 0, WithCassetteDir(dir)))
	message := ft.message(t)
	ft.end()
	assert.Equal(t, `hallucination score 0.50 > 0: 1 of 2 claims is bad
claim 2    unsupported: "Shipping is free worldwide."
in output  …are issued within 14 days. »Shipping is free worldwide.«
because    the context does not say so
nearest    context[0] "Refunds are issued within 14 days."
judge      llama3.2, being recorded
cassette   `+filepath.ToSlash(filepath.Join(dir, "TestShop.yaml"))+`
rerun      go test -count=1 -run '^TestShop$' github.com/evaltest/go-evaltest/evaltest
re-record  EVALTEST_MODE=record go test -count=1 -run '^TestShop$' github.com/evaltest/go-evaltest/evaltest`, message)
	assert.FileExists(t, filepath.Join(dir, "TestShop.yaml"), "a failed assertion is recorded too")
}

func TestNoScoreIsAFailureThatSaysWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name     string
		env      map[string]string
		file     string // the cassette, where it is not empty
		output   string
		max      float64
		options  []Option
		says     []string
		saysNone []string
	}{
		{name: "a misspelt mode", env: map[string]string{"EVALTEST_MODE": "rekord"}, says: []string{"EVALTEST_MODE", `"rekord"`, "auto", "replay", "record", "update", "live"}},
		{name: "a misspelt mode by option", options: []Option{WithMode("rekord")}, says: []string{"WithMode", `"rekord"`, "auto"}},
		{name: "Ollama not running", env: map[string]string{"OLLAMA_HOST": "127.0.0.1:1"}, says: []string{"cannot be reached", "ollama serve", "127.0.0.1:1"}},
		{name: "a model that is not pulled", options: []Option{WithModel("absent")}, says: []string{`no model "absent"`, "ollama pull absent"}},
		{name: "no recording in replay", env: map[string]string{"EVALTEST_MODE": "replay"}, says: []string{"there is no recording of this test yet", "re-record  EVALTEST_MODE=record go test -count=1 -run '^TestShop$'"}},
		{name: "an empty cassette", file: " ", says: []string{"TestShop.yaml", "empty"}},
		{name: "a cassette that is not YAML", file: "\tnot: [yaml", says: []string{"TestShop.yaml"}},
		{name: "max NaN", max: math.NaN(), says: []string{"NaN", "from 0 to 1"}},
		{name: "max negative", max: -0.1, says: []string{"-0.1", "from 0 to 1"}},
		{name: "max above the scale", max: 1.5, says: []string{"1.5", "from 0 to 1"}},
		{name: "max above a scale of its own", max: 11, options: []Option{WithScale(10)}, says: []string{"11", "from 0 to 10"}},
		{name: "scale negative", options: []Option{WithScale(-1)}, says: []string{"-1"}},
		{name: "scale NaN", options: []Option{WithScale(math.NaN())}, says: []string{"NaN"}},
		{name: "invalid UTF-8", output: "Refunds\xff.", says: []string{"not valid UTF-8 at byte 7"}},
		{name: "a sentence of 1 MB", output: strings.Repeat("Refunds are issued within 14 days to each of our customers, ", 18000), says: []string{"prompt too long", "window 8192"}},
		{name: "an OpenAI-compatible server that is not there", env: map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, options: []Option{WithModel("openai:gpt")}, says: []string{"cannot be reached", "http://127.0.0.1:1/v1/chat/completions", "OPENAI_BASE_URL"}},
		{name: "no model", options: []Option{WithModel("")}, says: []string{"no model"}},
		{name: "a judge that is not made", options: []Option{WithJudge(func(*http.Client) (scorer.Judge, error) { return nil, errors.New("no key") })}, says: []string{"WithJudge", "no key"}},
		{name: "a judge that is nil", options: []Option{WithJudge(func(*http.Client) (scorer.Judge, error) { return nil, nil })}, says: []string{"WithJudge", "no judge"}},
		{name: "a nil option", options: []Option{nil}, says: []string{"option is nil"}},
		{name: "too few claims", options: []Option{WithMinClaims(3)}, says: []string{"too few claims", "at least 3"}},
		{name: "abstains though forbidden", output: "I don't know.", options: []Option{WithAbstain(scorer.AbstainForbid)}, says: []string{"declines to answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := pinned(t)
			fakeOllama(t)
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			if c.file != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "TestShop.yaml"), []byte(strings.TrimPrefix(c.file, " ")), 0o600))
			}
			output := c.output
			if output == "" {
				output = grounded
			}
			ft := &fakeT{name: "TestShop"}
			assert.False(t, AssertNoHallucination(ft, output, shop, c.max, append(c.options, WithCassetteDir(dir))...))
			message := ft.message(t)
			for _, text := range c.says {
				assert.Contains(t, message, text)
			}
			assert.Contains(t, strings.SplitN(message, "\n", 2)[0], "no score")
			ft.end()
		})
	}
}

func TestMessageShowsWhatATerminalWouldObey(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, "Shipping is\r\n free\x1b[2K worldwide\x00 \u202etoday.", shop, 0, WithCassetteDir(dir)))
	message := ft.message(t)
	ft.end()
	assert.Contains(t, message, "»Shipping is free\ufffd[2K worldwide\ufffd \ufffdtoday.«")
	assert.NotContains(t, message, "\x1b")
}

func TestEmptyContextSaysSoFirst(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, ungrounded, nil, 0, WithCassetteDir(dir)))
	assert.Contains(t, strings.SplitN(ft.message(t), "\n", 2)[0], "the context was empty")
	ft.end()
	assert.Zero(t, calls.Load())
	assert.NoDirExists(t, filepath.Join(dir, "TestShop.yaml"))

	ft = &fakeT{name: "TestShop"}
	assert.True(t, AssertNoHallucination(ft, "I don't know.", nil, 0, WithCassetteDir(dir)))
	assert.Contains(t, strings.Join(ft.logs, "\n"), "nothing to check, the output declines to answer")
	ft.end()
}

func TestNothingToCheckPassesAndIsLogged(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	for _, c := range [][2]string{{"", "the output is empty"}, {" \n", "the output is empty"}, {"Hello!", "the output states nothing"}} {
		output, why := c[0], c[1]
		ft := &fakeT{name: "TestShop"}
		assert.True(t, AssertNoHallucination(ft, output, shop, 0, WithCassetteDir(dir)))
		assert.Contains(t, strings.Join(ft.logs, "\n"), "nothing to check, "+why)
		ft.end()
	}
	assert.Zero(t, calls.Load())
}

func TestRequireEndsTheTest(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	RequireNoHallucination(ft, ungrounded, shop, 0, WithCassetteDir(dir))
	assert.True(t, ft.ended)
	ft.end()

	ft = &fakeT{name: "TestShop"}
	RequireNoHallucination(ft, ungrounded, shop, 0.5, WithCassetteDir(dir))
	assert.False(t, ft.ended, "%v", ft.errors)
	ft.end()

	ft = &fakeT{name: "TestOther"}
	Require(ft, fixed{score: 0.3}, scorer.Run{}, Max(0.2))
	assert.True(t, ft.ended)
	Require(ft, fixed{score: 0.3}, scorer.Run{}, Max(0.3))
	assert.Len(t, ft.errors, 1)
}

// fixed is a scorer that gives one result.
type fixed struct {
	score, scale float64
	result       *scorer.Result
	err          error
}

func (fixed) ID() string { return "politeness" }

func (f fixed) Score(_ context.Context, _ scorer.Run) (*scorer.Result, error) {
	if f.result != nil || f.err != nil {
		return f.result, f.err
	}
	return &scorer.Result{Score: f.score, Scale: f.scale}, nil
}

func TestAssertHoldsAScoreToItsBound(t *testing.T) {
	pinned(t)
	for _, c := range []struct {
		name  string
		s     scorer.Scorer
		bound Bound
		says  string // empty: it passes
	}{
		{"within max", fixed{score: 0.2}, Max(0.2), ""},
		{"within min", fixed{score: 0.9}, Min(0.9), ""},
		{"above max", fixed{score: 0.25}, Max(0.2), "politeness score 0.25 > 0.2"},
		{"just above max", fixed{score: 0.201}, Max(0.2), "politeness score 0.201 > 0.2"},
		{"below min", fixed{score: 0.5}, Min(0.9), "politeness score 0.50 < 0.9"},
		{"on a scale of its own", fixed{score: 7, scale: 10}, Max(5), "politeness score 7.00 > 5"},
		{"no bound", fixed{}, Bound{}, "the bound is empty"},
		{"max NaN", fixed{}, Max(math.NaN()), "NaN"},
		{"max above the scale", fixed{}, Max(2), "outside the scorer's scale"},
		{"min negative", fixed{}, Min(-1), "-1"},
		{"score NaN", fixed{score: math.NaN()}, Max(1), "score NaN"},
		{"score negative", fixed{score: -1}, Max(1), "score -1"},
		{"score above the scale", fixed{score: 2}, Max(1), "score 2"},
		{"score infinite", fixed{score: math.Inf(-1)}, Max(1), "-Inf"},
		{"claims without verdicts", fixed{result: &scorer.Result{Claims: make([]scorer.Claim, 2)}}, Max(1), "0 verdicts for 2 claims"},
		{"an error", fixed{err: errors.New("disk on fire")}, Max(1), "disk on fire"},
		{"no scorer", nil, Max(1), "the scorer is nil"},
		{"a nil pointer", (*scorer.Hallucination)(nil), Max(1), "the scorer is nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ft := &fakeT{name: "TestPolite"}
			assert.Equal(t, c.says == "", Assert(ft, c.s, scorer.Run{}, c.bound))
			if c.says != "" {
				assert.Contains(t, ft.message(t), c.says)
			}
		})
	}
}

func TestOptionThatCannotActIsNamed(t *testing.T) {
	dir := pinned(t)
	ft := &fakeT{name: "TestShop"}
	assert.False(t, Assert(ft, fixed{}, scorer.Run{}, Max(1), WithModel("x")))
	assert.Contains(t, ft.message(t), "WithModel cannot act in Assert")

	ft = &fakeT{name: "TestShop"}
	Judge(ft, WithScale(2))
	assert.Contains(t, ft.message(t), "WithScale cannot act in Judge")
	assert.True(t, ft.ended)

	ft = &fakeT{name: "TestShop"}
	Client(ft, WithInput("?"), WithCassetteDir(dir))
	assert.Contains(t, ft.message(t), "WithInput cannot act in Client")
	assert.True(t, ft.ended)

	ft = &fakeT{name: "TestShop"}
	own := WithJudge(func(*http.Client) (scorer.Judge, error) { return nil, nil })
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0, WithModel("x"), own))
	assert.Contains(t, ft.message(t), "WithModel cannot act in AssertNoHallucination beside WithJudge")

	var out strings.Builder
	assert.Equal(t, 2, run(exits(0), &out, []Option{WithCassette("x")}))
	assert.Contains(t, out.String(), "WithCassette cannot act in Main")
}

// exits is a test run that ends with a code.
type exits int

func (e exits) Run() int { return int(e) }

func TestMainsOptionsAreWeakestAndTheCallsStrongest(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	t.Cleanup(func() { run(exits(0), &strings.Builder{}, nil) })
	var out strings.Builder
	require.Equal(t, 3, run(exits(3), &out, []Option{WithModel("absent"), WithMode(Replay), WithCassetteDir(dir)}))

	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0))
	assert.Contains(t, ft.message(t), "no recording", "Main's mode")
	ft.end()

	t.Setenv("EVALTEST_MODE", "record")
	ft = &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0))
	assert.Contains(t, ft.message(t), `no model "absent"`, "the environment's mode, Main's model")
	ft.end()

	t.Setenv("EVALTEST_MODEL", "fine")
	ft = &fakeT{name: "TestShop"}
	assert.True(t, AssertNoHallucination(ft, grounded, shop, 0), "the environment's model")
	ft.end()

	ft = &fakeT{name: "TestShop"}
	calls.Store(0)
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0, WithModel("absent"), WithMode(Live)))
	assert.Contains(t, ft.message(t), "absent", "the call's options")
	ft.end()
}

func TestAllowedClaimPassesAndIsShown(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	assert.True(t, AssertNoHallucination(ft, ungrounded, shop, 0, WithCassetteDir(dir), WithAllow(regexp.MustCompile("free worldwide"), "cleared by marketing")))
	ft.end()
	assert.Contains(t, strings.Join(ft.logs, "\n"), "allowed    cleared by marketing")
}

func TestFailureReadsLikeTestifysAndPointsAtTheUsersLine(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestShop"}
	AssertNoHallucination(ft, ungrounded, shop, 0, WithCassetteDir(dir))
	ft.end()
	require.Len(t, ft.errors, 1)
	assert.Regexp(t, `^\n\tError Trace:\t\S+assert_test\.go:\d+\n\tError:      \thallucination score`, ft.errors[0])
	assert.Regexp(t, `\n\tTest:       \tTestShop\n$`, ft.errors[0])
}
