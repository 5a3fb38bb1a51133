package evaltest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/stretchr/testify/require"
)

// fakeT is a test that keeps what it is told. FailNow does not end it.
type fakeT struct {
	name     string
	errors   []string
	logs     []string
	ended    bool
	cleanups []func()
}

func (f *fakeT) Helper()      {}
func (f *fakeT) Name() string { return f.name }
func (f *fakeT) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}
func (f *fakeT) FailNow()     { f.ended = true }
func (f *fakeT) Failed() bool { return len(f.errors) > 0 }
func (f *fakeT) Logf(format string, args ...any) {
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}
func (f *fakeT) Cleanup(c func())         { f.cleanups = append(f.cleanups, c) }
func (f *fakeT) Context() context.Context { return context.Background() }

// end runs the cleanups, the last first, as the testing package does.
func (f *fakeT) end() {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
	f.cleanups = nil
}

// message is what testify's report has under Error.
func (f *fakeT) message(t *testing.T) string {
	t.Helper()
	require.Len(t, f.errors, 1, "one failure")
	_, text, found := strings.Cut(f.errors[0], "Error:      \t")
	require.True(t, found, "%q", f.errors[0])
	text, _, _ = strings.Cut(text, "\n\tTest:")
	return strings.ReplaceAll(text, "\n\t            \t", "\n")
}

// pinned keeps a reader's own environment out, and gives a directory for
// cassettes.
func pinned(t *testing.T) (dir string) {
	t.Helper()
	t.Setenv("EVALTEST_MODE", "")
	t.Setenv("EVALTEST_MODEL", "")
	t.Setenv("CI", "")
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	return t.TempDir()
}

var listed = regexp.MustCompile(`(?m)^(sentence|claim) (\d+): (.*)$`)

// fakeOllama answers /api/chat as a judge would that goes by the letter: a
// claim is supported where the context has it word for word. It counts calls.
func fakeOllama(t *testing.T) *atomic.Int32 {
	t.Helper()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		body, _ := io.ReadAll(r.Body)
		var req api.ChatRequest
		if err := json.Unmarshal(body, &req); err != nil || r.URL.Path != "/api/chat" {
			http.Error(w, `{"error":"bad request"}`, http.StatusBadRequest)
			return
		}
		if req.Model == "absent" {
			http.Error(w, `{"error":"model 'absent' not found"}`, http.StatusNotFound)
			return
		}
		text := letter(req.Messages[len(req.Messages)-1].Content)
		_ = json.NewEncoder(w).Encode(api.ChatResponse{Model: req.Model, Message: api.Message{Role: "assistant", Content: text}, Done: true, DoneReason: "stop"})
	}))
	t.Cleanup(server.Close)
	t.Setenv("OLLAMA_HOST", server.URL)
	return &calls
}

func letter(user string) string {
	texts, _, _ := strings.Cut(user, "Check these claims")
	var claims, verdicts []map[string]any
	for _, m := range listed.FindAllStringSubmatch(user, -1) {
		n, _ := strconv.Atoi(m[2])
		claims = append(claims, map[string]any{"sentence": n, "claim": m[3]})
		v := map[string]any{"claim": n, "evidence": []string{}, "reason": "the context does not say so", "verdict": "unsupported"}
		if strings.Contains(texts, m[3]) {
			v = map[string]any{"claim": n, "evidence": []string{m[3]}, "reason": "", "verdict": "supported"}
		}
		verdicts = append(verdicts, v)
	}
	reply := map[string]any{"verdicts": verdicts}
	if strings.Contains(user, "List the claims") {
		reply = map[string]any{"claims": claims, "no_claim": []int{}}
	}
	data, _ := json.Marshal(reply)
	return string(data)
}
