package cassettes

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRedactURL(t *testing.T) {
	tests := map[string]string{
		"https://user:pw@llm.example:8080/v1/chat?b=2&a=1&a=0#top": "http://recorded.invalid/v1/chat?a=1&a=0&b=2",
		"http://x":                              "http://recorded.invalid/",
		"http://x/a%2Fb/c":                      "http://recorded.invalid/a%2Fb/c",
		"http://x/?api_key=1&API-Key=2&token=3": "http://recorded.invalid/",
		"http://x/?access_token=1&max_tokens=2": "http://recorded.invalid/?max_tokens=2",
	}
	for in, want := range tests {
		u, err := url.Parse(in)
		require.NoError(t, err)
		assert.Equal(t, want, rules{}.url(u, nil).String(), in)
		assert.Equal(t, want, rules{}.url(rules{}.url(u, nil), nil).String(), "twice: %s", in)
	}
}

func TestQueriesThatCannotBeParsedAreToldApart(t *testing.T) {
	a, b := rules{}.query("a=1;b=2", nil), rules{}.query("a=1;b=3", nil)
	assert.NotEqual(t, a, b)
	assert.Equal(t, a, rules{}.query(a, nil), "as the file keeps it")
}

func TestRedactJSON(t *testing.T) {
	tests := map[string]string{
		`{"api_key":"x","a":[{"Password":"y","token":"z"}]}`:     `{"a":[{"Password":"REDACTED","token":"REDACTED"}],"api_key":"REDACTED"}`,
		`{"apiKey":"x","api_key":"y","max_tokens":7,"token":""}`: `{"apiKey":"REDACTED","api_key":"REDACTED","max_tokens":7,"token":""}`,
		`{"properties":{"token":{"type":"string"}},"token":[1]}`: `{"properties":{"token":{"type":"string"}},"token":[1]}`,
		`{"api_key":"x","api_key":"y"}`:                          `{"api_key":"REDACTED","api_key":"REDACTED"}`,
	}
	for in, want := range tests {
		a := questionOf("POST", &url.URL{}, in)
		assert.Equal(t, want, string(a.canonical(nil)))
		again := questionOf("POST", &url.URL{}, a.body())
		assert.Equal(t, string(a.canonical(nil)), string(again.canonical(nil)), "as the file keeps it")
	}
}

func TestHeadersThatAreKept(t *testing.T) {
	h := http.Header{
		"Content-Type": {"text/plain"}, "Retry-After": {"1"}, "Set-Cookie": {"c"}, "Date": {"today"}, "Server": {"s"},
		"Location": {"https://llm.example/a?token=x&b=1", "/rel?password=x", "http://[broken"},
	}
	assert.Equal(t, http.Header{
		"Content-Type": {"text/plain"}, "Retry-After": {"1"},
		"Location": {"http://recorded.invalid/a?b=1", "/rel", "REDACTED"},
	}, rules{}.responseHeaders(h, nil))
	assert.Equal(t, "https://llm.example/a?token=x&b=1", h["Location"][0], "the live response keeps its own")
}

func TestFixTimes(t *testing.T) {
	const chat = `{"model":"m", "created_at" : "2026-12-01T10:00:00.123Z" ,"message":{"content":"at \"created_at\":\"now\""},"done":false}`
	const chatFixed = `{"model":"m", "created_at" : "2000-01-01T00:00:00Z" ,"message":{"content":"at \"created_at\":\"now\""},"done":false}`
	const last = `{"created_at":"2026-12-01T10:00:01Z","done":true,"total_duration":12345,"load_duration": 1 ,"prompt_eval_count":26,"prompt_eval_duration":0,"eval_duration":9e9}`
	const lastFixed = `{"created_at":"2000-01-01T00:00:00Z","done":true,"total_duration":1,"load_duration": 1 ,"prompt_eval_count":26,"prompt_eval_duration":1,"eval_duration":1}`
	tests := map[string]struct{ in, want string }{
		"one object":              {chat, chatFixed},
		"over several lines":      {strings.ReplaceAll(last, ",", ",\n  "), strings.ReplaceAll(lastFixed, ",", ",\n  ")},
		"a stream":                {chat + "\r\n" + chat + "\n\n" + last + "\n", chatFixed + "\r\n" + chatFixed + "\n\n" + lastFixed + "\n"},
		"a stream cut":            {chat + "\n" + last[:60], chatFixed + "\n" + last[:60]},
		"an error in a stream":    {chat + "\n{\"error\":\"x\"}\n", chatFixed + "\n{\"error\":\"x\"}\n"},
		"not Ollama's":            {`{"created_at":"2026-12-01T10:00:00Z"}`, `{"created_at":"2026-12-01T10:00:00Z"}`},
		"a number":                {`{"created_at":17,"done":true}`, `{"created_at":17,"done":true}`},
		"inside another":          {`{"data":{"created_at":"now","done":true}}`, `{"data":{"created_at":"now","done":true}}`},
		"invalid UTF-8 beside it": {"\xff\n" + chat, "\xff\n" + chatFixed},
		"no JSON":                 {`"created_at"`, `"created_at"`},
		"OpenAI's": {
			`{"id":"chatcmpl-AbC12","object":"chat.completion","created":1764547200,"choices":[{"message":{"content":"\"created\":1"}}]}`,
			`{"id":"chatcmpl-0","object":"chat.completion","created":946684800,"choices":[{"message":{"content":"\"created\":1"}}]}`,
		},
		"OpenAI's stream": {
			"data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":17}\n\ndata: [DONE]\n",
			"data: {\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"created\":946684800}\n\ndata: [DONE]\n",
		},
		"of another kind": {`{"id":"chatcmpl-1","object":"model","created":17}`, `{"id":"chatcmpl-1","object":"model","created":17}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, fixTimes(tt.in))
			assert.Equal(t, tt.want, fixTimes(tt.want), "twice")
		})
	}
}

func TestSecretsAreRecognised(t *testing.T) {
	// Put together here, so that no scanner takes this file for a leak.
	for _, secret := range []string{
		"sk" + "-abcdefghijklmnop1234", "sk" + "-ant-api03-AbCd_efGh-1234", "Authorization: " + "Bearer abcdefgh12345678",
		"sk" + "-" + strings.Repeat("secret", 4), "ghp" + "_abcdefghijklmnopqrst12", "AKIA" + "ABCDEFGH12345678", "xoxb" + "-1234567890-abc",
		"AIza" + strings.Repeat("a1", 17) + "b", "-----BEGIN " + "RSA PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----",
	} {
		err := leaks("here", `{"text":"see `+secret+`"}`)
		assert.ErrorIs(t, err, ErrSecret, secret)
		assert.ErrorContains(t, err, "here, field text has what looks like a")
		assert.NotContains(t, err.Error(), secret)
	}
	for _, harmless := range []string{
		"ask-me-anything-about-2024-refunds", "sk-learn-based-classification", "sk-1", "a bearer of bad-news-and-worse-things",
		"Bearer token authentication", "risk-1234567890123456789", "AKIA is an airport code", "BEGIN PRIVATE KEY",
	} {
		assert.NoError(t, leaks("here", harmless), harmless)
	}
}
