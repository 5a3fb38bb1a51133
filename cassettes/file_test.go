package cassettes

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/dnaeon/go-vcr.v3/cassette"
	"gopkg.in/dnaeon/go-vcr.v3/recorder"
)

func TestFileThatIsNoCassette(t *testing.T) {
	whole := read(t, record(t, always("{\n}\n"), "a"))
	asked, _, _ := strings.Cut(whole, "    response:")
	tests := map[string]struct{ text, says string }{
		"zero bytes":         {"", "it is empty"},
		"white space":        {"\n \n", "it is empty"},
		"prose":              {"hello", "not the YAML of one"},
		"broken YAML":        {"version: [", "not the YAML of one"},
		"a merge's conflict": {"<<<<<<< HEAD\n" + whole, "not the YAML of one"},
		"another mapping":    {"a: 1\n", "its version is 0, not 2"},
		"version 1":          {"version: 1\ninteractions: []\n", "its version is 1, not 2"},
		"no interactions":    {"version: 2\n", "no list of interactions"},
		"interactions empty": {"version: 2\ninteractions:\n", "no list of interactions"},
		"an empty item":      {"version: 2\ninteractions:\n- \n", "interaction 0 lacks"},
		"cut before answer":  {asked, "interaction 0 lacks"},
		"cut in an answer":   {strings.TrimSuffix(whole, "        }\n"), "interaction 0 has an answer of 2 bytes, recorded with 4"},
		"an edited answer":   {strings.Replace(whole, "        }\n", "        true}\n", 1), "was cut or edited"},
		"URL broken":         {strings.Replace(whole, "http://recorded", "http://[recorded", 1), "has no URL"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.yaml")
			write(t, path, tt.text)
			for _, mode := range []Mode{Auto, Replay, Update} {
				_, err := Open(path, Options{Mode: mode})
				assert.ErrorIs(t, err, ErrNotCassette)
				assert.ErrorContains(t, err, path)
				assert.ErrorContains(t, err, tt.says)
				assert.ErrorContains(t, err, "delete it and record it anew, or restore it from version control")
			}
			assert.Equal(t, tt.text, read(t, path))

			c := open(t, path, Options{Mode: Live, Transport: echo()})
			mustCall(t, c, "a")
			require.NoError(t, c.Close(true))
			assert.Equal(t, tt.text, read(t, path))

			c = open(t, path, Options{Mode: Record, Transport: always("anew")})
			mustCall(t, c, "a")
			require.NoError(t, c.Close(true))
			assert.Equal(t, "anew", mustCall(t, open(t, path, Options{}), "a"))
		})
	}
}

func TestDirectoryIsNoCassette(t *testing.T) {
	for _, mode := range []Mode{Auto, Replay, Update, Record} {
		_, err := Open(t.TempDir(), Options{Mode: mode})
		assert.ErrorIs(t, err, ErrNotCassette, "%s", mode)
	}
}

func TestFileOfAnotherTestIsRefused(t *testing.T) {
	path := record(t, echo(), "a")
	before := read(t, path)
	for _, mode := range []Mode{Auto, Replay, Update, Record} {
		_, err := Open(path, Options{Mode: mode, Test: "TestTwin"})
		assert.ErrorIs(t, err, ErrOtherTest)
		assert.ErrorContains(t, err, path)
		assert.ErrorContains(t, err, "belongs to "+t.Name()+", not to TestTwin")
	}
	assert.Equal(t, before, read(t, path))
	open(t, path, Options{Test: t.Name()})
	open(t, path, Options{})
}

func TestGoVCRLoadsAndReplaysOurFile(t *testing.T) {
	path := record(t, always("{\n  \"a\": \"ü\"\n}\n"), `{"q":1}`)
	r, err := recorder.NewWithOptions(&recorder.Options{
		CassetteName: strings.TrimSuffix(path, ".yaml"), Mode: recorder.ModeReplayOnly, SkipRequestLatency: true,
	})
	require.NoError(t, err)
	text, err := readAll(r.RoundTrip(request(t.Context(), "http://recorded.invalid/api/chat", `{"q":1}`)))
	require.NoError(t, err)
	assert.Equal(t, "{\n  \"a\": \"ü\"\n}\n", text)
}

// govcrFile makes a cassette with go-vcr's own recorder.
func govcrFile(t *testing.T, bodies ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "govcr.yaml")
	r, err := recorder.NewWithOptions(&recorder.Options{
		CassetteName: strings.TrimSuffix(path, ".yaml"), Mode: recorder.ModeRecordOnly, RealTransport: echo(), SkipRequestLatency: true,
	})
	require.NoError(t, err)
	for _, body := range bodies {
		req := request(t.Context(), "http://llm.example/api/chat?token=abc", body)
		req.Header.Set("X-Api-Key", "abc")
		_, err := readAll(r.RoundTrip(req))
		require.NoError(t, err)
	}
	require.NoError(t, r.Stop())
	return path
}

func TestWeReplayGoVCRsFile(t *testing.T) {
	path := govcrFile(t, "a", "b")
	write(t, path, "# a comment\nunknown: key\n"+strings.TrimPrefix(read(t, path), "---\n"))
	c := open(t, path, Options{Mode: Replay, Test: "TestAny"})
	assert.Equal(t, `{"n":2,"asked":"b"}`, mustCall(t, c, "b"))
	assert.Equal(t, `{"n":1,"asked":"a"}`, mustCall(t, c, "a"))
	assert.Empty(t, c.Recorded())
}

func TestUpdateCleansWhatOthersRecorded(t *testing.T) {
	path := govcrFile(t, "a")
	require.Contains(t, read(t, path), "abc")
	c := open(t, path, Options{Mode: Update, Transport: always("new")})
	mustCall(t, c, "a")
	mustCall(t, c, "b")
	require.NoError(t, c.Close(true))
	for _, gone := range []string{"abc", "llm.example", "machine-7"} {
		assert.NotContains(t, read(t, path), gone)
	}
	c = open(t, path, Options{Mode: Replay})
	assert.Equal(t, `{"n":1,"asked":"a"}`, mustCall(t, c, "a"))
	assert.Equal(t, "new", mustCall(t, c, "b"))
}

func TestUpdateDropsOnlyWhatAPassedTestNoLongerAsks(t *testing.T) {
	tests := map[string]struct {
		asks   string
		passed bool
		keeps  string
	}{
		"passed":               {"ac", true, "ac"},
		"failed":               {"ac", false, "abc"},
		"passed with fewer":    {"a", true, "a"},
		"failed with fewer":    {"a", false, "ab"},
		"passed without calls": {"", true, "ab"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := record(t, always("old"), "a", "b")
			c := open(t, path, Options{Mode: Update, Transport: always("new")})
			for _, body := range strings.Split(tt.asks, "") {
				mustCall(t, c, body)
			}
			require.NoError(t, c.Close(tt.passed))
			f, err := decode([]byte(read(t, path)), rules{})
			require.NoError(t, err)
			keeps := ""
			for _, i := range f.Interactions {
				keeps += i.Request.Body
			}
			assert.Equal(t, tt.keeps, keeps)
		})
	}
}

func TestOrderOfCallsDoesNotChangeTheFile(t *testing.T) {
	var files []string
	for _, order := range [][]string{{"1", "2", "3", "4"}, {"4", "2", "1", "3"}} {
		c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: stateless{}})
		for _, n := range order {
			ctx := WithLabel(t.Context(), map[string]string{"1": "b@1", "2": "a@1"}[n])
			_, err := send(ctx, c, n)
			require.NoError(t, err)
		}
		require.NoError(t, c.Close(true))
		files = append(files, read(t, c.Path()))
	}
	assert.Equal(t, files[0], files[1])
	loaded, err := decode([]byte(files[0]), rules{})
	require.NoError(t, err)
	bodies := ""
	for n, i := range loaded.Interactions {
		assert.Equal(t, n, i.ID)
		bodies += i.Response.Body
	}
	assert.Equal(t, "3421", bodies, "by label, then by body")
}

func TestFileThatDiffersInItsDateAloneIsNotTouched(t *testing.T) {
	path := record(t, always("{}"), "a", "b")
	today := open(t, path, Options{}).Recorded()
	old := strings.ReplaceAll(read(t, path), today, "2020-02-02")
	require.Equal(t, 2, strings.Count(old, "2020-02-02"), "key and comment")
	write(t, path, old)

	again := func(bodies ...string) *Cassette {
		c := open(t, path, Options{Mode: Record, Test: t.Name(), Transport: always("{}")})
		for _, body := range bodies {
			mustCall(t, c, body)
		}
		require.NoError(t, c.Close(true))
		return c
	}
	assert.Equal(t, "2020-02-02", again("b", "a").Recorded())
	assert.Equal(t, old, read(t, path))

	assert.NotEqual(t, "2020-02-02", again("b", "c").Recorded())
	assert.NotContains(t, read(t, path), "2020-02-02")
}

func TestCommentSaysWhatIsInTheFile(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Test: "TestShop/refund#01", Transport: always(
		`{"message":{"content":"{\"claims\":"}}` + "\n" + `{"message":{"content":"[]}\u001b[31m"},"done":true}` + "\n")})
	ctx := WithLabel(t.Context(), "hallucination/claims@1")
	_, err := send(ctx, c, `{"model":"llama3.2","messages":[{"role":"user","content":"Rules.\nsentence 1: Refunds\ttake 14 days."}]}`)
	require.NoError(t, err)
	_, err = send(t.Context(), c, `{"input":"`+strings.Repeat("长", 100)+`"}`)
	require.NoError(t, err)
	require.NoError(t, c.Close(true))
	date := c.Recorded()
	head, _, _ := strings.Cut(read(t, c.Path()), "version:")
	assert.Equal(t, `# Recorded HTTP calls of TestShop/refund#01. Made by a real run on `+date+`;
# tests replay them without a network. Do not edit: record anew, as package evaltest does with
# EVALTEST_MODE=record go test -count=1 -run '^TestShop$/^refund#01$'
#
# models: llama3.2
# 0: POST /api/chat, asked »`+strings.Repeat("长", 71)+`…«, answered »{"claims":[]}[31m«
# 1: hallucination/claims@1, llama3.2, asked »sentence 1: Refunds take 14 days.«, answered »{"claims":[]}[31m«
`, head)
}

func TestCommentOfOtherAnswers(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"OpenAI":            {`{"choices":[{"message":{"content":"yes"}}]}`, "answered »yes«"},
		"streamed":          {"data: {\"choices\":[{\"delta\":{\"content\":\"y\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"es\"}}]}\n\ndata: [DONE]\n", "answered »yes«"},
		"Ollama's generate": {`{"response":"yes"}`, "answered »yes«"},
		"JSON":              {"{\n\"a\":  1}", `answered »{ "a": 1}«`},
		"text":              {"yes\xff\r\n", "answered »yes«"},
		"nothing":           {"", "answered »«"},
	}
	for name, tt := range tests {
		path := record(t, always(tt.body), "{}")
		assert.Contains(t, read(t, path), "# 0: POST /api/chat, "+tt.want+"\n", name)
	}
}

func TestCommentIsBounded(t *testing.T) {
	f := &file{}
	for range commentCalls + 5 {
		f.Interactions = append(f.Interactions, &interaction{})
	}
	comment := f.comment("2026-12-01")
	assert.True(t, strings.HasSuffix(comment, "# … and 5 more\n"), comment)
	assert.Contains(t, comment, "Recorded HTTP calls of a client.")
	assert.NotContains(t, comment, "-run")
}

func TestEqualCallsOfSeveralLabelsKeepTheirOrder(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: echo()})
	for _, label := range []string{"b@1", "a@1", "c@1"} {
		_, err := send(WithLabel(t.Context(), label), c, "x")
		require.NoError(t, err)
	}
	require.NoError(t, c.Close(true))
	replay := open(t, c.Path(), Options{Mode: Replay})
	for n := 1; n <= 3; n++ {
		assert.Equal(t, fmt.Sprintf(`{"n":%d,"asked":"x"}`, n), mustCall(t, replay, "x"))
	}
}

func TestSecretsAreNotWritten(t *testing.T) {
	path := record(t, always("{}"), "a")
	before := read(t, path)
	const secret = "sk-" + "proj-Abc123Abc123Abc123" // put together, so that no scanner takes it for a leak
	tests := map[string]struct {
		body, answer, label, where string
	}{
		"in a prompt":  {"my key is " + secret, "{}", "", "the request of POST /api/chat"},
		"in an answer": {"hello", `{"key":"` + secret + `"}`, "step@1", "the answer of POST /api/chat, step@1"},
		"in a label":   {"hello", "{}", secret, "the label of a call"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, path, Options{Mode: Record, Transport: always(tt.answer)})
			_, err := send(WithLabel(t.Context(), tt.label), c, tt.body)
			require.NoError(t, err)
			err = c.Close(true)
			assert.ErrorIs(t, err, ErrSecret)
			assert.ErrorContains(t, err, tt.where)
			assert.ErrorContains(t, err, "an API key (sk-…)")
			assert.NotContains(t, err.Error(), secret)
			assert.Equal(t, before, read(t, path))
		})
	}
}

func TestBodiesComeBackByteForByte(t *testing.T) {
	for _, text := range []string{
		"", "\n", "\n\nx", "\tx\ny\n", "\u2028x\ny", " x\n  y", "x \ny\t\n", "x\r\ny\r", "a\x00b", "\xff\xfe", "\ufeffx\n",
		"true", "2026-12-01", "- x\n- y", "# x\ny", "'", `"\`, "---\nx\n...\n", "\u0085x\ny", "<<: *a", "~",
	} {
		path := record(t, always(text), "a"+text)
		assert.Equal(t, text, mustCall(t, open(t, path, Options{Mode: Replay}), "a"+text), "%q", text)
		loaded, err := cassette.Load(strings.TrimSuffix(path, ".yaml"))
		require.NoError(t, err)
		assert.Equal(t, text, loaded.Interactions[0].Response.Body)
		assert.Equal(t, "a"+text, loaded.Interactions[0].Request.Body)
	}
}

func TestMultiLineTextIsReadable(t *testing.T) {
	file := read(t, record(t, always("{\"a\":1}\n{\"b\":2}\n"), `{"q":"x<y"}`))
	assert.Contains(t, file, "      body: |\n        {\"a\":1}\n        {\"b\":2}\n")
	assert.Contains(t, file, "      body: |-\n        {\n          \"q\": \"x<y\"\n        }\n")
}

func TestGETIsRecordedWithoutABody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	transport := roundTrip(func(req *http.Request) (*http.Response, error) {
		assert.Nil(t, req.Body)
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})
	for _, o := range []Options{{Transport: transport}, {Mode: Replay, Transport: never{t}}} {
		c := open(t, path, o)
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://x/api/tags?b=2&a=1", nil)
		require.NoError(t, err)
		resp, err := c.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.NoError(t, c.Close(true))
	}
	_, err := os.Stat(path)
	assert.NoError(t, err)
}

func TestPartOfATestsCallsKeepsTheOthers(t *testing.T) {
	for _, mode := range []Mode{Record, Update} {
		t.Run(string(mode), func(t *testing.T) {
			path := record(t, always(`{"old":1}`), "a", "b", "c", "c")
			c := open(t, path, Options{Mode: mode, Partial: true, Transport: always(`{"new":1}`)})
			mustCall(t, c, "c")
			mustCall(t, c, "d")
			require.NoError(t, c.Close(true))
			c = open(t, path, Options{Mode: Replay})
			want := map[Mode]string{Record: `{"new":1}`, Update: `{"old":1}`}[mode]
			for body, answer := range map[string]string{"a": `{"old":1}`, "b": `{"old":1}`, "c": want, "d": `{"new":1}`} {
				assert.Equal(t, answer, mustCall(t, c, body), body)
			}
		})
	}
	path := record(t, always("{}"), "a")
	write(t, path, "no cassette")
	c := open(t, path, Options{Mode: Record, Partial: true, Transport: always("{}")})
	mustCall(t, c, "b")
	assert.NoError(t, c.Close(true), "there is nothing to keep")
}
