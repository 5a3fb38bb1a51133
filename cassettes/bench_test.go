package cassettes

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/dnaeon/go-vcr.v3/cassette"
	"gopkg.in/dnaeon/go-vcr.v3/recorder"
)

// The benchmarks measure this package against go-vcr v3 with a matcher that
// compares bodies, in one run, each on the file that it wrote itself:
//
//	go test -run '^$' -bench . -count 6 ./cassettes | benchstat -col /by -
//
// Calls ask 4 kB and are answered 2 kB.

var question4k = strings.Repeat("The context of a call is what its answer must be held to. ", 70)

var bodies, answer2k = func() ([]string, string) {
	all := make([]string, 5000)
	for n := range all {
		all[n] = fmt.Sprintf(`{"model":"llama3.2","messages":[{"role":"user","content":%q}],"stream":false}`, question4k+fmt.Sprint(n))
	}
	return all, fmt.Sprintf(`{"model":"llama3.2","created_at":"2026-12-01T10:00:00Z","message":{"role":"assistant","content":%q},"done":true,"total_duration":123}`, question4k[:1900])
}()

// answers2k answers every call with 2 kB of Ollama's JSON.
type answers2k struct{ after time.Duration }

func (a answers2k) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.after > 0 {
		<-time.After(a.after)
	}
	_, _ = io.Copy(io.Discard, req.Body)
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(answer2k)), ContentLength: int64(len(answer2k)),
	}, nil
}

// library is one of the two that are measured.
type library struct {
	name   string
	record func(b *testing.B, path string, out http.RoundTripper) (http.RoundTripper, func() error)
	replay func(b *testing.B, path string) http.RoundTripper
	load   func(path string) (any, error)
}

var libraries = []library{
	{
		"go-vcr",
		func(b *testing.B, path string, out http.RoundTripper) (http.RoundTripper, func() error) {
			b.Helper()
			r := goVCR(b, path, recorder.ModeRecordOnly, out)
			return r, r.Stop
		},
		func(b *testing.B, path string) http.RoundTripper {
			b.Helper()
			return goVCR(b, path, recorder.ModeReplayOnly, nil)
		},
		func(path string) (any, error) { return cassette.Load(strings.TrimSuffix(path, ".yaml")) },
	},
	{
		"cassettes",
		func(b *testing.B, path string, out http.RoundTripper) (http.RoundTripper, func() error) {
			b.Helper()
			c, err := Open(path, Options{Mode: Record, Transport: out})
			require.NoError(b, err)
			return c, func() error { return c.Close(true) }
		},
		func(b *testing.B, path string) http.RoundTripper {
			b.Helper()
			c, err := Open(path, Options{Mode: Replay})
			require.NoError(b, err)
			return c
		},
		func(path string) (any, error) { return Open(path, Options{Mode: Replay}) },
	},
}

func goVCR(b *testing.B, path string, mode recorder.Mode, out http.RoundTripper) *recorder.Recorder {
	b.Helper()
	r, err := recorder.NewWithOptions(&recorder.Options{
		CassetteName: strings.TrimSuffix(path, ".yaml"), Mode: mode, RealTransport: out, SkipRequestLatency: true,
	})
	require.NoError(b, err)
	r.SetMatcher(func(req *http.Request, recorded cassette.Request) bool {
		body, _ := io.ReadAll(req.Body)
		req.Body.Close()
		req.Body = io.NopCloser(strings.NewReader(string(body)))
		return req.Method == recorded.Method && req.URL.String() == recorded.URL && string(body) == recorded.Body
	})
	return r
}

func (l library) call(b *testing.B, c http.RoundTripper, n int) {
	b.Helper()
	resp, err := c.RoundTrip(request(context.Background(), "http://127.0.0.1:11434/api/chat", bodies[n%len(bodies)]))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		b.Fatal(err)
	}
	resp.Body.Close()
}

// recorded makes a file of n calls.
func (l library) recorded(b *testing.B, n int) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "x.yaml")
	c, end := l.record(b, path, answers2k{})
	for k := range n {
		l.call(b, c, k)
	}
	require.NoError(b, end())
	return path
}

func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{100, 1000, 5000} {
		for _, order := range []string{"recorded", "shuffled"} {
			for _, l := range libraries {
				b.Run(fmt.Sprintf("n=%d/order=%s/by=%s", n, order, l.name), func(b *testing.B) {
					path := l.recorded(b, n)
					numbers := rand.New(rand.NewPCG(1, 2)).Perm(n)
					if order == "recorded" {
						for k := range numbers {
							numbers[k] = k
						}
					}
					var c http.RoundTripper
					for done := 0; b.Loop(); done++ {
						if done%n == 0 {
							b.StopTimer()
							c = l.replay(b, path)
							b.StartTimer()
						}
						l.call(b, c, numbers[done%n])
					}
				})
			}
		}
	}
}

// BenchmarkOpen also measures what is kept in memory, in sizes of the file.
func BenchmarkOpen(b *testing.B) {
	for _, l := range libraries {
		b.Run("by="+l.name, func(b *testing.B) {
			path := l.recorded(b, 1000)
			info, err := os.Stat(path)
			require.NoError(b, err)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			kept, err := l.load(path)
			require.NoError(b, err)
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(kept)
			for b.Loop() {
				if _, err := l.load(path); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(info.Size()), "kept/file")
		})
	}
}

func BenchmarkSave(b *testing.B) {
	for _, l := range libraries {
		b.Run("by="+l.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c, end := l.record(b, filepath.Join(b.TempDir(), "x.yaml"), answers2k{})
				for k := range 1000 {
					l.call(b, c, k)
				}
				b.StartTimer()
				if err := end(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRecordedCall makes calls that take 20 ms, through nothing and while
// they are recorded.
func BenchmarkRecordedCall(b *testing.B) {
	slow := answers2k{20 * time.Millisecond}
	b.Run("by=bare", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			libraries[0].call(b, slow, n)
		}
	})
	for _, l := range libraries {
		b.Run("by="+l.name, func(b *testing.B) {
			c, _ := l.record(b, filepath.Join(b.TempDir(), "x.yaml"), slow)
			for n := 0; b.Loop(); n++ {
				l.call(b, c, n)
			}
		})
	}
}

// BenchmarkThousandTests opens, replays and closes a thousand cassettes of
// three calls each, and measures the share of reading YAML in that.
func BenchmarkThousandTests(b *testing.B) {
	for _, l := range libraries {
		b.Run("by="+l.name, func(b *testing.B) {
			path := l.recorded(b, 3)
			data, err := os.ReadFile(path)
			require.NoError(b, err)
			dir := b.TempDir()
			for n := range 1000 {
				require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", n)), data, 0o600))
			}
			var reading time.Duration
			for b.Loop() {
				for n := range 1000 {
					path := filepath.Join(dir, fmt.Sprintf("%d.yaml", n))
					start := time.Now()
					c := l.replay(b, path)
					reading += time.Since(start)
					for k := range 3 {
						l.call(b, c, k)
					}
				}
			}
			b.ReportMetric(100*reading.Seconds()/b.Elapsed().Seconds(), "%open")
		})
	}
}

// BenchmarkFirstByte is the time to the first event of a stream whose second
// one comes only when the first was read.
func BenchmarkFirstByte(b *testing.B) {
	more := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-more
		_, _ = io.WriteString(w, "data: 2\n\n")
	}))
	defer server.Close()
	c, err := Open(filepath.Join(b.TempDir(), "x.yaml"), Options{Mode: Record})
	require.NoError(b, err)
	for by, through := range map[string]http.RoundTripper{"bare": http.DefaultTransport, "cassettes": c} {
		b.Run("by="+by, func(b *testing.B) {
			for b.Loop() {
				resp, err := through.RoundTrip(request(b.Context(), server.URL, "{}"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := resp.Body.Read(make([]byte, 100)); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				more <- struct{}{}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				b.StartTimer()
			}
		})
	}
}
