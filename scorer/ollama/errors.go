package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
)

const startIt = "is Ollama running there? Start it with `ollama serve`, or set OLLAMA_HOST"

// transportError explains a call that got no response. An error that is not
// the network's, such as a call that a recording lacks, is passed on as it is.
func (j *Judge) transportError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ollama: %s: %w", j.chat, context.Cause(ctx))
	case ofNetwork(err):
		return fmt.Errorf("ollama: %w: %w: %s", scorer.ErrUnreachable, err, startIt)
	}
	return fmt.Errorf("ollama: %w", err)
}

// answerError explains an answer that could not be read to its end.
func (j *Judge) answerError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ollama: %s: %w", j.chat, context.Cause(ctx))
	case ofNetwork(err):
		return fmt.Errorf("ollama: %s: %w: %w", j.chat, scorer.ErrReplyCut, err)
	}
	return fmt.Errorf("ollama: %s: %w", j.chat, err)
}

func ofNetwork(err error) bool {
	var netError *net.OpError
	var dns *net.DNSError
	var errno syscall.Errno
	var timeout interface{ Timeout() bool }
	return errors.As(err, &netError) || errors.As(err, &dns) || errors.As(err, &errno) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &timeout) && timeout.Timeout() || saidByHTTP(err)
}

// saidByHTTP knows the failures that net/http reports as bare text: a server
// that speaks another protocol, or that hangs up.
func saidByHTTP(err error) bool {
	for _, text := range []string{"malformed HTTP", "http: server gave HTTP response to HTTPS client", "tls: ", "x509: ", "transport connection broken", "server closed idle connection", "unsupported protocol scheme"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// statusError explains a response that is not 200.
func (j *Judge) statusError(resp *http.Response, said []byte) error {
	status := api.StatusError{StatusCode: resp.StatusCode, Status: resp.Status}
	fromOllama := json.Unmarshal(said, &status) == nil && status.ErrorMessage != ""
	message := strings.ToLower(status.ErrorMessage)
	switch {
	case fromOllama && resp.StatusCode == http.StatusNotFound && strings.Contains(message, "not found"):
		return fmt.Errorf("ollama: %w: %s has no model %q: fetch it with `ollama pull %s`, or name one that `ollama list` shows: %w", scorer.ErrModelNotFound, j.chat, j.model, j.model, status)
	case fromOllama && strings.Contains(message, "context") && (strings.Contains(message, "exceed") || strings.Contains(message, "too long")):
		return fmt.Errorf("ollama: %w: %w: shorten output or context, or raise ContextTokens (now %d)", scorer.ErrPromptTooLong, status, j.options.ContextTokens)
	case resp.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("ollama: %w: %s stays busy: %w: try again when it has less to do", scorer.ErrUnreachable, j.chat, status)
	case fromOllama && resp.StatusCode < 500:
		return fmt.Errorf("ollama: %s refuses the call: %w", j.chat, status)
	case fromOllama:
		return fmt.Errorf("ollama: %w: %s fails: %w: see the server's log", scorer.ErrUnreachable, j.chat, status)
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("ollama: %w: %s redirects to %q: set OLLAMA_HOST to the server itself", scorer.ErrUnreachable, j.chat, resp.Header.Get("Location"))
	}
	return fmt.Errorf("ollama: %w: %s answers, but not as Ollama does: %w: is it another server's address? Set OLLAMA_HOST", scorer.ErrUnreachable, j.chat, status)
}
