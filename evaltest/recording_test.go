package evaltest

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/cassettes"
	"github.com/evaltest/go-evaltest/scorer"
)

func TestRecordThenReplayOffline(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	first := &fakeT{name: "TestShop/refund"}
	assert.True(t, AssertNoHallucination(first, grounded, shop, 0, WithCassetteDir(dir)))
	first.end()
	assert.Empty(t, first.errors)
	assert.EqualValues(t, 2, calls.Load())
	path := filepath.Join(dir, "TestShop", "refund.yaml")
	require.FileExists(t, path)
	assert.Contains(t, strings.Join(first.logs, "\n"), "commit it")
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	for _, mode := range []string{"", "auto", "replay", "update"} {
		t.Setenv("EVALTEST_MODE", mode)
		again := &fakeT{name: "TestShop/refund"}
		assert.True(t, AssertNoHallucination(again, grounded, shop, 0, WithCassetteDir(dir)), "%v", again.errors)
		again.end()
		assert.Empty(t, again.errors)
	}
	assert.EqualValues(t, 2, calls.Load(), "nothing is asked again")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	t.Setenv("OLLAMA_HOST", "::not a host::")
	t.Setenv("EVALTEST_MODE", "replay")
	third := &fakeT{name: "TestShop/refund"}
	assert.True(t, AssertNoHallucination(third, grounded, shop, 0, WithCassetteDir(dir)), "a replay reads no host: %v", third.errors)
	third.end()
}

func TestChangedOutputOrModelIsAMissThatSaysSo(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	first := &fakeT{name: "TestShop"}
	AssertNoHallucination(first, grounded, shop, 0, WithCassetteDir(dir))
	first.end()
	recorded := calls.Load()
	for _, c := range []struct {
		name, output string
		options      []Option
		env          map[string]string
		says         []string
	}{
		{"output", "Refunds are issued within 15 days.", nil, nil, []string{"prompt has changed", "15 days", "EVALTEST_MODE=update go test -count=1 -run '^TestShop$'"}},
		{"model by option", grounded, []Option{WithModel("qwen3")}, nil, []string{"model", "llama3.2", "qwen3"}},
		{"model by environment", grounded, nil, map[string]string{"EVALTEST_MODEL": "qwen3"}, []string{"model", "EVALTEST_MODE=update EVALTEST_MODEL='qwen3'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			ft := &fakeT{name: "TestShop"}
			assert.False(t, AssertNoHallucination(ft, c.output, shop, 1, append(c.options, WithCassetteDir(dir))...))
			message := ft.message(t)
			ft.end()
			for _, text := range c.says {
				assert.Contains(t, message, text)
			}
			assert.LessOrEqual(t, strings.Count(message, "\n"), 70)
		})
	}
	assert.Equal(t, recorded, calls.Load(), "auto never records into a cassette that is there")
}

func TestModesFollowTheTable(t *testing.T) {
	for _, c := range []struct {
		name, mode, ci string
		there          bool // a cassette with the call
		passes         bool
		calls          int32
		written        bool
	}{
		{"auto records where there is none", "auto", "", false, true, 2, true},
		{"auto replays", "auto", "", true, true, 0, true},
		{"replay fails where there is none", "replay", "", false, false, 0, false},
		{"CI replays", "", "true", false, false, 0, false},
		{"CI=false does not", "", "false", false, true, 2, true},
		{"CI=0 does not", "", "0", false, true, 2, true},
		{"the mode wins over CI", "record", "true", false, true, 2, true},
		{"record calls again", "record", "", true, true, 2, true},
		{"update replays", "update", "", true, true, 0, true},
		{"update records where there is none", "update", "", false, true, 2, true},
		{"live calls", "live", "", true, true, 2, true},
		{"live writes nothing", "live", "", false, true, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := pinned(t)
			calls := fakeOllama(t)
			if c.there {
				first := &fakeT{name: "TestShop"}
				AssertNoHallucination(first, grounded, shop, 0, WithCassetteDir(dir))
				first.end()
				calls.Store(0)
			}
			t.Setenv("EVALTEST_MODE", c.mode)
			t.Setenv("CI", c.ci)
			ft := &fakeT{name: "TestShop"}
			assert.Equal(t, c.passes, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir)), "%v", ft.errors)
			ft.end()
			assert.Equal(t, c.calls, calls.Load())
			_, err := os.Stat(filepath.Join(dir, "TestShop.yaml"))
			assert.Equal(t, c.written, err == nil)
		})
	}
}

func TestCallsOfOneTestShareItsCassette(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	play := func() *fakeT {
		ft := &fakeT{name: "TestAgent"}
		resp, err := Client(ft, WithCassetteDir(dir)).Post(os.Getenv("OLLAMA_HOST")+"/api/chat", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"claim 1: x"}]}`))
		require.NoError(t, err)
		var answer map[string]any
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
		require.NoError(t, resp.Body.Close())
		s := scorer.NewHallucination(Judge(ft, WithCassetteDir(dir)), scorer.HallucinationOptions{Context: shop})
		assert.True(t, Assert(ft, s, scorer.TextRun("", grounded), Max(0)))
		assert.True(t, AssertNoHallucination(ft, ungrounded, shop, 0.5, WithCassetteDir(dir)))
		ft.end()
		assert.Empty(t, ft.errors)
		return ft
	}
	play()
	recorded := calls.Load()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	t.Setenv("EVALTEST_MODE", "replay")
	ft := play()
	assert.Equal(t, recorded, calls.Load())
	assert.Contains(t, strings.Join(ft.logs, "\n"), filepath.ToSlash(filepath.Join(dir, "TestAgent.yaml")))
}

func TestTwoTestsCannotShareACassette(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	first := &fakeT{name: "TestOne"}
	assert.True(t, AssertNoHallucination(first, grounded, shop, 0, WithCassetteDir(dir), WithCassette("shared")))
	first.end()
	second := &fakeT{name: "TestTwo"}
	assert.False(t, AssertNoHallucination(second, grounded, shop, 0, WithCassetteDir(dir), WithCassette("shared")))
	assert.Contains(t, second.message(t), "belongs to TestOne")
}

func TestOneTestCannotOpenItsCassetteInTwoWays(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestOne"}
	Judge(ft, WithCassetteDir(dir))
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir), WithMode(Live)))
	assert.Contains(t, ft.message(t), "open already with other options")
	ft.end()
}

func TestCallAfterTheTestEndedIsAnError(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	ft := &fakeT{name: "TestOne"}
	judge := Judge(ft, WithCassetteDir(dir))
	ft.end()
	_, err := judge.Generate(t.Context(), scorer.Prompt{User: "late"})
	assert.ErrorContains(t, err, "closed")
}

func TestCassetteNameCannotLeaveTheDirectory(t *testing.T) {
	dir := filepath.Join(pinned(t), "inner")
	fakeOllama(t)
	ft := &fakeT{name: "TestOne"}
	AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir), WithCassette("../../outside"))
	ft.end()
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, "inner", entries[0].Name())
}

func TestRecordingThatIsNotCompleteIsNotWritten(t *testing.T) {
	dir := pinned(t)
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir)))
	ft.end()
	assert.NoFileExists(t, filepath.Join(dir, "TestShop.yaml"))
	assert.Len(t, ft.errors, 1)
	assert.Contains(t, strings.Join(ft.logs, "\n"), "nothing was recorded")

	fakeOllama(t)
	ft = &fakeT{name: "TestShop"}
	resp, err := Client(ft, WithCassetteDir(dir)).Get(os.Getenv("OLLAMA_HOST") + "/nowhere")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	ft.end()
	assert.Contains(t, ft.message(t), "the recording was not written", "an answer that is not 2xx fails the recording")
	assert.NoFileExists(t, filepath.Join(dir, "TestShop.yaml"))
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestSameTransport(t *testing.T) {
	one, other := &http.Transport{}, &http.Transport{}
	function := transport(one.RoundTrip)
	for _, c := range []struct {
		name string
		a, b http.RoundTripper
		same bool
	}{
		{"none", nil, nil, true},
		{"one and none", one, nil, false},
		{"none and one", nil, one, false},
		{"the same", one, one, true},
		{"another", one, other, false},
		{"functions", function, function, true},
		{"other types", function, one, false},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.same, sameTransport(c.a, c.b)) })
	}
}

func TestOneSubtestThatIsRecordedKeepsTheOthers(t *testing.T) {
	tests := []struct {
		test, pattern string
		want          bool
	}{
		{"TestTable", "^TestTable$/^late$", true},
		{"TestTable", "^TestTable$", false},
		{"TestTable", "", false},
		{"TestTable/late", "^TestTable$/^late$", false},
		{"TestTable/late", "^TestTable$/^late$/^de$", true},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, selectsWithin(tt.test, tt.pattern), "%s by %s", tt.test, tt.pattern)
	}

	dir := pinned(t)
	calls := fakeOllama(t)
	run := func(mode Mode, pattern string, outputs ...string) *fakeT {
		old := flag.Lookup("test.run").Value.String()
		require.NoError(t, flag.Set("test.run", pattern))
		defer func() { require.NoError(t, flag.Set("test.run", old)) }()
		ft := &fakeT{name: "TestTable"}
		judge := Judge(ft, WithMode(mode), WithCassetteDir(dir)) // one for all the subtests
		for _, output := range outputs {
			s := scorer.NewHallucination(judge, scorer.HallucinationOptions{Context: shop})
			Assert(ft, s, scorer.TextRun("", output), Max(1))
		}
		ft.end()
		return ft
	}
	const other = "Refunds are issued within 14 days. Shoes are refunded."
	assert.Empty(t, run(Record, "^TestTable$", grounded, other).errors)
	asked := calls.Load()
	assert.Empty(t, run(Record, "^TestTable$/^other$", other).errors)
	assert.Greater(t, calls.Load(), asked)
	assert.Empty(t, run(Update, "^TestTable$/^other$", other).errors)
	assert.Empty(t, run(Replay, "^TestTable$", grounded, other).errors, "what the subtest did not ask is still there")
	assert.Empty(t, run(Update, "^TestTable$", other).errors)
	assert.NotEmpty(t, run(Replay, "^TestTable$", grounded, other).errors, "a whole run drops what it does not ask")
}

func TestRecordingThatCannotBeWrittenIsAFailure(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "TestShop")))
	ft := &fakeT{name: "TestShop/refund"}
	assert.True(t, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir)))
	ft.end()
	assert.Regexp(t, "^the recording was not written: .*TestShop/refund.yaml was not written: .*escapes", ft.message(t))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestSecretInARecordingIsAFailureThatDoesNotShowIt(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	const secret = "ghp_" + "abcdefghijklmnopqrst12" // put together, so that no scanner takes it for a leak
	ft := &fakeT{name: "TestShop"}
	AssertNoHallucination(ft, "The key is "+secret+".", shop, 1, WithCassetteDir(dir), WithMode(Record))
	ft.end()
	message := ft.message(t)
	assert.Regexp(t, "the recording was not written: .*recording holds a secret: the request of POST /api/chat, hallucination/claims@1, field messages.1..content has what looks like a GitHub token", message)
	assert.NotContains(t, ft.errors[0], secret, "where the output itself is not shown")
	assert.NoFileExists(t, filepath.Join(dir, "TestShop.yaml"))
}

func TestCallOfAClientThatIsNotRecordedSaysHowToRecordIt(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	get := func(mode Mode, path string) error {
		ft := &fakeT{name: "TestShop"}
		defer ft.end()
		resp, err := Client(ft, WithCassetteDir(dir), WithMode(mode), WithStatuses(400), WithTransport(http.DefaultTransport)).Get(os.Getenv("OLLAMA_HOST") + path)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	const commands = `\nupdate     with WithMode\("update"\): go test -count=1 -run '\^TestShop\$' .*\nre-record  with WithMode\("record"\): go test`
	err := get(Replay, "/a")
	assert.ErrorIs(t, err, cassettes.ErrNoCassette)
	assert.Regexp(t, commands, err.Error())
	require.NoError(t, get(Record, "/a"))
	require.NoError(t, get(Replay, "/a"))
	err = get(Replay, "/b")
	var miss *cassettes.MissError
	assert.ErrorAs(t, err, &miss)
	assert.Regexp(t, commands, err.Error())
}
