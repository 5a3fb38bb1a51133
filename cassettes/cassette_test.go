package cassettes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/dnaeon/go-vcr.v3/cassette"
)

func TestModes(t *testing.T) {
	const known, unknown = `{"q":"known"}`, `{"q":"unknown"}`
	tests := []struct {
		mode      Mode
		file      bool   // a cassette with known exists
		asked     string // the one call made
		calls     int    // that go out
		err       error
		miss      bool
		replaying bool
		after     []string // what the file then holds
	}{
		{Auto, true, known, 0, nil, false, true, []string{known}},
		{Auto, true, unknown, 0, nil, true, true, []string{known}},
		{Auto, false, unknown, 1, nil, false, false, []string{unknown}},
		{"", false, unknown, 1, nil, false, false, []string{unknown}},
		{Replay, true, known, 0, nil, false, true, []string{known}},
		{Replay, true, unknown, 0, nil, true, true, []string{known}},
		{Replay, false, unknown, 0, ErrNoCassette, false, true, nil},
		{Record, true, known, 1, nil, false, false, []string{known}},
		{Record, true, unknown, 1, nil, false, false, []string{unknown}},
		{Record, false, unknown, 1, nil, false, false, []string{unknown}},
		{Update, true, known, 0, nil, false, true, []string{known}},
		{Update, true, unknown, 1, nil, false, true, []string{unknown}},
		{Update, false, unknown, 1, nil, false, false, []string{unknown}},
		{Live, true, known, 1, nil, false, false, []string{known}},
		{Live, true, unknown, 1, nil, false, false, []string{known}},
		{Live, false, unknown, 1, nil, false, false, nil},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/file=%v/%s", tt.mode, tt.file, tt.asked), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "not", "there", "yet.yaml")
			if tt.file {
				c := open(t, path, Options{Mode: Record, Transport: always(`"old"`)})
				mustCall(t, c, known)
				require.NoError(t, c.Close(true))
			}
			s := always(`"new"`)
			c := open(t, path, Options{Mode: tt.mode, Transport: s})
			assert.Equal(t, path, c.Path())
			assert.Equal(t, tt.replaying, c.Replaying())

			text, err := send(t.Context(), c, tt.asked)
			var miss *MissError
			switch {
			case tt.err != nil:
				assert.ErrorIs(t, err, tt.err)
				assert.ErrorContains(t, err, path)
			case tt.miss:
				assert.ErrorAs(t, err, &miss)
			case tt.calls == 0:
				assert.Equal(t, `"old"`, text)
			default:
				assert.Equal(t, `"new"`, text)
			}
			assert.Equal(t, tt.calls, s.calls, "calls that went out")
			require.NoError(t, c.Close(true))

			var held []string
			if f, err := cassette.Load(strings.TrimSuffix(path, ".yaml")); err == nil {
				for _, i := range f.Interactions {
					held = append(held, strings.Join(strings.Fields(i.Request.Body), ""))
				}
			}
			assert.Equal(t, tt.after, held)
		})
	}
}

func TestUnknownModeListsTheModes(t *testing.T) {
	_, err := Open("x.yaml", Options{Mode: "Replay"})
	assert.ErrorContains(t, err, `unknown mode "Replay"`)
	assert.ErrorContains(t, err, "auto, replay, record, update, live")
	for _, bad := range []string{"", "AUTO", " auto", "replay\n"} {
		_, err := ParseMode(bad)
		assert.Error(t, err, "%q", bad)
	}
	for _, m := range []Mode{Auto, Replay, Record, Update, Live} {
		got, err := ParseMode(string(m))
		assert.NoError(t, err)
		assert.Equal(t, m, got)
	}
}

func TestEqualCallsAreAnsweredFirstInFirstOut(t *testing.T) {
	path := record(t, echo(), "a", "b", "a", "a")
	c := open(t, path, Options{Mode: Replay, Transport: never{t}})
	for _, want := range []string{`{"n":1,"asked":"a"}`, `{"n":3,"asked":"a"}`, `{"n":4,"asked":"a"}`} {
		assert.Equal(t, want, mustCall(t, c, "a"))
	}
	_, err := send(t.Context(), c, "a")
	assert.ErrorContains(t, err, "it is recorded 3 times and was now made 4 times")
	assert.Equal(t, `{"n":2,"asked":"b"}`, mustCall(t, c, "b"))
}

func TestRepeatGivesTheLastAnswerAgain(t *testing.T) {
	path := record(t, echo(), "a", "a")
	c := open(t, path, Options{Repeat: true, Transport: never{t}})
	for _, n := range []int{1, 2, 2, 2} {
		assert.Equal(t, fmt.Sprintf(`{"n":%d,"asked":"a"}`, n), mustCall(t, c, "a"))
	}
	_, err := send(t.Context(), c, "b")
	assert.ErrorAs(t, err, new(*MissError))
}

func TestReplayIgnoresHostOrderAndWhiteSpace(t *testing.T) {
	path := record(t, always("{}"), `{"model":"m","n":1.50,"list":[1, 2]}`)
	c := open(t, path, Options{Mode: Replay, Transport: never{t}})
	_, err := readAll(c.RoundTrip(request(t.Context(), "https://elsewhere.example/api/chat", "{ \"list\":[1,2],\n\"n\":1.50, \"model\":\"m\"}")))
	assert.NoError(t, err)
}

// body notes whether it was read to its end and closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

func TestRequestBodyIsReadAndClosed(t *testing.T) {
	path := record(t, always("{}"), "known")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := map[string]struct {
		ctx  context.Context
		text string
		shut bool
		miss bool
		err  error
	}{
		"on a hit":       {t.Context(), "known", false, false, nil},
		"on a miss":      {t.Context(), "unknown", false, true, nil},
		"after Close":    {t.Context(), "known", true, false, ErrClosed},
		"when cancelled": {cancelled, "known", false, false, context.Canceled},
		"when empty":     {t.Context(), "", false, true, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, path, Options{Mode: Replay})
			if tt.shut {
				require.NoError(t, c.Close(true))
			}
			req := request(tt.ctx, "http://x/api/chat", "")
			b := &body{Reader: strings.NewReader(tt.text)}
			req.Body = b
			_, err := readAll(c.RoundTrip(req))
			if tt.miss {
				assert.ErrorAs(t, err, new(*MissError))
			} else {
				assert.ErrorIs(t, err, tt.err)
			}
			assert.True(t, b.closed)
			rest, _ := io.ReadAll(b.Reader)
			assert.Empty(t, rest)
		})
	}
}

func TestUnreadableRequestBodyIsAnError(t *testing.T) {
	broken := errors.New("disk broke")
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{Transport: never{t}})
	req := request(t.Context(), "http://x/", "")
	req.Body = &body{Reader: io.MultiReader(strings.NewReader("x"), errReader{broken})}
	_, err := readAll(c.RoundTrip(req))
	assert.ErrorIs(t, err, broken)
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestReplayedResponseIsWellFormed(t *testing.T) {
	path := record(t, always(`{"a":1}`), "a")
	c := open(t, path, Options{Mode: Replay})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req := request(ctx, "http://x/api/chat", "a")
	resp, err := c.RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, "200 OK", resp.Status)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "HTTP/1.1", resp.Proto)
	assert.Equal(t, int64(7), resp.ContentLength)
	assert.Equal(t, http.Header{"Content-Type": {"application/json"}}, resp.Header)
	assert.Same(t, req, resp.Request)

	cancel()
	_, err = io.ReadAll(resp.Body)
	assert.ErrorIs(t, err, context.Canceled)
	assert.NoError(t, resp.Body.Close())
}

func TestReplayGivesEachCallItsOwnHeaders(t *testing.T) {
	path := record(t, always("{}"), "a")
	c := open(t, path, Options{Repeat: true})
	for range 2 {
		resp, err := c.RoundTrip(request(t.Context(), "http://x/api/chat", "a"))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		resp.Header.Set("Content-Type", "changed")
	}
}

func TestClosedCassette(t *testing.T) {
	path := record(t, always("{}"), "a")
	for _, mode := range []Mode{Auto, Replay, Record, Update, Live} {
		c := open(t, path, Options{Mode: mode, Transport: never{t}})
		assert.NoError(t, c.Close(true))
		assert.NoError(t, c.Close(true), "twice")
		_, err := send(t.Context(), c, "a")
		assert.ErrorIs(t, err, ErrClosed)
		assert.ErrorContains(t, err, path)
	}
}

func TestParallelUse(t *testing.T) {
	const n, each = 40, 3
	var bodies []string
	for k := range n * each {
		bodies = append(bodies, fmt.Sprintf(`{"q":%d}`, k%n))
	}
	path := filepath.Join(t.TempDir(), "x.yaml")
	run := func(c *Cassette) map[string]int {
		var mu sync.Mutex
		var wg sync.WaitGroup
		seen := map[string]int{}
		for _, b := range bodies {
			wg.Go(func() {
				text, err := send(WithLabel(t.Context(), "step@1"), c, b)
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				seen[text]++
			})
		}
		wg.Wait()
		return seen
	}
	c := open(t, path, Options{Mode: Record, Transport: stateless{}})
	recorded := run(c)
	require.NoError(t, c.Close(true))
	assert.Len(t, recorded, n)
	assert.Equal(t, recorded, run(open(t, path, Options{Mode: Replay, Transport: never{t}})))
}

// stateless echoes the request; it is safe for parallel use.
type stateless struct{}

func (stateless) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Status: "200 OK", Header: http.Header{}, Body: req.Body, ContentLength: -1}, nil
}

func TestNilTransportIsTheDefaultOne(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	s := echo()
	http.DefaultTransport = s // no *http.Transport: nothing may assert that
	c := open(t, filepath.Join(t.TempDir(), "x.yaml"), Options{})
	mustCall(t, c, "a")
	assert.Equal(t, 1, s.calls)
	require.NoError(t, c.Close(true))
}

func TestSparseResponsesAndFilesAreFilledIn(t *testing.T) {
	sparse := roundTrip(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil })
	path := filepath.Join(t.TempDir(), "x.yaml")
	c := open(t, path, Options{Transport: sparse})
	assert.Empty(t, mustCall(t, c, "a"))
	require.NoError(t, c.Close(true))
	assert.Contains(t, read(t, path), "status: 200 OK")

	write(t, path, "version: 2\ninteractions: [{request: {method: POST, url: /api/chat}, response: {code: 404}}]\n")
	resp, err := open(t, path, Options{}).RoundTrip(request(t.Context(), "http://x/api/chat", ""))
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, "404 Not Found", resp.Status)
	assert.NotNil(t, resp.Header)
}

func TestRecordedIsTheDateOfWhatAnswers(t *testing.T) {
	path := record(t, always("{}"), "a")
	old := strings.ReplaceAll(read(t, path), "recorded: '20", "recorded: '19")
	write(t, path, old)
	c := open(t, path, Options{})
	assert.Regexp(t, `^19\d\d-\d\d-\d\d$`, c.Recorded())

	c = open(t, path, Options{Mode: Record, Transport: always("{}")})
	assert.Empty(t, c.Recorded(), "not what answers")
	mustCall(t, c, "b")
	require.NoError(t, c.Close(true))
	assert.Regexp(t, `^20\d\d-\d\d-\d\d$`, c.Recorded())

	require.NoError(t, os.Remove(path))
	assert.Empty(t, open(t, path, Options{}).Recorded())
}
