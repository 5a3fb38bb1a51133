package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

const startIt = "is Ollama running there? Start it with `ollama serve`, or set OLLAMA_HOST"

// passes: the server was busy.
func passes(err error) (time.Duration, bool) {
	var status api.StatusError
	return 0, errors.As(err, &status) && status.StatusCode == http.StatusServiceUnavailable && errors.Is(err, scorer.ErrUnreachable)
}

// statusError explains a response that is not 200.
func (j *Judge) statusError(resp *http.Response, said []byte) error {
	status := api.StatusError{StatusCode: resp.StatusCode, Status: wire.Excerpt(resp.Status)}
	var told struct {
		Error string `json:"error"`
	}
	fromOllama := json.Unmarshal(said, &told) == nil && told.Error != ""
	if status.ErrorMessage = wire.Excerpt(told.Error); !fromOllama {
		status.ErrorMessage = wire.Excerpt(string(said))
	}
	message := strings.ToLower(told.Error)
	switch {
	case fromOllama && resp.StatusCode == http.StatusNotFound && strings.Contains(message, "not found"):
		return fmt.Errorf("ollama: %w: %s has no model %q: fetch it with `ollama pull %s`, or name one that `ollama list` shows: %w", scorer.ErrModelNotFound, j.caller.URL, j.model, j.model, status)
	case fromOllama && tooLong(message):
		return fmt.Errorf("ollama: %w: %w: shorten output or context, or raise ContextTokens (now %d)", scorer.ErrPromptTooLong, status, j.options.ContextTokens)
	case resp.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("ollama: %w: %s stays busy: %w: try again when it has less to do", scorer.ErrUnreachable, j.caller.URL, status)
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("ollama: %w: %s redirects to %q: %w: set OLLAMA_HOST to the server itself", scorer.ErrUnreachable, j.caller.URL, wire.Excerpt(resp.Header.Get("Location")), status)
	case fromOllama && resp.StatusCode < 500:
		return fmt.Errorf("ollama: %w: %s refuses the call: %w", scorer.ErrUnreachable, j.caller.URL, status)
	case fromOllama:
		return fmt.Errorf("ollama: %w: %s fails: %w: see the server's log", scorer.ErrUnreachable, j.caller.URL, status)
	}
	return fmt.Errorf("ollama: %w: %s answers, but not as Ollama does: %w: is it another server's address? Set OLLAMA_HOST", scorer.ErrUnreachable, j.caller.URL, status)
}

// tooLong knows Ollama's ways to say that the prompt does not fit. A "context
// deadline exceeded" is a server's own time limit.
func tooLong(message string) bool {
	return strings.Contains(message, "context") && !strings.Contains(message, "deadline") &&
		(strings.Contains(message, "exceed") || strings.Contains(message, "too long"))
}
