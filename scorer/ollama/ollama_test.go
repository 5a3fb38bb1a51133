package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

const fine = `{"model":"m","created_at":"2026-12-01T00:00:00Z","message":{"role":"assistant","content":"{\"a\":1}"},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":4}`

var prompt = scorer.Prompt{Step: "x@1", System: "Rules.", User: "Question <&>", Schema: json.RawMessage(`{"b":{},"a":{}}`), MaxTokens: 50, Seed: 1}

// judgeOf is a judge on a server that answers by handle. It does not wait
// between retries.
func judgeOf(t *testing.T, handle http.HandlerFunc, o Options) *Judge {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	host, err := url.Parse(server.URL)
	require.NoError(t, err)
	o.Host = host
	j, err := New(server.Client(), "llama3.2", o)
	require.NoError(t, err)
	j.caller.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return j
}

func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestGenerateGivesTheServersReply(t *testing.T) {
	for name, body := range map[string]string{
		"one object": fine,
		"a stream": `{"message":{"content":"{\"a\""},"done":false}
{"message":{"content":":1}"},"done":false}
{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":4}
`,
		"with thinking":     strings.Replace(fine, `"role":"assistant"`, `"role":"assistant","thinking":"Hm."`, 1),
		"white space after": fine + "\n\n  ",
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := judgeOf(t, answers(200, body), Options{}).Generate(t.Context(), prompt)
			require.NoError(t, err)
			assert.Equal(t, scorer.Reply{Text: `{"a":1}`, Finish: "stop", Usage: scorer.Usage{PromptTokens: 12, OutputTokens: 4}}, reply)
		})
	}
}

func TestRequestPinsWhatAServerCouldChoose(t *testing.T) {
	var path, body string
	j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		path, body = r.Method+" "+r.URL.Path, string(data)
		fmt.Fprint(w, fine)
	}, Options{ContextTokens: 4096})
	_, err := j.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "POST /api/chat", path)
	assert.JSONEq(t, `{"model":"llama3.2","messages":[{"role":"system","content":"Rules."},{"role":"user","content":"Question <&>"}],"stream":false,
		"format":{"b":{},"a":{}},"options":{"num_ctx":4096,"num_predict":50,"seed":1,"temperature":0},"truncate":false,"shift":false}`, body)
	assert.Contains(t, body, `"format":{"b":{},"a":{}}`, "the schema keeps its order")
	first := body
	_, err = j.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, first, body, "equal prompts give equal bytes")
}

func TestLogprobsAreAskedForAndGiven(t *testing.T) {
	var got api.ChatRequest
	j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&got)
		fmt.Fprint(w, strings.Replace(fine, `"done":true`, `"done":true,"logprobs":[{"token":"a","logprob":-0.5,"top_logprobs":[{"token":"b","logprob":-2}]}]`, 1))
	}, Options{})
	p := prompt
	p.TopLogprobs = 2
	reply, err := j.Generate(t.Context(), p)
	require.NoError(t, err)
	assert.True(t, got.Logprobs)
	assert.Equal(t, 2, got.TopLogprobs)
	assert.Equal(t, []scorer.TokenLogprob{{Token: "a", Logprob: -0.5, Top: []scorer.TokenLogprob{{Token: "b", Logprob: -2}}}}, reply.Logprobs)
}

func TestFaultyServersGiveNoReply(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle http.HandlerFunc
		is     error
		says   []string
	}{
		{"model not pulled", answers(404, `{"error":"model 'llama3.2' not found"}`), scorer.ErrModelNotFound, []string{`no model "llama3.2"`, "ollama pull llama3.2"}},
		{"404 of another server", answers(404, "404 page not found"), scorer.ErrUnreachable, []string{"not as Ollama does", "OLLAMA_HOST"}},
		{"prompt too long", answers(400, `{"error":"the input length exceeds the context length"}`), scorer.ErrPromptTooLong, []string{"raise ContextTokens"}},
		{"prompt too long, another wording", answers(500, `{"error":"prompt too long for the context window"}`), scorer.ErrPromptTooLong, nil},
		{"another 400", answers(400, `{"error":"\"llama3.2\" does not support thinking"}`), scorer.ErrUnreachable, []string{"does not support thinking", "refuses"}},
		{"401", answers(401, `{"error":"unauthorized"}`), scorer.ErrUnreachable, []string{"401 Unauthorized: unauthorized", "refuses"}},
		{"403 of a proxy", answers(403, "No entry\nhere"), scorer.ErrUnreachable, []string{"403 Forbidden: No entry here", "not as Ollama does"}},
		{"429", answers(429, `{"error":"slow down","status":429}`), scorer.ErrUnreachable, []string{"429 Too Many Requests: slow down"}},
		{"a time limit of the server's own", answers(500, `{"error":"context deadline exceeded"}`), scorer.ErrUnreachable, []string{"deadline"}},
		{"500", answers(500, `{"error":"llama runner process has terminated"}`), scorer.ErrUnreachable, []string{"terminated", "server's log"}},
		{"500 with an empty body", answers(500, ""), scorer.ErrUnreachable, []string{"500"}},
		{"502 of a proxy", answers(502, "<html>Bad Gateway</html>"), scorer.ErrUnreachable, []string{"502"}},
		{"busy for good", answers(503, `{"error":"server busy"}`), scorer.ErrUnreachable, []string{"stays busy"}},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://login.example/", http.StatusFound)
		}, scorer.ErrUnreachable, []string{"redirects to \"http://login.example/\""}},
		{"201", answers(201, fine), scorer.ErrUnreachable, []string{"201"}},
		{"200 with an empty body", answers(200, ""), scorer.ErrBadReply, []string{"empty"}},
		{"200 with HTML", answers(200, "<html>Hello</html>"), scorer.ErrBadReply, []string{`"text/html"`, "is this an Ollama server?"}},
		{"200 with text", answers(200, "Hello"), scorer.ErrBadReply, []string{"no answer of /api/chat"}},
		{"200 with an error", answers(200, `{"error":"out of memory"}`), scorer.ErrBadReply, []string{"out of memory"}},
		{"an error inside the stream", answers(200, `{"message":{"content":"x"},"done":false}`+"\n"+`{"error":"runner died"}`), scorer.ErrBadReply, []string{"runner died"}},
		{"JSON of another kind", answers(200, `["done"]`), scorer.ErrBadReply, []string{"no answer of /api/chat"}},
		{"done is no boolean", answers(200, `{"message":{"content":"x"},"done":"yes"}`), scorer.ErrBadReply, nil},
		{"never done", answers(200, `{"message":{"content":"x"},"done":false}`), scorer.ErrReplyCut, []string{"before the server says"}},
		{"an empty object", answers(200, `{}`), scorer.ErrReplyCut, nil},
		{"goes on after done", answers(200, fine+fine), scorer.ErrBadReply, []string{"goes on"}},
		{"text after done", answers(200, fine+"trailing"), scorer.ErrBadReply, nil},
		{"cut inside the JSON", answers(200, fine[:60]), scorer.ErrReplyCut, []string{"inside the answer"}},
		{"shorter than its length", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(fine)))
			fmt.Fprint(w, fine[:60])
		}, scorer.ErrReplyCut, nil},
		{"reset inside the answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(fine)))
			fmt.Fprint(w, fine[:60])
			_ = http.NewResponseController(w).Flush()
			reset(w)
		}, scorer.ErrReplyCut, nil},
		{"reset before the answer", func(w http.ResponseWriter, _ *http.Request) { reset(w) }, scorer.ErrUnreachable, []string{"ollama serve"}},
		{"no HTTP", func(w http.ResponseWriter, _ *http.Request) { raw(w, "SSH-2.0-OpenSSH\r\n") }, scorer.ErrUnreachable, []string{"ollama serve"}},
		{"too long an answer", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"message":{"content":"`+strings.Repeat("x", wire.MaxAnswer)+`"},"done":true}`)
		}, scorer.ErrBadReply, []string{"longer than 16777216 bytes"}},
		{"a prompt that filled the window", answers(200, strings.Replace(fine, `"prompt_eval_count":12`, `"prompt_eval_count":8192`, 1)), scorer.ErrPromptTooLong, []string{"may have cut the prompt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply, err := judgeOf(t, c.handle, Options{}).Generate(t.Context(), prompt)
			require.Error(t, err)
			assert.Zero(t, reply)
			assert.ErrorIs(t, err, c.is)
			for _, text := range c.says {
				assert.ErrorContains(t, err, text)
			}
			assert.ErrorContains(t, err, "ollama: ")
		})
	}
}

func connection(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

func reset(w http.ResponseWriter) {
	conn := connection(w)
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

func raw(w http.ResponseWriter, text string) {
	conn := connection(w)
	fmt.Fprint(conn, text)
	_ = conn.Close()
}

func TestServersErrorStaysReachable(t *testing.T) {
	_, err := judgeOf(t, answers(400, `{"error":"no"}`), Options{}).Generate(t.Context(), prompt)
	var status api.StatusError
	require.ErrorAs(t, err, &status)
	assert.Equal(t, 400, status.StatusCode)
}

func TestCutReplyIsTold(t *testing.T) {
	reply, err := judgeOf(t, answers(200, strings.Replace(fine, `"stop"`, `"length"`, 1)), Options{}).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "length", reply.Finish)
}

func TestBusyServerIsAskedAgain(t *testing.T) {
	calls := 0
	j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls < 4 {
			http.Error(w, `{"error":"server busy, please try again"}`, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, fine)
	}, Options{})
	var waits []time.Duration
	j.caller.Wait = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	_, err := j.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, waits)
}

func TestOllamaNotRunning(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	host := &url.URL{Scheme: "http", Host: listener.Addr().String()}
	require.NoError(t, listener.Close())
	j, err := New(nil, "llama3.2", Options{Host: host})
	require.NoError(t, err)
	_, err = j.Generate(t.Context(), prompt)
	require.ErrorIs(t, err, scorer.ErrUnreachable)
	assert.ErrorContains(t, err, host.Host)
	assert.ErrorContains(t, err, "Start it with `ollama serve`, or set OLLAMA_HOST")
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransportsOwnErrorIsPassedOn(t *testing.T) {
	missing := errors.New("call 1 is not in the recording")
	j, err := New(&http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, missing })}, "llama3.2", Options{})
	require.NoError(t, err)
	_, err = j.Generate(t.Context(), prompt)
	require.ErrorIs(t, err, missing)
	assert.NotErrorIs(t, err, scorer.ErrUnreachable)
	assert.NotContains(t, err.Error(), "ollama serve")
}

func TestPromptThatCannotFitIsNotSent(t *testing.T) {
	j := judgeOf(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }, Options{ContextTokens: 1000})
	_, err := j.Generate(t.Context(), scorer.Prompt{User: strings.Repeat("word ", 2000)})
	require.ErrorIs(t, err, scorer.ErrPromptTooLong)
	assert.ErrorContains(t, err, "at least 1666 tokens, the window 1000")
}

func TestHostFollowsOllamasRules(t *testing.T) {
	for env, want := range map[string]string{
		"":                        "http://127.0.0.1:11434/api/chat",
		"example.test":            "http://example.test:11434/api/chat",
		"example.test:80":         "http://example.test:80/api/chat",
		"http://example.test":     "http://example.test:80/api/chat",
		"https://example.test/up": "https://example.test:443/up/api/chat",
		"0.0.0.0":                 "http://127.0.0.1:11434/api/chat",
		"[::]:9000":               "http://[::1]:9000/api/chat",
	} {
		t.Run(env, func(t *testing.T) {
			t.Setenv("OLLAMA_HOST", env)
			j, err := New(nil, "llama3.2", Options{})
			require.NoError(t, err)
			assert.Equal(t, want, j.caller.URL)
		})
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for name, build := range map[string]func() (*Judge, error){
		"no model":        func() (*Judge, error) { return New(nil, "", Options{}) },
		"a blank model":   func() (*Judge, error) { return New(nil, " ", Options{}) },
		"negative window": func() (*Judge, error) { return New(nil, "m", Options{ContextTokens: -1}) },
		"negative time":   func() (*Judge, error) { return New(nil, "m", Options{Timeout: -1}) },
	} {
		t.Run(name, func(t *testing.T) {
			j, err := build()
			require.Error(t, err)
			assert.Nil(t, j)
		})
	}
}
