package cassettes

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chat is a request of Ollama's /api/chat.
type chat struct {
	label, model, system, user, format string
	numCtx                             int
}

func (c chat) body() string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"system","content":%q},{"role":"user","content":%q}],"stream":false,"format":%s,"options":{"num_ctx":%d,"seed":1}}`,
		c.model, c.system, c.user, c.format, c.numCtx)
}

var verdicts = chat{
	"hallucination/verdicts@1", "llama3.2", "You judge claims.\nAnswer in JSON.",
	"context[0]: Refunds are issued within 14 days.\n\nclaim 1: Refunds take 14 days.\nclaim 2: Shipping is free.", `{"type":"object"}`, 4096,
}

// missOf records calls, makes one that is not among them, and gives the miss.
func missOf(t *testing.T, asked chat, recorded ...chat) *MissError {
	t.Helper()
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Mode: Record, Transport: always("{}")})
	for _, r := range recorded {
		_, err := send(WithLabel(t.Context(), r.label), c, r.body())
		require.NoError(t, err)
	}
	require.NoError(t, c.Close(true))
	c = open(t, c.Path(), Options{Mode: Replay})
	_, err := send(WithLabel(t.Context(), asked.label), c, asked.body())
	var miss *MissError
	require.ErrorAs(t, err, &miss)
	assert.Equal(t, c.Path(), miss.Path)
	assert.Equal(t, c.Recorded(), miss.Recorded)
	assert.LessOrEqual(t, strings.Count(miss.Error(), "\n")+1, maxMissLines)
	return miss
}

func TestMissSaysWhatDiffers(t *testing.T) {
	const start = "call 1 (POST /api/chat, hallucination/verdicts@1) is not in the recording: "
	tests := map[string]struct {
		change  func(c *chat)
		first   string
		changed []string
		shows   []string
	}{
		"model": {func(c *chat) { c.model = "qwen3" },
			start + "recorded with llama3.2, now qwen3", []string{"model"},
			[]string{"model      recorded llama3.2, now qwen3"}},
		"version of the prompt": {func(c *chat) { c.label = "hallucination/verdicts@2"; c.system += "!" },
			"call 1 (POST /api/chat, hallucination/verdicts@2) is not in the recording: " +
				"recorded for hallucination/verdicts@1, now hallucination/verdicts@2; its system text has changed", []string{"label", "system"},
			[]string{"message 1 (system):", "  -Answer in JSON.", "  +Answer in JSON.!"}},
		"user's text": {func(c *chat) { c.user = strings.Replace(c.user, "free", "cheap", 1) },
			start + "its prompt has changed", []string{"prompt"},
			[]string{"message 2 (user):", "   claim 1: Refunds take 14 days.", "  -claim 2: Shipping is free.", "  +claim 2: Shipping is cheap."}},
		"schema": {func(c *chat) { c.format = `{"type":"array"}` },
			start + "its schema has changed", []string{"schema"},
			[]string{`  -  "type": "object"`, `  +  "type": "array"`}},
		"parameter": {func(c *chat) { c.numCtx = 8192 },
			start + "its option num_ctx has changed", []string{"option num_ctx"},
			[]string{"option num_ctx recorded 4096, now 8192"}},
		"several": {func(c *chat) { c.model = "qwen3"; c.numCtx = 1; c.system = "x"; c.user = "y" },
			start + "recorded with llama3.2, now qwen3; its option num_ctx has changed; its system text has changed; its prompt has changed",
			[]string{"model", "option num_ctx", "system", "prompt"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			asked := verdicts
			tt.change(&asked)
			claims := verdicts
			claims.label, claims.user = "hallucination/claims@1", asked.user+" really" // more like it, but another step
			miss := missOf(t, asked, claims, verdicts)
			lines := strings.Split(miss.Error(), "\n")
			assert.Equal(t, tt.first, lines[0])
			assert.Equal(t, tt.changed, miss.Changed)
			assert.Equal(t, verdicts.label, miss.Nearest)
			assert.Contains(t, lines[2], "nearest    interaction 1 of 2 (POST /api/chat, hallucination/verdicts@1)")
			for _, line := range tt.shows {
				assert.Contains(t, lines, line)
			}
		})
	}
}

func TestMissOfACallMadeTooOften(t *testing.T) {
	c := open(t, record(t, echo(), "a"), Options{Mode: Replay})
	mustCall(t, c, "a")
	for _, asked := range []string{"2 times", "3 times"} {
		_, err := send(t.Context(), c, "a")
		var miss *MissError
		require.ErrorAs(t, err, &miss)
		first, _, _ := strings.Cut(miss.Error(), "\n")
		assert.Regexp(t, `^call \d \(POST /api/chat\) is not in the recording: it is recorded once and was now made `+asked+`$`, first)
		assert.Equal(t, 1, miss.Times)
	}
}

func TestMissInAnEmptyRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	write(t, path, "version: 2\ninteractions: []\n")
	_, err := send(t.Context(), open(t, path, Options{}), "a")
	assert.ErrorContains(t, err, "call 1 (POST /api/chat) is not in the recording: it holds no call at all\nrecording  "+path)
}

func TestNearestIsOfTheSamePathAndStepAndNotYetReplayed(t *testing.T) {
	version := func(label, user string) chat {
		c := verdicts
		c.label, c.user = label, user
		return c
	}
	tests := map[string]struct {
		asked    chat
		recorded []chat
		nearest  string
	}{
		"label before words": {version("s@1", "one two"), []chat{version("other@1", "one two 2"), version("s@1", "three")}, "s@1"},
		"step before others": {version("s@2", "one two"), []chat{version("other@1", "one two 2"), version("s@1", "three")}, "s@1"},
		"words otherwise":    {version("", "一二三四"), []chat{version("a", "五六七八"), version("b", "一二三八")}, "b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.nearest, missOf(t, tt.asked, tt.recorded...).Nearest)
		})
	}
	c := open(t, record(t, echo(), "one two", "three"), Options{Mode: Replay})
	mustCall(t, c, "one two")
	_, err := send(t.Context(), c, "one two three")
	assert.ErrorContains(t, err, "  -three\n  +one two three", "what was not replayed yet")
}

func TestMissOfOtherBodies(t *testing.T) {
	tests := map[string]struct {
		was, is string
		shows   []string
	}{
		"text":          {"one\ntwo\nthree", "one\n2\nthree", []string{": its body has changed\n", "  -two\n  +2\n"}},
		"text and JSON": {"text", `{"a":1}`, []string{": its body has changed\n", "  -text\n"}},
		"JSON": {`{"a":1,"b":"x","c":[1]}`, `{"a":2,"b":"x","d":null}`, []string{
			": its a has changed; its c has changed; its d has changed\n", "a          recorded 1, now 2\n", "c          recorded [1], now none\n", "d          recorded none, now null",
		}},
		"order of members named twice": {`{"a":1,"a":2}`, `{"a":2,"a":1}`, []string{": its a has changed"}},
		"a member named twice":         {`{"a":1,"a":2}`, `{"a":2}`, []string{": its body has changed", `  -  "a": 1,`}},
		"more messages": {`{"messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"user","content":"a"},{"role":"tool","content":"b"}]}`,
			[]string{": its prompt has changed\n", "message 2 (tool):\n", "  +b"}},
		"parts": {`{"messages":[{"role":"user","content":[{"text":"a"}]}]}`, `{"messages":[{"role":"user","content":[{"text":"b"}]}]}`,
			[]string{": its prompt has changed\n", `  +    "text": "b"`}},
		"long values": {`{"a":["` + strings.Repeat("x", 60) + `","y"]}`, `{"a":["` + strings.Repeat("x", 60) + `","z"]}`,
			[]string{": its a has changed\n", `  -  "y"`, `  +  "z"`}},
		"role":             {`{"messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"tool","content":"a"}]}`, []string{": its messages have changed\n"}},
		"generate":         {`{"prompt":"a","system":"s"}`, `{"prompt":"b","system":"t"}`, []string{": its prompt has changed; its system text has changed\n", "prompt:\n", "system:\n"}},
		"line breaks":      {strings.Repeat("x", 160) + "y", strings.Repeat("x", 160) + "\ny", []string{"only where lines break"}},
		"no escape leaves": {"a", "\x1b[31mb", []string{"  +[31mb"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, record(t, always("{}"), tt.was), Options{Mode: Replay})
			_, err := send(t.Context(), c, tt.is)
			for _, want := range tt.shows {
				assert.ErrorContains(t, err, want)
			}
		})
	}
}

func TestMissOfAnotherPath(t *testing.T) {
	c := open(t, record(t, echo(), "a"), Options{Mode: Replay})
	_, err := readAll(c.RoundTrip(request(t.Context(), "http://x/v1/chat?b=1", "a")))
	assert.ErrorContains(t, err, "it was recorded as POST /api/chat, now POST /v1/chat?b=1")
}

func TestMissWithManyDifferencesIsShort(t *testing.T) {
	var was, is []string
	for n := range 100 {
		was, is = append(was, fmt.Sprintf(`"f%d":1`, n)), append(is, fmt.Sprintf(`"f%d":2`, n))
	}
	c := open(t, record(t, echo(), "{"+strings.Join(was, ",")+"}"), Options{Mode: Replay})
	_, err := send(t.Context(), c, "{"+strings.Join(is, ",")+"}")
	lines := strings.Split(err.Error(), "\n")
	assert.Len(t, lines, maxMissLines)
	assert.Equal(t, "… and 44 lines more", lines[maxMissLines-1])
	assert.True(t, strings.HasSuffix(lines[0], "; its f4 has changed; and 95 more differences"), lines[0])
}

func TestMissOfHugeTextIsShort(t *testing.T) {
	lines := func(word string) string {
		var b strings.Builder
		for n := range 5_000 {
			fmt.Fprintf(&b, "Sentence %d is %s. And on it goes without a line break, as texts do. ", n, word)
		}
		return b.String()
	}
	asked, recorded := verdicts, verdicts
	asked.user, recorded.user = lines("one"), lines("two")
	asked.system, recorded.system = lines("one"), lines("two")
	message := missOf(t, asked, recorded).Error()
	assert.Less(t, len(message), 20_000)
	for line := range strings.Lines(message) {
		assert.Less(t, len([]rune(line)), 400, line)
	}
	assert.Contains(t, message, "  -Sentence 0 is two.")
	assert.Contains(t, message, "lines more")
}
