package cassettes

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/dnaeon/go-vcr.v3/cassette"
	"gopkg.in/dnaeon/go-vcr.v3/recorder"
)

// BenchmarkReplay replays 1,000 calls of 4 kB in random order, through our
// index and through go-vcr with a matcher that compares bodies.
func BenchmarkReplay(b *testing.B) {
	const n = 1000
	bodies := make([]string, n)
	for k := range bodies {
		bodies[k] = fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}]}`, strings.Repeat("The context of a call. ", 175)+fmt.Sprint(k))
	}
	path := filepath.Join(b.TempDir(), "x.yaml")
	c, err := Open(path, Options{Mode: Record, Transport: stateless{}})
	require.NoError(b, err)
	for _, body := range bodies {
		_, err := send(b.Context(), c, body)
		require.NoError(b, err)
	}
	require.NoError(b, c.Close(true))
	loaded, err := cassette.Load(strings.TrimSuffix(path, ".yaml"))
	require.NoError(b, err)
	for k, i := range loaded.Interactions { // sorted by our file, and indented
		bodies[k] = i.Request.Body
	}

	b.Run("cassettes", func(b *testing.B) {
		shuffled(b, bodies, func() http.RoundTripper {
			c, err := Open(path, Options{Mode: Replay})
			require.NoError(b, err)
			return c
		})
	})
	b.Run("go-vcr", func(b *testing.B) {
		shuffled(b, bodies, func() http.RoundTripper {
			r, err := recorder.NewWithOptions(&recorder.Options{
				CassetteName: strings.TrimSuffix(path, ".yaml"), Mode: recorder.ModeReplayOnly, SkipRequestLatency: true,
			})
			require.NoError(b, err)
			r.SetMatcher(func(req *http.Request, recorded cassette.Request) bool {
				body, _ := io.ReadAll(req.Body)
				req.Body.Close()
				req.Body = io.NopCloser(strings.NewReader(string(body)))
				return req.Method == recorded.Method && string(body) == recorded.Body
			})
			return r
		})
	})
}

// shuffled makes every call once, in an order that is the same for all, and
// loads the file anew where b.N is beyond that.
func shuffled(b *testing.B, bodies []string, load func() http.RoundTripper) {
	b.Helper()
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(bodies))
	var c http.RoundTripper
	for n := 0; b.Loop(); n++ {
		if n%len(bodies) == 0 {
			b.StopTimer()
			c = load()
			b.StartTimer()
		}
		resp, err := c.RoundTrip(request(b.Context(), "http://recorded.invalid/api/chat", bodies[order[n%len(bodies)]]))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}
