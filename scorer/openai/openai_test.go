package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

const fine = `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"{\"a\":1}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":4}}`

var prompt = scorer.Prompt{Step: "x@1", System: "Rules.", User: "Question <&>", Schema: json.RawMessage(`{"b":{},"a":{}}`), MaxTokens: 50, Seed: 1}

// judgeOf is a judge on a server that answers by handle. It does not wait
// between retries, but notes how long it would have.
func judgeOf(t *testing.T, handle http.HandlerFunc, o Options) (*Judge, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	o.BaseURL = server.URL + "/v1"
	j, err := New(server.Client(), "gpt", o)
	require.NoError(t, err)
	var waited []time.Duration
	j.caller.Wait = func(ctx context.Context, d time.Duration) error {
		waited = append(waited, d)
		return ctx.Err()
	}
	return j, &waited
}

func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestAPromptIsSentWithEverythingPinned(t *testing.T) {
	var got *http.Request
	var body string
	j, _ := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, body = r, string(data)
		fmt.Fprint(w, fine)
	}, Options{Key: "secret", Header: http.Header{"X-Team": {"qa"}}})
	reply, err := j.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, scorer.Reply{Text: `{"a":1}`, Finish: "stop", Usage: scorer.Usage{PromptTokens: 12, OutputTokens: 4}}, reply)
	assert.Equal(t, "/v1/chat/completions", got.URL.Path)
	assert.Equal(t, "Bearer secret", got.Header.Get("Authorization"))
	assert.Equal(t, "qa", got.Header.Get("X-Team"))
	assert.Equal(t, `{"model":"gpt","messages":[{"role":"system","content":"Rules."},{"role":"user","content":"Question \u003c\u0026\u003e"}],`+
		`"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"b":{},"a":{}}}},"max_tokens":50,"temperature":0,"seed":1}`, body)
}

// A server that refuses one thing after the other is asked without them.
func TestWhatAServerRefusesIsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		refusals []string // what the server says to each call, before it answers
		status   int
		format   Format
		lacks    []string
		has      []string
	}{
		"a JSON schema": {
			[]string{`{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","param":null}}`}, 400, JSONSchema,
			[]string{"json_schema"}, []string{`"response_format":{"type":"json_object"}`, `fits this JSON schema, and with nothing else:\n{\"b\":{},\"a\":{}}`},
		},
		"any format": {
			[]string{`{"error":"json_schema is not supported"}`, `{"detail":[{"msg":"response_format: extra fields not permitted"}]}`}, 422, JSONSchema,
			[]string{`"response_format"`}, []string{"fits this JSON schema"},
		},
		"a schema that its grammar cannot express": {[]string{`{"error":{"message":"failed to parse grammar"}}`}, 500, JSONSchema, []string{`"json_schema"`}, []string{"json_object"}},
		"any object, which was tried first":        {[]string{`{"error":{"message":"x","param":"response_format"}}`}, 400, JSONObject, []string{`"response_format"`}, []string{"fits this JSON schema"}},
		"the old name of the length": {
			[]string{`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`}, 400, JSONSchema,
			[]string{`"max_tokens"`}, []string{`"max_completion_tokens":50`},
		},
		"the length, in words alone": {[]string{`{"error":{"message":"Use 'max_completion_tokens' instead of 'max_tokens'"}}`}, 400, JSONSchema, []string{`"max_tokens"`}, []string{`"max_completion_tokens":50`}},
		"length, temperature and seed": {
			[]string{
				`{"error":{"message":"no","param":"max_tokens"}}`, `{"error":{"message":"no","param":"temperature"}}`,
				`{"error":{"message":"no","param":"seed"}}`, `{"error":{"message":"no","param":"max_completion_tokens"}}`,
			}, 400, JSONSchema,
			[]string{"max_tokens", "max_completion_tokens", "temperature", "seed"}, []string{"json_schema"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls, body := 0, ""
			j, waited := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				body = string(data)
				calls++
				if calls <= len(c.refusals) {
					w.WriteHeader(c.status)
					fmt.Fprint(w, c.refusals[calls-1])
					return
				}
				fmt.Fprint(w, fine)
			}, Options{Format: c.format})
			reply, err := j.Generate(t.Context(), prompt)
			require.NoError(t, err)
			assert.Equal(t, `{"a":1}`, reply.Text)
			assert.Equal(t, len(c.refusals)+1, calls)
			assert.Empty(t, *waited)
			for _, text := range c.lacks {
				assert.NotContains(t, body, text)
			}
			for _, text := range c.has {
				assert.Contains(t, body, text)
			}
		})
	}
}

func TestWhatCannotBeLeftOutIsAnError(t *testing.T) {
	calls := 0
	j, _ := judgeOf(t, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error":{"message":"the schema of response_format is bad"}}`)
	}, Options{})
	_, err := j.Generate(t.Context(), prompt)
	assert.ErrorIs(t, err, scorer.ErrUnreachable)
	assert.Equal(t, 3, calls, "schema, object, text")

	plain := prompt
	plain.Schema, calls = nil, 0
	_, err = j.Generate(t.Context(), plain)
	assert.ErrorContains(t, err, "the schema of response_format is bad")
	assert.Equal(t, 1, calls, "nothing was asked of the format")
}

func TestEachFaultOfAServerIsToldApart(t *testing.T) {
	choice := func(message, finish string) string {
		return `{"choices":[{"message":` + message + `,"finish_reason":"` + finish + `"}],"usage":{"prompt_tokens":1}}`
	}
	for name, c := range map[string]struct {
		status int
		body   string
		is     error
		says   []string
	}{
		"a key that is refused":          {401, `{"error":{"message":"Incorrect API key provided"}}`, scorer.ErrUnreachable, []string{"refuses the key", "OPENAI_API_KEY", "Incorrect API key"}},
		"a model that it lacks":          {404, `{"error":{"message":"The model 'gpt' does not exist","code":"model_not_found"}}`, scorer.ErrModelNotFound, []string{`no model "gpt"`}},
		"another path":                   {404, "404 page not found", scorer.ErrUnreachable, []string{"nothing is at", "OPENAI_BASE_URL", "/v1"}},
		"a prompt that is too long":      {400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, scorer.ErrPromptTooLong, []string{"lower ContextTokens"}},
		"too long, in llama.cpp's words": {400, `{"error":{"message":"the request exceeds the available context size"}}`, scorer.ErrPromptTooLong, nil},
		"no quota left":                  {429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, scorer.ErrUnreachable, []string{"allows no more calls"}},
		"a redirect":                     {302, "", scorer.ErrUnreachable, []string{"redirects"}},
		"a failure":                      {500, "boom", scorer.ErrUnreachable, []string{"fails", "boom"}},
		"a refusal":                      {400, `{"error":"no"}`, scorer.ErrUnreachable, []string{"refuses the call", "no"}},
		"nothing":                        {200, "", scorer.ErrBadReply, []string{"empty"}},
		"half an answer":                 {200, fine[:80], scorer.ErrReplyCut, []string{"ended inside"}},
		"no JSON":                        {200, "<html>", scorer.ErrBadReply, []string{"an OpenAI-compatible server?"}},
		"an error inside":                {200, `{"error":{"message":"overloaded"}}`, scorer.ErrBadReply, []string{"overloaded"}},
		"no choice":                      {200, `{"choices":[]}`, scorer.ErrBadReply, []string{"0 choices"}},
		"two choices":                    {200, `{"choices":[{},{}]}`, scorer.ErrBadReply, []string{"2 choices"}},
		"no content":                     {200, choice(`{"content":null}`, "stop"), scorer.ErrBadReply, []string{"no message.content"}},
		"a model that refuses":           {200, choice(`{"content":null,"refusal":"I cannot"}`, "stop"), scorer.ErrBadReply, []string{"the model refuses: I cannot"}},
		"a filter":                       {200, choice(`{"content":""}`, "content_filter"), scorer.ErrBadReply, []string{"content_filter"}},
		"a member that stands twice":     {200, `{"choices":[],"choices":[{"message":{"content":"x"}}]}`, scorer.ErrBadReply, []string{"stands twice"}},
		"counts below zero":              {200, strings.Replace(fine, "12", "-1", 1), scorer.ErrBadReply, []string{"counts -1 tokens"}},
		"all of the window":              {200, strings.Replace(fine, "12", "32768", 1), scorer.ErrPromptTooLong, []string{"all of the window"}},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := judgeOf(t, answers(c.status, c.body), Options{})
			_, err := j.Generate(t.Context(), prompt)
			require.ErrorIs(t, err, c.is)
			for _, text := range c.says {
				assert.ErrorContains(t, err, text)
			}
		})
	}
}

func TestABusyServerIsAskedAgainWhenItSaysSo(t *testing.T) {
	for status, want := range map[int][]time.Duration{429: {30 * time.Second, 2 * time.Second}, 503: {30 * time.Second, 2 * time.Second}, 529: {30 * time.Second, 2 * time.Second}} {
		calls := 0
		j, waited := judgeOf(t, func(w http.ResponseWriter, _ *http.Request) {
			if calls++; calls == 1 {
				w.Header().Set("Retry-After", "30")
			}
			if calls < 3 {
				w.WriteHeader(status)
				return
			}
			fmt.Fprint(w, fine)
		}, Options{})
		_, err := j.Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, want, *waited)
	}
}

func TestAPromptThatTheServerCutIsAnError(t *testing.T) {
	j, _ := judgeOf(t, answers(200, strings.Replace(fine, "12", "4096", 1)), Options{})
	long := prompt
	long.User = strings.Repeat("Refunds are issued within 14 days. ", 2000) // 70 kB, some 17,000 tokens
	_, err := j.Generate(t.Context(), long)
	assert.ErrorIs(t, err, scorer.ErrPromptTooLong)
	assert.ErrorContains(t, err, "has cut the prompt")

	long.User = strings.Repeat("x", 6*32768)
	_, err = j.Generate(t.Context(), long)
	assert.ErrorIs(t, err, scorer.ErrPromptTooLong)
}

func TestFinishAndLogprobsAreTheServers(t *testing.T) {
	for said, want := range map[string]string{"stop": "stop", "": "stop", "eos": "stop", "length": "length", "max_tokens": "length"} {
		j, _ := judgeOf(t, answers(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"`+said+`","logprobs":{"content":[{"token":"x","logprob":-0.5,"top_logprobs":[{"token":"y","logprob":-1}]}]}}]}`), Options{})
		p := prompt
		p.TopLogprobs = 1
		reply, err := j.Generate(t.Context(), p)
		require.NoError(t, err)
		assert.Equal(t, want, reply.Finish)
		assert.Equal(t, []scorer.TokenLogprob{{Token: "x", Logprob: -0.5, Top: []scorer.TokenLogprob{{Token: "y", Logprob: -1}}}}, reply.Logprobs)
	}
}

func TestTheEnvironmentNamesServerAndKey(t *testing.T) {
	var key string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key = r.URL.Path + " " + r.Header.Get("Authorization")
		fmt.Fprint(w, fine)
	}))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/openai/v1/")
	t.Setenv("OPENAI_API_KEY", "from-env")
	j, err := New(nil, "gpt", Options{})
	require.NoError(t, err)
	_, err = j.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "/openai/v1/chat/completions Bearer from-env", key)
	assert.Equal(t, 32768, j.ContextTokens())
	assert.Equal(t, "gpt", j.Model())
}

func TestNewRefusesWhatCannotBe(t *testing.T) {
	for want, make := range map[string]func() (*Judge, error){
		"no model":        func() (*Judge, error) { return New(nil, " ", Options{}) },
		"ContextTokens":   func() (*Judge, error) { return New(nil, "m", Options{ContextTokens: -1}) },
		"Format":          func() (*Judge, error) { return New(nil, "m", Options{Format: "xml"}) },
		"the base URL is": func() (*Judge, error) { return New(nil, "m", Options{BaseURL: "host:8000"}) },
	} {
		_, err := make()
		assert.ErrorContains(t, err, want)
	}
}
