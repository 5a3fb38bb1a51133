package cassettes

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// token has no known shape: it must be found by where it stands.
const token = "q7Vx2Lm9Tz4Rb8Wn"

// exchange is one call with a secret in it.
type exchange struct {
	url, header, body string // header as "Name: value"
	answerHeader      string
	answer            string
	form              bool
}

func (e exchange) run(t *testing.T, path string, o Options, with string) (answer string) {
	t.Helper()
	fill := strings.NewReplacer("TOKEN", with, "BASIC", base64.StdEncoding.EncodeToString([]byte("user:"+with))).Replace
	var seen *http.Request
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen, asked = r, string(body)
		if name, value, ok := strings.Cut(fill(e.answerHeader), ": "); ok {
			w.Header().Set(name, value)
		}
		_, _ = io.WriteString(w, fill(e.answer))
	}))
	defer server.Close()
	c := open(t, path, o)
	url := strings.Replace(fill(e.url), "HOST", strings.TrimPrefix(server.URL, "http://"), 1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(fill(e.body)))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if e.form {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if name, value, ok := strings.Cut(fill(e.header), ": "); ok {
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Transport: c}).Do(req)
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	resp.Body.Close()
	if o.Mode == Record {
		assert.Equal(t, fill(e.body), asked, "what is sent is untouched")
		assert.Equal(t, fill(e.answer), string(got), "what is received is untouched")
		if name, value, ok := strings.Cut(fill(e.header), ": "); ok {
			assert.Equal(t, value, seen.Header.Get(name))
		}
	}
	require.NoError(t, c.Close(true))
	return string(got)
}

func TestSecretsAreTakenOutWhereverTheyStand(t *testing.T) {
	const url = "http://HOST/v1/chat"
	tests := map[string]exchange{
		"bearer":                  {header: "Authorization: Bearer TOKEN"},
		"basic":                   {header: "Authorization: Basic BASIC"},
		"bare authorization":      {header: "Authorization: TOKEN"},
		"proxy":                   {header: "Proxy-Authorization: Bearer TOKEN"},
		"x-api-key":               {header: "X-Api-Key: TOKEN"},
		"api-key of Azure":        {header: "Api-Key: TOKEN"},
		"key of Google":           {header: "X-Goog-Api-Key: TOKEN"},
		"subscription key":        {header: "Ocp-Apim-Subscription-Key: TOKEN"},
		"token of AWS":            {header: "X-Amz-Security-Token: TOKEN"},
		"a header of no one":      {header: "X-Custom: TOKEN"},
		"cookie":                  {header: "Cookie: a=1; session=TOKEN"},
		"set cookie":              {answerHeader: "Set-Cookie: session=TOKEN"},
		"referer":                 {header: "Referer: http://x/?q=TOKEN"},
		"query key":               {url: url + "?key=TOKEN&alt=sse"},
		"query api_key":           {url: url + "?api_key=TOKEN"},
		"query access_token":      {url: url + "?access_token=TOKEN"},
		"query signature":         {url: url + "?X-Amz-Signature=TOKEN&X-Amz-Credential=TOKEN"},
		"query sig":               {url: url + "?sig=TOKEN"},
		"user info":               {url: "http://user:TOKEN@HOST/v1/chat"},
		"JSON api_key":            {body: `{"api_key":"TOKEN","q":"x"}`},
		"JSON apiKey, deep":       {body: `{"a":[{"config":{"openaiApiKey":"TOKEN"}}]}`},
		"JSON password":           {body: `{"user":"u","password":"TOKEN"}`},
		"JSON client_secret":      {body: `{"client_secret":"TOKEN"}`},
		"JSON in JSON":            {body: `{"messages":[{"role":"tool","content":"{\"access_token\": \"TOKEN\", \"n\": 1}"}]}`},
		"form":                    {body: "grant_type=x&client_secret=TOKEN&code=TOKEN", form: true},
		"answer's access_token":   {answer: `{"access_token":"TOKEN","n":1.50}`},
		"answer in an answer":     {answer: `{"arguments":"{\"password\":\"TOKEN\"}"}`},
		"answer's line":           {answer: "{\"n\":1}\n{\"refresh_token\":\"TOKEN\"}\n"},
		"answer's event":          {answer: "event: x\ndata: {\"id_token\":\"TOKEN\"}\n\ndata: [DONE]\n\n"},
		"echoed":                  {header: "Authorization: Bearer TOKEN", answer: "no such key: TOKEN!"},
		"echoed from the query":   {url: url + "?key=TOKEN", answer: `{"error":"bad key TOKEN"}`},
		"echoed from JSON":        {body: `{"api_key":"TOKEN","note":"see TOKEN"}`, answer: `{"error":"bad key TOKEN"}`},
		"echoed from user info":   {url: "http://user:TOKEN@HOST/v1/chat", answer: "TOKEN"},
		"echoed, escaped":         {header: "Authorization: Bearer TOKEN/", body: `{"note":"TOKEN\/"}`, answer: `{"error":"TOKEN\/"}`},
		"echoed cookie":           {header: "Cookie: s=TOKEN", answer: "TOKEN"},
		"echoed basic":            {header: "Authorization: Basic BASIC", answer: "TOKEN or BASIC"},
		"in a location":           {answerHeader: "Location: http://x/?token=TOKEN"},
		"in the path, and header": {url: "http://HOST/bot/TOKEN/send", header: "X-Api-Key: TOKEN"},
	}
	for name, e := range tests {
		t.Run(name, func(t *testing.T) {
			if e.url == "" {
				e.url = url
			}
			path := filepath.Join(t.TempDir(), "x.yaml")
			e.run(t, path, Options{Mode: Record}, token)
			text := read(t, path)
			assert.NotContains(t, text, token)
			assert.NotContains(t, text, base64.StdEncoding.EncodeToString([]byte("user:"+token)))
			assert.NotContains(t, text, "127.0.0.1")
			assert.NotContains(t, text, "Go-http-client")

			e.run(t, path, Options{Mode: Replay}, "another"+token)
			if !strings.Contains(e.url, "/TOKEN/") && !strings.Contains(e.body, "see TOKEN") && !strings.Contains(e.body, "note") {
				e.run(t, path, Options{Mode: Replay}, "x")
			}
		})
	}
}

func TestSecretSplitOverEventsIsTakenOut(t *testing.T) {
	event := func(s string) string {
		return `data: {"choices":[{"index":0,"delta":{"content":"` + s + `"}}]}` + "\n\n"
	}
	line := func(s string) string { return `{"message":{"content":"` + s + `"},"done":false}` + "\n" }
	argument := func(s string) string {
		return `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"` + s + `"}}]}}]}` + "\n\n"
	}
	tests := map[string]struct{ answer, want string }{
		"SSE":            {event("the key ") + event(token[:5]) + event(token[5:]+" is") + event(" bad"), event("the key ") + event("REDACTED") + event(" is") + event(" bad")},
		"NDJSON":         {line(token[:1]) + line(token[1:9]) + line(token[9:]), line("REDACTED") + line("") + line("")},
		"twice":          {line(token[:7]) + line(token[7:]+" or "+token), line("REDACTED") + line(" or REDACTED")},
		"arguments":      {argument(`{\"pass`) + argument(`word\": \"hunter`) + argument(`22\"}`), argument(`{\"pass`) + argument(`word\": \"REDACTED`) + argument(`\"}`)},
		"nothing secret": {event("the") + event(" key"), event("the") + event(" key")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := exchange{url: "http://HOST/v1/chat", header: "Authorization: Bearer " + token, answer: tt.answer}
			path := filepath.Join(t.TempDir(), "x.yaml")
			e.run(t, path, Options{Mode: Record}, "")
			assert.Equal(t, tt.want, e.run(t, path, Options{Mode: Replay}, ""))
		})
	}
}

func TestSecretInACompressedAnswerIsTakenOut(t *testing.T) {
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	} {
		compress := map[string]func(string) string{"gzip": gzipped, "deflate": deflated}[encoding]
		for _, text := range []string{`{"error":"bad key ` + token + `"}`, `{"fine":true}`} {
			e := exchange{url: "http://HOST/", header: "X-Api-Key: " + token, answerHeader: "Content-Encoding: " + encoding, answer: compress(text)}
			path := filepath.Join(t.TempDir(), "x.yaml")
			// The header keeps the transport from decompressing by itself.
			bare := &http.Transport{DisableCompression: true}
			defer bare.CloseIdleConnections()
			e.run(t, path, Options{Mode: Record, Transport: bare}, "")
			r, err := open(strings.NewReader(e.run(t, path, Options{Mode: Replay}, "")))
			require.NoError(t, err)
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.Equal(t, strings.ReplaceAll(text, token, redacted), string(got))
		}
	}
	h := http.Header{"Content-Encoding": {"gzip"}}
	assert.Equal(t, "no gzip", rules{}.answer(h, "no gzip", nil), "a header that is not true")
	assert.Equal(t, gzipped("x")[:20], rules{}.answer(h, gzipped("x")[:20], nil), "gzip that is cut")
}

func TestUnknownCompressionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	c := open(t, path, Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"br"}}, Body: io.NopCloser(strings.NewReader("\x0b\x02"))}, nil
	})})
	mustCall(t, c, "a")
	err := c.Close(true)
	assert.ErrorIs(t, err, ErrSecret)
	assert.ErrorContains(t, err, `POST /api/chat may hold one: it is compressed as "br"`)
	assert.NoFileExists(t, path)
}

func TestCompressedRequestIsKeyedByWhatItSays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	call := func(o Options, body string, encoded bool) error {
		c := open(t, path, o)
		req := request(t.Context(), "http://x/api/chat", body)
		if encoded {
			req = request(t.Context(), "http://x/api/chat", gzipped(body))
			req.Header.Set("Content-Encoding", "gzip")
		}
		resp, err := c.RoundTrip(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		return c.Close(true)
	}
	require.NoError(t, call(Options{Mode: Record, Transport: always("{}")}, `{"a":1,"password":"`+token+`"}`, true))
	assert.Contains(t, read(t, path), `"password": "REDACTED"`)
	assert.NoError(t, call(Options{Mode: Replay}, `{ "password":"x", "a":1}`, true))
	assert.NoError(t, call(Options{Mode: Replay}, `{ "password":"x", "a":1}`, false))
	assert.Error(t, call(Options{Mode: Replay}, `{ "password":"x", "a":2}`, true))
}

func TestLogprobsAreNoSecrets(t *testing.T) {
	const answer = `{"logprobs":[{"token":"Hello","logprob":-0.1}],"token":"abc","next_page_token":"p2","max_tokens":5}`
	assert.Equal(t, strings.Replace(answer, `"abc"`, `"REDACTED"`, 1), rules{}.answer(nil, answer, nil))
}

func TestOrdinaryAnswersStayAsTheyAre(t *testing.T) {
	for name, answer := range map[string]string{
		"OpenAI":    `{"id":"chatcmpl-A1b2C3d4E5f6G7h8I9j0","object":"chat.completion","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"message":{"role":"assistant","content":"{\"pass\": \"yes\", \"key\": \"a\"}","refusal":null},"logprobs":{"content":[{"token":"Hi","logprob":-0.3,"bytes":[72],"top_logprobs":[{"token":"Hi","logprob":-0.3}]}]}}],"usage":{"prompt_tokens":9,"completion_tokens_details":{"reasoning_tokens":0}}}`,
		"Responses": "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"item_id\":\"msg_68af4030baa48193b0b43b4c2a176a1a\",\"delta\":\"In\",\"obfuscation\":\"8qX2ZkPz\"}\n\nevent: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\" 14 days\",\"obfuscation\":\"tR5\"}\n\n",
		"Anthropic": "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk\"}}\n\nevent: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":15}}\n\n",
		"Gemini":    `{"candidates":[{"content":{"parts":[{"text":"The basics of bearer bonds","thoughtSignature":"CpwBAVSoXO4a1b2c3d4"}],"role":"model"},"tokenCount":4}],"nextPageToken":"abc123def456ghi789","responseId":"x"}`,
		"a tool":    `{"choices":[{"message":{"tool_calls":[{"id":"call_abc123","type":"function","function":{"name":"reset_password","arguments":"{\"user\":\"u\",\"password_length\":\"12\"}"}}]}}]}`,
	} {
		assert.Equal(t, answer, rules{}.answer(nil, answer, nil), name)
		assert.NoError(t, leaks(name, answer))
	}
}

func TestUsersRedaction(t *testing.T) {
	redact := func(s string) string { return strings.ReplaceAll(s, "ACME-4711", "CUSTOMER") }
	e := exchange{
		url: "http://HOST/v1/ACME-4711/chat?id=ACME-4711", body: `{"text":"for ACME-4711"}`,
		answer: "data: {\"text\":\"about ACME\"}\n\ndata: {\"text\":\"-4711.\"}\n\ndata: {\"text\":\"ACME-4711\"}\n\n",
	}
	path := filepath.Join(t.TempDir(), "x.yaml")
	e.run(t, path, Options{Mode: Record, Redact: redact}, "")
	assert.NotContains(t, read(t, path), "4711")
	assert.Equal(t, "data: {\"text\":\"about CUSTOMER\"}\n\ndata: {\"text\":\".\"}\n\ndata: {\"text\":\"CUSTOMER\"}\n\n", e.run(t, path, Options{Mode: Replay, Redact: redact}, ""))

	escaped := exchange{url: "http://HOST/", body: `{"b":"\u0041CME-4711","a":1}`, answer: `{"x":"\u0041CME-4711"}`}
	escaped.run(t, path, Options{Mode: Record, Redact: redact}, "")
	assert.NotContains(t, read(t, path), "4711")
	assert.Equal(t, `{"x":"CUSTOMER"}`, escaped.run(t, path, Options{Mode: Replay, Redact: redact}, ""))

	digits := regexp.MustCompile(`\d+`)
	e = exchange{url: "http://HOST/", body: `{"n":12,"at":"day 7"}`, answer: "event: 1\ndata: {\"n\":1.50,\"at\":\"day 7\"}\n\n"}
	e.run(t, path, Options{Mode: Record, Redact: func(s string) string { return digits.ReplaceAllString(s, "#") }}, "")
	assert.Contains(t, read(t, path), `"n": 12,`, "what is JSON stays JSON")
	assert.Contains(t, read(t, path), "event: #\n        data: {\"n\":1.50,\"at\":\"day #\"}\n")

	form := exchange{url: "http://HOST/", body: "ACME-4711", answer: "plain ACME-4711"}
	form.run(t, path, Options{Mode: Record, Redact: redact}, "")
	assert.Equal(t, "plain CUSTOMER", form.run(t, path, Options{Mode: Replay, Redact: redact}, ""))
}

func TestRedactionThatDoesNotSettleIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	c := open(t, path, Options{Transport: always("{}"), Redact: func(s string) string { return s + "!" }})
	mustCall(t, c, "a")
	err := c.Close(true)
	assert.ErrorContains(t, err, "Options.Redact, given its own result, must give that back")
	assert.NoFileExists(t, path)
}

func TestIgnoredIsNoPartOfTheKey(t *testing.T) {
	ignore := []string{"id", "metadata.at", "messages.metadata.at", "?session"}
	call := func(o Options, url, body string) error {
		c := open(t, filepath.Join(t.TempDir(), "other.yaml"), o)
		if o.Test != "" {
			c = open(t, o.Test, o)
		}
		resp, err := c.RoundTrip(request(t.Context(), url, body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		return c.Close(true)
	}
	path := filepath.Join(t.TempDir(), "x.yaml")
	const url, body = "http://x/chat?session=1&b=2", `{"id":1,"metadata":{"at":"now","by":"me"},"messages":[{"metadata":{"at":7}}]}`
	require.NoError(t, call(Options{Mode: Record, Transport: always("{}"), Ignore: ignore, Test: path}, url, body))
	text := read(t, path)
	assert.Contains(t, text, `"id": "IGNORED"`)
	assert.Contains(t, text, "/chat?b=2\n")
	replay := Options{Mode: Replay, Ignore: ignore, Test: path}
	assert.NoError(t, call(replay, "http://x/chat?session=2&b=2", `{"metadata":{"by":"me","at":"then"},"messages":[{"metadata":{"at":8}}],"id":"x"}`))
	assert.NoError(t, call(replay, "http://x/chat?b=2", `{"metadata":{"by":"me"},"messages":[{"metadata":{}}]}`), "absent, too")
	assert.Error(t, call(replay, "http://x/chat?b=2", `{"metadata":{"by":"you"},"messages":[{"metadata":{}}]}`))
	assert.Error(t, call(replay, "http://x/chat?b=3", body))
	replay.Ignore = nil
	assert.Error(t, call(replay, url, body))
}

func TestShapesOfSecrets(t *testing.T) {
	hex32, letters36 := strings.Repeat("0a1b", 8), strings.Repeat("aB3", 12)
	// Put together here, so that no scanner takes this file for a leak.
	samples := []string{
		"sk" + "-" + letters36, "sk" + "_live_" + letters36, "whsec" + "_" + letters36, "Bearer " + letters36, "Basic " + letters36, "ghp" + "_" + letters36,
		"github" + "_pat_" + letters36, "glpat" + "-" + letters36, "AKIA" + "ABCDEFGH12345678", "AIza" + letters36, "ya29" + "." + letters36, "GOCSPX" + "-" + letters36,
		"xoxb" + "-" + "123456789012-abc", "xapp" + "-1-" + letters36, "https://hooks.slack.com" + "/services/T00/" + letters36, "https://discord.com" + "/api/webhooks/123456789012345678/" + letters36,
		"hf" + "_" + letters36, "gsk" + "_" + letters36, "xai" + "-" + letters36, "pplx" + "-" + letters36, "r8" + "_" + letters36, "fw" + "_" + letters36, "nvapi" + "-" + letters36,
		"tvly" + "-" + letters36, "lsv2" + "_pt_" + letters36, "pcsk" + "_" + letters36, "npm" + "_" + letters36, "pypi" + "-" + letters36,
		"SG" + "." + letters36[:20] + "." + letters36, "SK" + hex32, "key" + "-" + hex32, "dop" + "_v1_" + hex32 + hex32, "dapi" + hex32, "hvs" + "." + letters36, "shpat" + "_" + hex32,
		"sq0atp" + "-" + letters36, "lin" + "_api_" + letters36, "ntn" + "_" + letters36, "glsa" + "_" + letters36, "sntrys" + "_" + letters36, "dckr" + "_pat_" + letters36,
		"tskey" + "-auth-" + letters36, "PMAK" + "-" + hex32, "NRAK" + "-" + strings.Repeat("A1", 12), "sbp" + "_" + hex32 + "01234567", "123456789:" + "AA" + letters36[:33], "AccountKey" + "=" + letters36 + letters36,
		"AGE-SECRET" + "-KEY-1" + strings.Repeat("Q2", 26), "eyJ" + letters36 + ".eyJ" + letters36 + "." + letters36, "-----BEGIN " + "RSA PRIVATE KEY-----",
		"postgres://user:" + "hunter22x@db.example/x", "API_KEY=" + letters36,
	}
	found := map[*shape]bool{}
	for _, secret := range samples {
		for _, text := range []string{secret, "see " + secret + " there", `{"a":"` + secret + `"}`, strings.Repeat("x ", 600) + secret} {
			assert.NotEmpty(t, shapeOf(text), text)
		}
		for n := range shapes {
			if shapes[n].in(secret) {
				found[&shapes[n]] = true
			}
		}
	}
	assert.Len(t, found, len(shapes), "each shape has a sample")

	split := `data: {"delta":{"content":"my key: ` + samples[0][:9] + "\"}}\n\ndata: {\"delta\":{\"content\":\"" + samples[0][9:] + "\"}}\n\n"
	assert.ErrorContains(t, leaks("the answer", split), "the answer, field delta.content has what looks like an API key")
	escaped := `{"a":[{"b":"` + strings.Replace(samples[0], "-", `\u002d`, 1) + `"}]}`
	assert.ErrorContains(t, leaks("the answer", escaped), "the answer, field a[0].b has what looks like an API key")
}

func TestWordsAreNoSecrets(t *testing.T) {
	for _, text := range []string{
		"The token is refreshed: see https://example.com:8080/a@b for the secret of success.", "password: at least twelve characters", "api_key: YOUR_API_KEY",
		"secret=REDACTED", "The key-value store", "hf_ is a prefix", "https://user@example.com/", "mailto:someone@example.com", "SK and AKIA", "Basic understanding of the basics",
		"postgres://localhost:5432/db", "sk-learn-based-classification-models", "eyJ is how such tokens start", strings.Repeat("ab ", 5000),
	} {
		assert.Empty(t, shapeOf(text), text)
	}
	assert.Empty(t, shapeOf(string(bytes.Repeat([]byte{0}, 1000))))
}
