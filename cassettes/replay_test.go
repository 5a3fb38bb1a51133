package cassettes

import (
	"bytes"
	"crypto/rand"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answering gives this answer to every call.
func answering(header http.Header, body string) roundTrip {
	return func(req *http.Request) (*http.Response, error) {
		if req.Body != nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		return &http.Response{StatusCode: 200, Header: header.Clone(), Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}, nil
	}
}

// replayedFrom records an answer and gives its replay, unread, with the
// length that it states.
func replayedFrom(t *testing.T, header http.Header, body string) (io.Reader, int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.yaml")
	c := open(t, path, Options{Mode: Record, Transport: answering(header, body)})
	mustCall(t, c, "a")
	require.NoError(t, c.Close(true))
	resp, err := open(t, path, Options{Mode: Replay}).RoundTrip(request(t.Context(), "http://x/api/chat", "a"))
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp.Body, resp.ContentLength
}

func TestStreamsAreReplayedPieceByPiece(t *testing.T) {
	tests := map[string]struct {
		media  string
		pieces []string
	}{
		"NDJSON":              {"application/x-ndjson", []string{"{\"a\":1}\n", "\n", "{\"b\":2}"}},
		"SSE":                 {"text/event-stream; charset=utf-8", []string{"event: a\ndata: 1\n\n", "data: 2\r\n\r\n", ": note\n\n", "data: [DONE]"}},
		"one piece that ends": {"application/jsonl", []string{"{}\n"}},
		"nothing":             {"text/event-stream", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body, length := replayedFrom(t, http.Header{"Content-Type": {tt.media}}, strings.Join(tt.pieces, ""))
			assert.EqualValues(t, -1, length, "as of a stream")
			var got []string
			p := make([]byte, 100)
			for {
				n, err := body.Read(p)
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				got = append(got, string(p[:n]))
			}
			assert.Equal(t, tt.pieces, got)
		})
	}
}

func TestShortReadsOfAStreamLoseNothing(t *testing.T) {
	const text = "data: 1\n\ndata: 22\n\n"
	body, _ := replayedFrom(t, http.Header{"Content-Type": {"text/event-stream"}}, text)
	var got []byte
	for p := make([]byte, 4); ; {
		n, err := body.Read(p)
		got = append(got, p[:n]...)
		if err != nil {
			break
		}
	}
	assert.Equal(t, text, string(got))
}

func TestOtherAnswersAreReplayedWhole(t *testing.T) {
	body, length := replayedFrom(t, http.Header{"Content-Type": {"text/plain"}}, "a\nb\n")
	assert.EqualValues(t, 4, length)
	p := make([]byte, 100)
	n, err := body.Read(p)
	require.NoError(t, err)
	assert.Equal(t, "a\nb\n", string(p[:n]))
}

func TestLargeAndBinaryAnswersComeBackByteForByte(t *testing.T) {
	noise := make([]byte, 1<<20)
	_, _ = rand.Read(noise)
	large := strings.Repeat("A line of ten megabytes, with 中文 in it.\n", 10<<20/43)
	for name, tt := range map[string]struct {
		header http.Header
		body   string
	}{
		"noise":        {nil, string(noise)},
		"10 MB":        {nil, large},
		"gzip":         {http.Header{"Content-Encoding": {"gzip"}}, gzipped(large[:1<<16])},
		"gzip, cut":    {http.Header{"Content-Encoding": {"gzip"}}, gzipped(large[:1<<16])[:50]},
		"gzip, untrue": {http.Header{"Content-Encoding": {"gzip"}}, "\n\tplain"},
		"gzipped JSON": {http.Header{"Content-Encoding": {"gzip"}, "Content-Type": {"application/x-ndjson"}}, gzipped("{}\n{}\n")},
	} {
		t.Run(name, func(t *testing.T) {
			body, _ := replayedFrom(t, tt.header, tt.body)
			got, err := io.ReadAll(body)
			require.NoError(t, err)
			assert.True(t, bytes.Equal([]byte(tt.body), got))
		})
	}
}

func FuzzRecordAndReplay(f *testing.F) {
	f.Add("{}", "{}", "application/json")
	f.Add("a\x00", "\n\ta\u2028\r\n", "text/event-stream")
	f.Add("\xff", "data: {\"a\":\"b\"}\n\n", "text/event-stream")
	f.Add("x=1&y=%zz", "{\"a\":1}\n{\"b\":[]}\n", "application/x-ndjson")
	f.Fuzz(func(t *testing.T, asked, answer, media string) {
		if shapeOf(asked) != "" || shapeOf(answer) != "" || leaks("", answer) != nil || leaks("", asked) != nil || strings.ContainsAny(media, "\x00\r\n") {
			return
		}
		header := http.Header{"Content-Type": {media}}
		path := filepath.Join(t.TempDir(), "x.yaml")
		c, err := Open(path, Options{Mode: Record, Transport: answering(header, answer)})
		require.NoError(t, err)
		if _, err = send(t.Context(), c, asked); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, c.Close(true))
		c, err = Open(path, Options{Mode: Replay})
		require.NoError(t, err)
		got, err := send(t.Context(), c, asked)
		require.NoError(t, err)
		want := rules{}.answer(header, answer, nil)
		assert.Equal(t, want, got)
		if !strings.Contains(want, redacted) && !strings.Contains(want, fixedTime) {
			assert.Equal(t, answer, got)
		}
	})
}
