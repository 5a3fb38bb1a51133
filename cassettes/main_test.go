package cassettes

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// server is a transport that answers in memory and counts.
type server struct {
	calls  int
	answer func(body string) string
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.calls++
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: 200, Status: "200 OK",
		Header:        http.Header{"Content-Type": {"application/json"}, "Server": {"machine-7"}},
		Body:          io.NopCloser(strings.NewReader(s.answer(string(body)))),
		ContentLength: -1,
	}, nil
}

// echo answers a call with a number and what was asked.
func echo() *server {
	s := &server{}
	s.answer = func(body string) string { return fmt.Sprintf(`{"n":%d,"asked":%q}`, s.calls, body) }
	return s
}

// always answers every call with one text.
func always(text string) *server {
	return &server{answer: func(string) string { return text }}
}

// never is a transport that must not be used.
type never struct{ t *testing.T }

func (n never) RoundTrip(*http.Request) (*http.Response, error) {
	n.t.Error("the transport was used")
	return nil, fmt.Errorf("the transport was used")
}

func open(t *testing.T, path string, o Options) *Cassette {
	t.Helper()
	c, err := Open(path, o)
	require.NoError(t, err)
	return c
}

func request(ctx context.Context, url, body string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return req
}

// send makes a call and gives the answer, or the first error.
func send(ctx context.Context, c *Cassette, body string) (string, error) {
	resp, err := c.RoundTrip(request(ctx, "http://llm.example:1234/api/chat", body))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func mustCall(t *testing.T, c *Cassette, body string) string {
	t.Helper()
	text, err := send(t.Context(), c, body)
	require.NoError(t, err)
	return text
}

// record makes a cassette of these calls, answered by s.
func record(t *testing.T, s http.RoundTripper, bodies ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cassettes", t.Name()+".yaml")
	c := open(t, path, Options{Mode: Record, Test: t.Name(), Transport: s})
	for _, body := range bodies {
		mustCall(t, c, body)
	}
	require.NoError(t, c.Close(true))
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
