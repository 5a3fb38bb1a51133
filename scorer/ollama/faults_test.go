package ollama

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

var (
	fineReply = scorer.Reply{Text: `{"a":1}`, Finish: "stop", Usage: scorer.Usage{PromptTokens: 12, OutputTokens: 4}}
	sentinels = []error{scorer.ErrUnreachable, scorer.ErrModelNotFound, scorer.ErrPromptTooLong, scorer.ErrReplyCut, scorer.ErrBadReply}
)

const ok = "HTTP/1.1 200 OK\r\n"

func isSentinel(err error) bool {
	return slices.ContainsFunc(sentinels, func(s error) bool { return errors.Is(err, s) })
}

// speaks writes bytes of its own instead of HTTP, and hangs up.
func speaks(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // what is unread would turn the end into a reset
		raw(w, text)
	}
}

// hangs writes bytes of its own and waits for the client to go.
func hangs(text string) http.HandlerFunc { return repeats(text, "") }

// repeats writes start, and then more until the client goes.
func repeats(start, more string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		conn := connection(w)
		defer conn.Close()
		_, err := io.WriteString(conn, start)
		for block := strings.Repeat(more, 64<<10/max(len(more), 1)); block != "" && err == nil; {
			_, err = io.WriteString(conn, block)
		}
		_, _ = io.Copy(io.Discard, conn)
	}
}

// header gives an answer with a header of that name.
func header(name, value, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(name, value)
		fmt.Fprint(w, body)
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// changed turns over the bits of the byte at that place, from the end.
func changed(text string, fromEnd int) string {
	b := []byte(text)
	b[len(b)-fromEnd] ^= 0xff
	return string(b)
}

// chunk is text as a chunk of a chunked body.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

func TestBrokenConnectionsAndHeadersGiveNoReply(t *testing.T) {
	redirect := func(code int, to string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(code)
		}
	}
	large := Options{Timeout: 2 * time.Minute} // what is large takes the race detector long
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		is     error
		says   string
	}{
		"301":                     {redirect(301, "/x"), scorer.ErrUnreachable, `redirects to "/x"`},
		"302":                     {redirect(302, "/x"), scorer.ErrUnreachable, `redirects to "/x"`},
		"307":                     {redirect(307, "/x"), scorer.ErrUnreachable, `redirects to "/x"`},
		"308":                     {redirect(308, "/x"), scorer.ErrUnreachable, `redirects to "/x"`},
		"a redirect loop":         {redirect(307, "/api/chat"), scorer.ErrUnreachable, "redirects"},
		"a redirect nowhere":      {redirect(307, ""), scorer.ErrUnreachable, "redirects"},
		"a redirect to no URL":    {redirect(307, "http://[bad"), scorer.ErrUnreachable, "Location"},
		"304":                     {answers(304, ""), scorer.ErrUnreachable, "304"},
		"101, held open":          {hangs("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), scorer.ErrUnreachable, "101"},
		"100 again and again":     {repeats("", "HTTP/1.1 100 Continue\r\n\r\n"), scorer.ErrUnreachable, ""},
		"102 again and again":     {repeats("", "HTTP/1.1 102 Processing\r\n\r\n"), scorer.ErrUnreachable, ""},
		"204":                     {answers(204, ""), scorer.ErrUnreachable, "204"},
		"206":                     {answers(206, fine), scorer.ErrUnreachable, "206"},
		"599":                     {answers(599, ""), scorer.ErrUnreachable, "599"},
		"status 000":              {speaks("HTTP/1.1 000 No\r\n\r\n" + fine), scorer.ErrUnreachable, "000"},
		"a status of letters":     {speaks("HTTP/1.1 abc OK\r\n\r\n" + fine), scorer.ErrUnreachable, "malformed"},
		"a status too long":       {speaks("HTTP/1.1 2000 OK\r\n\r\n" + fine), scorer.ErrUnreachable, "malformed"},
		"another version":         {speaks("HTTP/x 200 OK\r\n\r\n" + fine), scorer.ErrUnreachable, "malformed"},
		"no header at all":        {speaks(fine), scorer.ErrUnreachable, "malformed"},
		"TLS":                     {speaks("\x15\x03\x01\x00\x02\x02\x0a\r\n\r\n"), scorer.ErrUnreachable, "malformed"},
		"a header without colon":  {speaks(ok + "Content\r\n\r\n" + fine), scorer.ErrUnreachable, "malformed"},
		"a length of letters":     {speaks(ok + "Content-Length: abc\r\n\r\n" + fine), scorer.ErrUnreachable, "Content-Length"},
		"a negative length":       {speaks(ok + "Content-Length: -1\r\n\r\n" + fine), scorer.ErrUnreachable, "Content-Length"},
		"two lengths":             {speaks(ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + fine), scorer.ErrUnreachable, "Content-Length"},
		"another transfer coding": {speaks(ok + "Transfer-Encoding: rot13\r\n\r\n" + fine), scorer.ErrUnreachable, "transfer encoding"},
		"headers without end":     {repeats(ok, "X-More: and more\r\n"), scorer.ErrUnreachable, "exceeded"},
		"a header without end":    {repeats(ok+"X-More: ", "and more "), scorer.ErrUnreachable, ""},
		"a status without end":    {repeats("HTTP/1.1 500 ", "no "), scorer.ErrUnreachable, ""},
		"a long status":           {speaks("HTTP/1.1 500 " + strings.Repeat("no ", 10000) + "\r\n\r\n"), scorer.ErrUnreachable, "500 no no"},
		"a long error":            {answers(400, `{"error":"`+strings.Repeat("no ", 10000)+`"}`), scorer.ErrUnreachable, "no no"},
		"an error without end":    {repeats("HTTP/1.1 400 No\r\n\r\n", "no "), scorer.ErrUnreachable, "no no"},
		"a chunk's bad size":      {speaks(chunked + chunk(fine[:20]) + "zz\r\n"), scorer.ErrBadReply, "chunk"},
		"a chunk's negative size": {speaks(chunked + "-5\r\nabcde\r\n"), scorer.ErrBadReply, "chunk"},
		"a chunk's huge size":     {speaks(chunked + "fffffffffffffffff\r\nabcde\r\n"), scorer.ErrBadReply, "chunk"},
		"a chunk without its end": {speaks(chunked + "5\r\n{\"a\":1}\r\n"), scorer.ErrBadReply, "chunked"},
		"chunks of overhead":      {repeats(chunked, "1;"+strings.Repeat("x", 2000)+"\r\n \r\n"), scorer.ErrBadReply, "chunk"},
		"gzip that is none":       {header("Content-Encoding", "gzip", fine), scorer.ErrBadReply, "gzip: invalid header"},
		"gzip that is cut":        {header("Content-Encoding", "gzip", zipped(fine)[:40]), scorer.ErrReplyCut, "unexpected EOF"},
		"gzip that is corrupt":    {header("Content-Encoding", "gzip", changed(zipped(fine), 30)), nil, ""},
		"gzip with a wrong sum":   {header("Content-Encoding", "gzip", changed(zipped(fine), 8)), scorer.ErrBadReply, "gzip: invalid checksum"},
		"gzip twice":              {header("Content-Encoding", "gzip", zipped(zipped(fine))), scorer.ErrBadReply, "no answer of /api/chat"},
		"gzip twice, and told":    {header("Content-Encoding", "gzip, gzip", zipped(zipped(fine))), scorer.ErrBadReply, "no answer of /api/chat"},
		"gzip that is not told":   {header("Content-Type", "application/json", zipped(fine)), scorer.ErrBadReply, "no answer of /api/chat"},
		"gzip of nothing":         {header("Content-Encoding", "gzip", zipped("")), scorer.ErrBadReply, "empty"},
		"a byte order mark":       {answers(200, "\ufeff"+fine), scorer.ErrBadReply, "no answer of /api/chat"},
		"a stream without end": {repeats(ok+"\r\n", `{"message":{"content":"`+strings.Repeat("x", 1000)+`"},"done":false}`+"\n"),
			scorer.ErrBadReply, "longer than 16777216 bytes"},
		"a string without end":     {repeats(ok+"\r\n"+`{"message":{"content":"`, "x"), scorer.ErrBadReply, "longer than 16777216 bytes"},
		"white space without end":  {repeats(ok+"\r\n", " \n"), scorer.ErrBadReply, "longer than 16777216 bytes"},
		"nothing after, and more":  {repeats(ok+"\r\n"+fine, " \n"), scorer.ErrBadReply, "longer than 16777216 bytes"},
		"much that is zipped well": {header("Content-Encoding", "gzip", zipped(strings.Repeat(" ", 20<<20))), scorer.ErrBadReply, "longer than 16777216 bytes"},
		"arrays without end":       {repeats(ok+"\r\n", "["), scorer.ErrBadReply, "depth"},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := judgeOf(t, c.handle, large).Generate(t.Context(), prompt)
			require.Error(t, err)
			assert.Zero(t, reply)
			assert.True(t, isSentinel(err), "%v", err)
			if c.is != nil {
				assert.ErrorIs(t, err, c.is)
			}
			assert.ErrorContains(t, err, c.says)
			assert.Less(t, len(err.Error()), 2000)
		})
	}
}

func TestUnusualAnswersThatAreWholeAreRead(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"without a length":         speaks(ok + "\r\n" + fine),
		"of HTTP/1.0":              speaks("HTTP/1.0 200 OK\r\n\r\n" + fine),
		"with another phrase":      speaks(fmt.Sprintf("HTTP/1.1 200 Fine\r\nContent-Length: %d\r\n\r\n%s", len(fine), fine)),
		"in small chunks":          speaks(chunked + chunk(fine[:1]) + chunk(fine[1:60]) + chunk(fine[60:]) + "0\r\n\r\n"),
		"with a trailer":           speaks(chunked + chunk(fine) + "0\r\nX-Sum: 1\r\n\r\n"),
		"after interim responses":  speaks("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + ok + "\r\n" + fine),
		"zipped":                   header("Content-Encoding", "gzip", zipped(fine)),
		"in a coding that is none": header("Content-Encoding", "identity", fine),
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := judgeOf(t, handle, Options{}).Generate(t.Context(), prompt)
			require.NoError(t, err)
			assert.Equal(t, fineReply, reply)
		})
	}
}

func TestAnswersThatAreCutAnywhereAreNoReplies(t *testing.T) {
	for name, cut := range map[string]func(string) string{
		"before the length": func(part string) string { return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", ok, len(fine), part) },
		"with a length of that": func(part string) string {
			return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", ok, len(part), part)
		},
		"without a length":   func(part string) string { return ok + "\r\n" + part },
		"in a chunk":         func(part string) string { return chunked + fmt.Sprintf("%x\r\n%s", len(fine), part) },
		"between chunks":     func(part string) string { return chunked + chunk(part+" ") },
		"at the last chunk":  func(part string) string { return chunked + chunk(part+" ") + "0\r\n\r\n" },
		"in the HTTP header": func(part string) string { return (ok + "Content-Type: application/json\r\n\r\n" + part)[:len(part)%49] },
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) { speaks(cut(fine[:n]))(w, r) }, Options{Timeout: time.Minute})
			for n = range len(fine) {
				reply, err := j.Generate(t.Context(), prompt)
				require.True(t, isSentinel(err), "cut at %d: %v", n, err)
				require.Zero(t, reply)
			}
		})
	}
}

func TestOnlyWhatMayBeJSONIsRead(t *testing.T) {
	for _, media := range []string{"", "text/plain", "text/plain; charset=utf-8", "application/octet-stream", "application/json", "Application/JSON;charset=UTF-8", "application/x-ndjson", "application/jsonl", "application/vnd.ollama+json", "application/json;;;"} {
		reply, err := judgeOf(t, header("Content-Type", media, fine), Options{}).Generate(t.Context(), prompt)
		require.NoError(t, err, media)
		assert.Equal(t, fineReply, reply)
	}
	for _, media := range []string{"text/html", "text/html; charset=utf-8", "application/xml", "image/png", "text/event-stream", "multipart/form-data; boundary=json", "gibberish"} {
		_, err := judgeOf(t, header("Content-Type", media, fine), Options{}).Generate(t.Context(), prompt)
		require.ErrorIs(t, err, scorer.ErrBadReply, media)
		named, _, _ := strings.Cut(media, ";")
		assert.ErrorContains(t, err, named)
		assert.ErrorContains(t, err, "is this an Ollama server?")
	}
}

func TestPromptsAndHostsThatCannotBeSentAreErrorsToo(t *testing.T) {
	server := httptest.NewServer(answers(200, fine))
	t.Cleanup(server.Close)
	j := judgeOf(t, answers(200, fine), Options{})
	bad := prompt
	bad.Schema = []byte(`{"a":`)
	_, err := j.Generate(t.Context(), bad)
	require.ErrorIs(t, err, scorer.ErrUnreachable)
	for _, host := range []string{"ftp://127.0.0.1/api/chat", "http://a b/", "://", "http:///api/chat", strings.Replace(server.URL, "http:", "https:", 1)} {
		j.caller.URL = host
		_, err := j.Generate(t.Context(), prompt)
		require.ErrorIs(t, err, scorer.ErrUnreachable, host)
	}
}
