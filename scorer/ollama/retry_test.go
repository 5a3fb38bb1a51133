package ollama

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/cassettes"
	"github.com/evaltest/go-evaltest/scorer"
)

// transient are the faults that may be gone a moment later.
var transient = map[string]http.HandlerFunc{
	"busy":                       answers(503, `{"error":"server busy"}`),
	"busy, and cut":              speaks("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nserver"),
	"reset before the answer":    func(w http.ResponseWriter, _ *http.Request) { reset(w) },
	"hung up before the answer":  speaks(""),
	"hung up inside the headers": speaks("HTTP/1.1 200 OK\r\nContent-Type: app"),
	"hung up inside the answer":  speaks("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + fine),
	"hung up inside a chunk":     speaks("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n" + fine[:20]),
	"hung up before the trailer": speaks(fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n", len(fine), fine)),
	"hung up inside gzip":        speaks("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n" + zipped(fine)[:30]),
	"reset inside the answer": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(fine)))
		fmt.Fprint(w, fine[:60])
		_ = http.NewResponseController(w).Flush()
		reset(w)
	},
}

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for name, fault := range transient {
		t.Run(name, func(t *testing.T) {
			for faults := 1; faults <= 4; faults++ {
				var calls atomic.Int32 // a connection that is reset does not wait for its handler
				j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
					if int(calls.Add(1)) <= faults {
						fault(w, r)
						return
					}
					fmt.Fprint(w, fine)
				}, Options{})
				reply, err := j.Generate(t.Context(), prompt)
				if faults < 4 {
					require.NoError(t, err)
					assert.Equal(t, fineReply, reply)
					continue
				}
				assert.True(t, isSentinel(err), "%v", err)
				assert.EqualValues(t, 4, calls.Load())
			}
		})
	}
}

func TestTriedAgainLeavesNoTraceInARecording(t *testing.T) {
	for name, fault := range transient {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int32
			j := judgeOf(t, func(w http.ResponseWriter, r *http.Request) {
				if calls.Add(1) < 3 {
					fault(w, r)
					return
				}
				fmt.Fprint(w, fine)
			}, Options{})
			path := filepath.Join(t.TempDir(), "x.yaml")
			live := j.caller.Client.Transport
			for _, mode := range []cassettes.Mode{cassettes.Record, cassettes.Replay} {
				c, err := cassettes.Open(path, cassettes.Options{Mode: mode, Transport: live})
				require.NoError(t, err)
				j.caller.Client.Transport = c
				reply, err := j.Generate(t.Context(), prompt)
				require.NoError(t, err)
				assert.Equal(t, fineReply, reply)
				if mode == cassettes.Replay {
					_, err = j.Generate(t.Context(), prompt)
					require.ErrorAs(t, err, new(*cassettes.MissError), "one call is recorded")
					assert.False(t, isSentinel(err), "a call that is not recorded is no fault of the server: %v", err)
				}
				require.NoError(t, c.Close(true))
			}
			assert.EqualValues(t, 3, calls.Load())
		})
	}
}

func TestWhatWillNotPassIsNotTriedAgain(t *testing.T) {
	for name, fault := range map[string]http.HandlerFunc{
		"400": answers(400, `{"error":"bad"}`), "401": answers(401, ""), "403": answers(403, ""), "404": answers(404, ""),
		"408": answers(408, ""), "429": answers(429, `{"error":"slow down"}`),
		"500": answers(500, `{"error":"EOF"}`), "501": answers(501, ""), "502": answers(502, ""), "504": answers(504, ""),
		"too long a prompt, though busy": answers(503, `{"error":"input exceeds the context length"}`),
		"500, and cut":                   speaks("HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nno"),
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/api/chat", http.StatusTemporaryRedirect)
		},
		"no HTTP":                    speaks("SSH-2.0-OpenSSH\r\n"),
		"another type":               answers(200, "<html></html>"),
		"a whole answer that is cut": answers(200, fine[:60]),
		"never done":                 answers(200, `{"message":{"content":"x"},"done":false}`),
		"an error":                   answers(200, `{"error":"EOF"}`),
		"a bad chunk":                speaks("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int32
			_, err := judgeOf(t, func(w http.ResponseWriter, r *http.Request) { calls.Add(1); fault(w, r) }, Options{}).Generate(t.Context(), prompt)
			assert.True(t, isSentinel(err), "%v", err)
			assert.EqualValues(t, 1, calls.Load())
		})
	}
}

func TestAnErrorThatQuotesTheNetworkIsNotTheNetworks(t *testing.T) {
	said := fmt.Errorf("cassettes: call 1 is not in the recording: the prompt says %q", "tls: net/http: http: unexpected EOF")
	j, err := New(&http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, said })}, "m", Options{})
	require.NoError(t, err)
	_, err = j.Generate(t.Context(), prompt)
	require.ErrorIs(t, err, said)
	assert.NotErrorIs(t, err, scorer.ErrUnreachable)
}
