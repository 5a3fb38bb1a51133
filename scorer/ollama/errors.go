package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
)

const startIt = "is Ollama running there? Start it with `ollama serve`, or set OLLAMA_HOST"

// cancelled is the error of a call that its caller ended; nil where none did.
func (j *Judge) cancelled(caller context.Context) error {
	err, cause := caller.Err(), context.Cause(caller)
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, err):
		return fmt.Errorf("ollama: %s: %w", j.chat, cause)
	}
	return fmt.Errorf("ollama: %s: %w: %w", j.chat, err, cause)
}

// transportError explains a call that got no response. An error that is not
// the network's, such as a call that a recording lacks, is passed on as it is.
func (j *Judge) transportError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ollama: %w: %s: %w: is it busy, or the model still loading? Raise Timeout", scorer.ErrUnreachable, j.chat, context.Cause(ctx))
	case ofNetwork(err):
		return fmt.Errorf("ollama: %w: %w: %s", scorer.ErrUnreachable, err, startIt)
	}
	return fmt.Errorf("ollama: %w", err)
}

// answerError explains an answer that could not be read to its end, or not be
// understood.
func (j *Judge) answerError(ctx context.Context, err error) error {
	var fault faultError
	switch {
	case !errors.As(err, &fault):
		return fmt.Errorf("ollama: %s: %w", j.chat, err)
	case ctx.Err() != nil:
		return fmt.Errorf("ollama: %s: %w: it stalled: %w", j.chat, scorer.ErrReplyCut, context.Cause(ctx))
	case ofNetwork(fault.error):
		return fmt.Errorf("ollama: %s: %w: %w", j.chat, scorer.ErrReplyCut, fault)
	}
	return fmt.Errorf("ollama: %s: %w: the answer cannot be read: %w", j.chat, scorer.ErrBadReply, fault)
}

// passing reports whether an error may be gone a moment later: the server was
// busy, or the connection was reset or hung up.
func passing(err error) bool {
	var status api.StatusError
	if errors.As(err, &status) {
		return status.StatusCode == http.StatusServiceUnavailable && errors.Is(err, scorer.ErrUnreachable)
	}
	for _, hungUp := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, wsaReset, wsaAborted} {
		if errors.Is(err, hungUp) {
			return true
		}
	}
	return saidByHTTP(err, hangsUp...)
}

// hangsUp is how net/http says that a server did, where it wraps no error.
var hangsUp = []string{"http: server closed idle connection", "http: unexpected EOF"}

// What Windows says of a connection that was reset.
const (
	wsaReset   = syscall.Errno(10054)
	wsaAborted = syscall.Errno(10053)
)

func ofNetwork(err error) bool {
	var netError *net.OpError
	var dns *net.DNSError
	var errno syscall.Errno
	var timeout interface{ Timeout() bool }
	return errors.As(err, &netError) || errors.As(err, &dns) || errors.As(err, &errno) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &timeout) && timeout.Timeout() || saidByHTTP(err, hangsUp...) ||
		saidByHTTP(err, "net/http: ", "http: server gave", "http: no Host", "http2: ", "tls: ", "x509: ", "malformed HTTP", "unsupported protocol scheme", "failed to parse Location header")
}

// saidByHTTP knows the failures that net/http reports as bare text: a server
// that speaks another protocol, or that hangs up. Only what an error begins
// with counts: a transport's own error may quote anything.
func saidByHTTP(err error, texts ...string) bool {
	for _, text := range texts {
		if strings.HasPrefix(err.Error(), text) {
			return true
		}
	}
	switch err := err.(type) { //nolint:errorlint // every error of the chain is looked at
	case interface{ Unwrap() error }:
		return err.Unwrap() != nil && saidByHTTP(err.Unwrap(), texts...)
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			if saidByHTTP(e, texts...) {
				return true
			}
		}
	}
	return false
}

// statusError explains a response that is not 200.
func (j *Judge) statusError(resp *http.Response, said []byte) error {
	status := api.StatusError{StatusCode: resp.StatusCode, Status: excerpt(resp.Status)}
	var told struct {
		Error string `json:"error"`
	}
	fromOllama := json.Unmarshal(said, &told) == nil && told.Error != ""
	if status.ErrorMessage = excerpt(told.Error); !fromOllama {
		status.ErrorMessage = excerpt(string(said))
	}
	message := strings.ToLower(told.Error)
	switch {
	case fromOllama && resp.StatusCode == http.StatusNotFound && strings.Contains(message, "not found"):
		return fmt.Errorf("ollama: %w: %s has no model %q: fetch it with `ollama pull %s`, or name one that `ollama list` shows: %w", scorer.ErrModelNotFound, j.chat, j.model, j.model, status)
	case fromOllama && tooLong(message):
		return fmt.Errorf("ollama: %w: %w: shorten output or context, or raise ContextTokens (now %d)", scorer.ErrPromptTooLong, status, j.options.ContextTokens)
	case resp.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("ollama: %w: %s stays busy: %w: try again when it has less to do", scorer.ErrUnreachable, j.chat, status)
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("ollama: %w: %s redirects to %q: %w: set OLLAMA_HOST to the server itself", scorer.ErrUnreachable, j.chat, excerpt(resp.Header.Get("Location")), status)
	case fromOllama && resp.StatusCode < 500:
		return fmt.Errorf("ollama: %w: %s refuses the call: %w", scorer.ErrUnreachable, j.chat, status)
	case fromOllama:
		return fmt.Errorf("ollama: %w: %s fails: %w: see the server's log", scorer.ErrUnreachable, j.chat, status)
	}
	return fmt.Errorf("ollama: %w: %s answers, but not as Ollama does: %w: is it another server's address? Set OLLAMA_HOST", scorer.ErrUnreachable, j.chat, status)
}

// tooLong knows Ollama's ways to say that the prompt does not fit. A "context
// deadline exceeded" is a server's own time limit.
func tooLong(message string) bool {
	return strings.Contains(message, "context") && !strings.Contains(message, "deadline") &&
		(strings.Contains(message, "exceed") || strings.Contains(message, "too long"))
}

// excerpt is the start of what a server says, on one line.
func excerpt(said string) string {
	const most = 300
	if len(said) > most {
		said = strings.ToValidUTF8(said[:most], "") + "…"
	}
	return strings.Join(strings.Fields(said), " ")
}

// unsent explains a call that could not even be put together.
func unsent(err error) error {
	var bad *url.Error
	if errors.As(err, &bad) {
		return fmt.Errorf("ollama: %w: %w: set OLLAMA_HOST", scorer.ErrUnreachable, err)
	}
	return fmt.Errorf("ollama: %w: the call cannot be written: %w", scorer.ErrUnreachable, err)
}
