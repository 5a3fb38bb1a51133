package scorer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/ollama"
)

// kilobyte is an item of 1 kB whose output its context has.
func kilobyte(number int) scorer.Item {
	fact := fmt.Sprintf("Order %d was shipped in May.", number)
	run := scorer.TextRun("", fact)
	run.Context = []string{fact + strings.Repeat(" The shop is open from nine to five.", 27)}
	return scorer.Item{ID: fmt.Sprint(number), Run: run}
}

func kilobytes(n int) func(func(scorer.Item, error) bool) {
	return func(yield func(scorer.Item, error) bool) {
		for i := 0; i < n && yield(kilobyte(i), nil); i++ {
		}
	}
}

// A million items of 1 kB, or b.N where that is set: peak-MB is the most of
// memory that the process had from the system while it ran.
//
//	go test -run '^$' -bench EvalsMemory -benchtime 1000000x ./scorer
func BenchmarkEvalsMemory(b *testing.B) {
	var peak uint64
	seen := 0
	s := scorer.NewHallucination(letter{}, scorer.HallucinationOptions{Claims: scorer.PerSentence})
	b.ResetTimer()
	sum, err := scorer.RunEvals(b.Context(), scorer.Evals{
		Data: kilobytes(b.N), Scorers: []scorer.Scorer{s}, Concurrency: 8,
		OnItemComplete: func(scorer.ItemResult) error {
			if seen++; seen%1000 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.Sys)
			}
			return nil
		},
	})
	if err != nil || sum.Items != b.N || sum.Errors > 0 {
		b.Fatalf("%v: %+v", err, sum)
	}
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// A server that takes 50 ms a call, and 100 workers: busy-% is how much of
// their time calls were being answered. One call an item shows what RunEvals
// and the judge on Ollama leave of it, the scorer of hallucinations what its
// own work on an item of 1 kB does: server, judge and scorer share the cores.
func BenchmarkEvalsBusy(b *testing.B) {
	const workers, latency = 100, 50 * time.Millisecond
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var req api.ChatRequest
		_ = json.NewDecoder(r.Body).Decode(&req)
		timer := time.NewTimer(latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
		reply, _ := letter{}.Generate(r.Context(), scorer.Prompt{User: req.Messages[len(req.Messages)-1].Content})
		_ = json.NewEncoder(w).Encode(api.ChatResponse{Message: api.Message{Content: reply.Text}, Done: true, DoneReason: "stop"})
	}))
	defer server.Close()
	host, _ := url.Parse(server.URL)
	judge, err := ollama.New(nil, "fake", ollama.Options{Host: host})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("one call", func(b *testing.B) {
		busy(b, &calls, latency, workers, scorer.Func("call", func(ctx context.Context, run scorer.Run) (*scorer.Result, error) {
			_, err := judge.Generate(ctx, scorer.Prompt{User: run.Output[0].Text})
			return &scorer.Result{}, err
		}))
	})
	b.Run("hallucination", func(b *testing.B) {
		busy(b, &calls, latency, workers, scorer.NewHallucination(judge, scorer.HallucinationOptions{Claims: scorer.PerSentence}))
	})
}

func busy(b *testing.B, calls *atomic.Int64, latency time.Duration, workers int, s scorer.Scorer) {
	b.Helper()
	calls.Store(0)
	n := max(b.N, 5*workers)
	b.ResetTimer()
	sum, err := scorer.RunEvals(context.Background(), scorer.Evals{Data: kilobytes(n), Scorers: []scorer.Scorer{s}, Concurrency: workers})
	if err != nil || sum.Errors > 0 {
		b.Fatalf("%v: %+v", err, sum)
	}
	b.ReportMetric(100*float64(calls.Load())*latency.Seconds()/(float64(workers)*b.Elapsed().Seconds()), "busy-%")
}
