package cassettes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recording opens a new cassette in mode Record, and a server of handler.
func recording(t *testing.T, handler http.HandlerFunc, o Options) (c *Cassette, url string) {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	o.Mode, o.Transport = Record, transport
	return open(t, filepath.Join(t.TempDir(), "x.yaml"), o), srv.URL
}

func post(c *Cassette, url, body string) (*http.Response, error) {
	client := &http.Client{Transport: c}
	return client.Post(url+"/api/chat", "application/json", strings.NewReader(body))
}

func readAll(resp *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func TestStreamArrivesWhileItIsRecorded(t *testing.T) {
	next := make(chan struct{})
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		for n := range 3 {
			fmt.Fprintf(w, "{\"n\":%d}\n", n)
			w.(http.Flusher).Flush()
			<-next // the next line is sent only once this one has arrived
		}
	}, Options{})
	resp, err := post(c, url, "a")
	require.NoError(t, err)
	lines := bufio.NewScanner(resp.Body)
	for n := range 3 {
		require.True(t, lines.Scan())
		assert.Equal(t, fmt.Sprintf(`{"n":%d}`, n), lines.Text())
		next <- struct{}{}
	}
	assert.False(t, lines.Scan())
	require.NoError(t, resp.Body.Close())
	require.NoError(t, c.Close(true))

	replay := open(t, c.Path(), Options{Mode: Replay})
	assert.Equal(t, "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n", mustCall(t, replay, "a"))
}

func TestWhatTheReaderLeavesIsRecordedToo(t *testing.T) {
	const text = "{\"a\":1}\n{\"b\":2}\n"
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, text[:8])
		w.(http.Flusher).Flush()
		fmt.Fprint(w, text[8:])
	}, Options{})
	resp, err := post(c, url, "a")
	require.NoError(t, err)
	_, err = bufio.NewReaderSize(resp.Body, 16).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, c.Close(true))
	assert.Equal(t, text, mustCall(t, open(t, c.Path(), Options{}), "a"))
}

func TestAnnouncedLengthIsAnEnd(t *testing.T) {
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"a":1}`)
	}, Options{})
	resp, err := post(c, url, "a")
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 7)) // neither to EOF nor closed
	require.NoError(t, err)
	require.NoError(t, c.Close(true))
	assert.Equal(t, `{"a":1}`, mustCall(t, open(t, c.Path(), Options{}), "a"))
	resp.Body.Close()
}

func TestAnswerWithoutBodyIsComplete(t *testing.T) {
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, Options{})
	resp, err := post(c, url, "a")
	require.NoError(t, err)
	require.NoError(t, c.Close(true), "though nobody closed the body")
	resp.Body.Close()
	replay, err := open(t, c.Path(), Options{}).RoundTrip(request(t.Context(), "http://x/api/chat", "a"))
	require.NoError(t, err)
	require.NoError(t, replay.Body.Close())
	assert.Equal(t, "204 No Content", replay.Status)
}

// hijack ends the connection after having written text.
func hijack(w http.ResponseWriter, text string) {
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	fmt.Fprint(buf, text)
	buf.Flush()
	conn.Close()
}

func TestFaultyWeatherIsNotRecorded(t *testing.T) {
	tests := map[string]struct {
		handler http.HandlerFunc
		err     error
		says    string
	}{
		"body cut before its announced length": {func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"cut\":")
		}, ErrIncomplete, "unexpected EOF"},
		"chunked body cut": {func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"cut\r\n")
		}, ErrIncomplete, "unexpected EOF"},
		"no answer":    {func(w http.ResponseWriter, _ *http.Request) { hijack(w, "") }, ErrIncomplete, "EOF"},
		"status 500":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, ErrStatus, "500 Internal Server Error"},
		"status 404":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no model", 404) }, ErrStatus, "404 Not Found"},
		"not modified": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, ErrStatus, "304 Not Modified"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			weather := func(w http.ResponseWriter, r *http.Request) {
				if text, _ := io.ReadAll(r.Body); string(text) == "fine" {
					fmt.Fprint(w, "{}")
					return
				}
				tt.handler(w, r)
			}
			c, url := recording(t, weather, Options{})
			write(t, c.Path(), "the old file")
			c.opened = stateOf([]byte("the old file"))
			_, err := readAll(post(c, url, "fine"))
			require.NoError(t, err)
			_, _ = readAll(post(c, url, "stormy"))
			err = c.Close(true)
			assert.ErrorIs(t, err, tt.err)
			assert.ErrorContains(t, err, tt.says)
			assert.ErrorContains(t, err, "call 2 (POST /api/chat)")
			assert.ErrorContains(t, err, c.Path())
			assert.Equal(t, "the old file", read(t, c.Path()))
		})
	}
}

func TestRetriedFailuresLeaveNoTrace(t *testing.T) {
	n := 0
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) {
		switch n++; n {
		case 1:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		case 2:
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
		case 3:
			hijack(w, "")
		default:
			fmt.Fprint(w, `"fine"`)
		}
	}, Options{})
	busy, err := post(c, url, "a")
	require.NoError(t, err)
	defer busy.Body.Close() // after the recording: a careless client does not read what it retries
	for range 3 {
		_, _ = readAll(post(c, url, "a"))
	}
	require.NoError(t, c.Close(true))
	replay := open(t, c.Path(), Options{})
	assert.Equal(t, `"fine"`, mustCall(t, replay, "a"))
	_, err = send(t.Context(), replay, "a")
	assert.ErrorAs(t, err, new(*MissError), "one call is left")
}

func TestKeptStatuses(t *testing.T) {
	c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, "busy", http.StatusTooManyRequests)
	}, Options{Statuses: []int{404, 429}})
	_, err := readAll(post(c, url, "a"))
	require.NoError(t, err)
	require.NoError(t, c.Close(true))
	resp, err := open(t, c.Path(), Options{}).RoundTrip(request(t.Context(), "http://x/api/chat", "a"))
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, 429, resp.StatusCode)
	assert.Equal(t, "7", resp.Header.Get("Retry-After"))
}

func TestAnswersThatTheCallerFoundOfUseAreKeptWhateverTheirStatus(t *testing.T) {
	for _, useful := range []bool{true, false} {
		t.Run(fmt.Sprint(useful), func(t *testing.T) {
			c, url := recording(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "too long", http.StatusBadRequest) }, Options{})
			ctx, keep := WithKeep(t.Context())
			resp, err := (&http.Client{Transport: c}).Do(request(ctx, url+"/api/chat", "a"))
			text, err := readAll(resp, err)
			require.NoError(t, err)
			if !useful {
				require.ErrorIs(t, c.Close(true), ErrStatus)
				return
			}
			keep()
			require.NoError(t, c.Close(true))
			again, err := send(t.Context(), open(t, c.Path(), Options{}), "a")
			require.NoError(t, err)
			assert.Equal(t, text, again)
		})
	}
}

func TestCallOnItsWayMakesTheRecordingIncomplete(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	c, url := recording(t, func(w http.ResponseWriter, r *http.Request) {
		if text, _ := io.ReadAll(r.Body); string(text) == "slow" {
			close(asked)
			<-answer
		}
	}, Options{})
	done := make(chan error)
	go func() { _, err := readAll(post(c, url, "slow")); done <- err }()
	<-asked
	err := c.Close(true)
	assert.ErrorIs(t, err, ErrIncomplete)
	assert.ErrorContains(t, err, "call 1 (POST /api/chat) has no answer yet")
	close(answer)
	assert.NoError(t, <-done, "the caller has its answer all the same")
	assert.NoFileExists(t, c.Path())
}

func TestUnreadAnswerMakesTheRecordingIncomplete(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: always("{}")})
	resp, err := c.RoundTrip(request(t.Context(), "http://x/", "a"))
	require.NoError(t, err)
	err = c.Close(true)
	assert.ErrorIs(t, err, ErrIncomplete)
	assert.ErrorContains(t, err, "was not read to its end")
	resp.Body.Close()
}

// endless is a body that never ends: it sends on and on, or is silent until it
// is closed.
type endless struct {
	closed chan struct{}
	silent bool
}

func (e *endless) Read(p []byte) (int, error) {
	if e.silent {
		<-e.closed
		return 0, errors.New("read of a closed body")
	}
	return copy(p, "data: and so on\n\n"), nil
}

func (e *endless) Close() error { close(e.closed); return nil }

func TestClosingAnEndlessStreamEnds(t *testing.T) {
	for name, silent := range map[string]bool{"flowing": false, "silent": true} {
		synctest.Test(t, func(t *testing.T) { // its clock does not keep us waiting
			e := &endless{closed: make(chan struct{}), silent: silent}
			transport := roundTrip(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Body: e, ContentLength: -1}, nil
			})
			c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: transport})
			resp, err := c.RoundTrip(request(t.Context(), "http://x/", "a"))
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.ErrorIs(t, c.Close(true), ErrIncomplete, name)
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestCancelledCallMakesTheRecordingIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	transport := roundTrip(func(req *http.Request) (*http.Response, error) {
		cancel()
		return nil, req.Context().Err()
	})
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: transport})
	_, err := send(ctx, c, "a")
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, c.Close(true), ErrIncomplete)
}

func TestTheLiveRequestAndResponseAreUntouched(t *testing.T) {
	const sent = `{"api_key":"abc","model":"m"}`
	const answer = `{"created_at":"2026-12-01T10:00:00Z","done":true}`
	var got *http.Request
	var gotBody string
	c, url := recording(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, gotBody = r, string(body)
		w.Header().Set("Set-Cookie", "id=7")
		fmt.Fprint(w, answer)
	}, Options{})
	req := request(t.Context(), url+"/api/chat?token=abc", sent)
	req.Header.Set("Authorization", "Bearer abc")
	resp, err := c.RoundTrip(req)
	require.NoError(t, err)
	text, err := readAll(resp, nil)
	require.NoError(t, err)
	assert.Equal(t, answer, text)
	assert.Equal(t, "id=7", resp.Header.Get("Set-Cookie"))
	assert.Equal(t, sent, gotBody)
	assert.Equal(t, "token=abc", got.URL.RawQuery)
	assert.Equal(t, "Bearer abc", got.Header.Get("Authorization"))
	assert.Equal(t, "Bearer abc", req.Header.Get("Authorization"))
	require.NoError(t, c.Close(true))

	file := read(t, c.Path())
	for _, secret := range []string{"abc", "id=7", "127.0.0.1", "2026-12-01T10", "Go-http-client"} {
		assert.NotContains(t, file, secret)
	}
	other := strings.Replace(sent, "abc", "another", 1)
	req = request(t.Context(), "http://x/api/chat?token=another", other)
	_, err = readAll(open(t, c.Path(), Options{Mode: Replay}).RoundTrip(req))
	assert.NoError(t, err, "redaction does not break matching")
}

func TestRedirectsAreReplayed(t *testing.T) {
	c, url := recording(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			http.Redirect(w, r, "http://"+r.Host+"/new?token=abc&n=1", http.StatusTemporaryRedirect)
			return
		}
		_, _ = io.Copy(w, r.Body)
	}, Options{Statuses: []int{307}})
	for _, o := range []Options{{}, {Mode: Replay, Transport: never{t}}} {
		if o.Mode == Replay {
			c = open(t, c.Path(), o)
		}
		text, err := readAll(post(c, url, "hello"))
		require.NoError(t, err)
		assert.Equal(t, "hello", text)
		require.NoError(t, c.Close(true))
	}
	assert.Contains(t, read(t, c.Path()), "http://recorded.invalid/new?n=1")
}
