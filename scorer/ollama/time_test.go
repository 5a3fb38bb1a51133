package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

// silent reads the call and says nothing.
func silent(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.ReadAll(r.Body)
	<-r.Context().Done()
}

// stalls says text, and then no more.
func stalls(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, text)
		_ = http.NewResponseController(w).Flush()
		silent(w, r)
	}
}

func TestTimeoutTellsHowFarTheAnswerCame(t *testing.T) {
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		is     error
	}{
		"no answer":            {silent, scorer.ErrUnreachable},
		"headers alone":        {stalls(""), scorer.ErrReplyCut},
		"inside the answer":    {stalls(fine[:60]), scorer.ErrReplyCut},
		"at the answer's end":  {stalls(fine), scorer.ErrReplyCut},
		"inside a stream":      {stalls(`{"message":{"content":"x"},"done":false}` + "\n"), scorer.ErrReplyCut},
		"an interim response":  {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(102); silent(w, r) }, scorer.ErrUnreachable},
		"headers without end":  {hangs("HTTP/1.1 200 OK\r\nContent-Type: app"), scorer.ErrUnreachable},
		"inside a chunk":       {hangs("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{\"a"), scorer.ErrReplyCut},
		"inside a gzip header": {hangs("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b"), scorer.ErrReplyCut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 200 * time.Millisecond
			reply, err := judgeOf(t, c.handle, Options{Timeout: limit}).Generate(t.Context(), prompt)
			require.ErrorIs(t, err, c.is)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.ErrorContains(t, err, "no answer within 200ms")
			assert.Zero(t, reply)
		})
	}
}

func TestTimeoutOfTheClientIsTheServersFault(t *testing.T) {
	for want, handle := range map[error]http.HandlerFunc{scorer.ErrUnreachable: silent, scorer.ErrReplyCut: stalls(fine[:60])} {
		j := judgeOf(t, handle, Options{})
		j.caller.Client.Timeout = 200 * time.Millisecond
		_, err := j.Generate(t.Context(), prompt)
		require.ErrorIs(t, err, want)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

func TestTimeThatEndsBetweenTriesKeepsTheFault(t *testing.T) {
	j := judgeOf(t, answers(503, `{"error":"server busy"}`), Options{Timeout: 100 * time.Millisecond})
	j.caller.Wait = wire.Wait
	_, err := j.Generate(t.Context(), prompt)
	require.ErrorIs(t, err, scorer.ErrUnreachable)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorContains(t, err, "server busy")
}

func TestCallersEndIsNoFaultOfTheJudge(t *testing.T) {
	why := errors.New("the user left")
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		end    func(context.Context) (context.Context, context.CancelFunc)
		is     []error
	}{
		"a cancelled call": {silent, context.WithCancel, []error{context.Canceled}},
		"a cancelled call, with a cause": {silent, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			return ctx, func() { cancel(why) }
		}, []error{context.Canceled, why}},
		"a cancelled answer":   {stalls(fine[:60]), context.WithCancel, []error{context.Canceled}},
		"a cancelled refusal":  {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(400); stalls("no")(w, r) }, context.WithCancel, []error{context.Canceled}},
		"the caller's own end": {silent, ended, []error{context.DeadlineExceeded}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := c.end(t.Context())
			defer cancel()
			j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
				time.AfterFunc(50*time.Millisecond, cancel)
				c.handle(w, r)
			}, Options{})
			_, err := j.Generate(ctx, prompt)
			for _, is := range c.is {
				require.ErrorIs(t, err, is)
			}
			for _, sentinel := range sentinels {
				assert.NotErrorIs(t, err, sentinel)
			}
		})
	}
}

// ended is a context whose deadline has passed.
func ended(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, -time.Second)
}

func TestCallThatEndsBetweenTriesIsTheCallers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j := judgeOf(t, answers(503, ""), Options{})
	j.caller.Wait = func(ctx context.Context, d time.Duration) error {
		cancel()
		return wire.Wait(ctx, d)
	}
	_, err := j.Generate(ctx, prompt)
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, scorer.ErrUnreachable)
}
