package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

// refusedError is a status other than 200 with what the server says to it.
type refusedError struct {
	status  int
	line    string // "429 Too Many Requests"
	message string
	param   string
	code    string
	after   time.Duration
}

func (e *refusedError) Error() string {
	if e.message == "" {
		return e.line
	}
	return e.line + ": " + e.message
}

// has reports whether the server's words hold one of these.
func (e *refusedError) has(words ...string) bool {
	said := strings.ToLower(e.param + " " + e.code + " " + e.message)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

func (j *Judge) refusal(resp *http.Response, said []byte) error {
	e := &refusedError{status: resp.StatusCode, line: wire.Excerpt(resp.Status)}
	e.read(said)
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = min(time.Duration(seconds), 3600) * time.Second
	}
	at := j.caller.URL
	switch {
	case e.has("context_length", "context length", "context window", "maximum context", "prompt is too long"), e.status == http.StatusRequestEntityTooLarge,
		e.has("context") && e.has("exceed", "too long"):
		return fmt.Errorf("openai: %w: %w: shorten output or context, or lower ContextTokens (now %d)", scorer.ErrPromptTooLong, e, j.options.ContextTokens)
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		return fmt.Errorf("openai: %w: %s refuses the key: %w: set OPENAI_API_KEY", scorer.ErrUnreachable, at, e)
	case e.has("model_not_found"), e.status == http.StatusNotFound && e.has("model"):
		return fmt.Errorf("openai: %w: %s has no model %q: name one that it has: %w", scorer.ErrModelNotFound, at, j.model, e)
	case e.status == http.StatusTooManyRequests:
		return fmt.Errorf("openai: %w: %s allows no more calls: %w: try again later, or with fewer at once", scorer.ErrUnreachable, at, e)
	case e.status >= 300 && e.status < 400:
		return fmt.Errorf("openai: %w: %s redirects to %q: %w: set OPENAI_BASE_URL to the server itself", scorer.ErrUnreachable, at, wire.Excerpt(resp.Header.Get("Location")), e)
	case e.status >= 500:
		return fmt.Errorf("openai: %w: %s fails: %w: see the server's log, or try again later", scorer.ErrUnreachable, at, e)
	case e.status == http.StatusNotFound || e.status == http.StatusMethodNotAllowed:
		return fmt.Errorf("openai: %w: nothing is at %s: %w: set OPENAI_BASE_URL, which ends in /v1 as a rule", scorer.ErrUnreachable, at, e)
	}
	return fmt.Errorf("openai: %w: %s refuses the call: %w", scorer.ErrUnreachable, at, e)
}

// read takes in the body, in OpenAI's form or in those of other servers.
func (e *refusedError) read(said []byte) {
	type details struct {
		Message string
		Code    any
		Param   any
	}
	var told struct {
		Error           json.RawMessage
		Message, Detail json.RawMessage
	}
	if json.Unmarshal(said, &told) != nil {
		e.message = wire.Excerpt(string(said))
		return
	}
	var d details
	if json.Unmarshal(told.Error, &d) == nil && d.Message != "" {
		e.message = wire.Excerpt(d.Message)
		e.code, _ = d.Code.(string)
		e.param, _ = d.Param.(string)
		return
	}
	for _, raw := range []json.RawMessage{told.Error, told.Message, told.Detail} {
		var text string
		switch {
		case raw == nil:
			continue
		case json.Unmarshal(raw, &text) != nil:
			text = string(raw)
		}
		e.message = wire.Excerpt(text)
		return
	}
	e.message = wire.Excerpt(string(said))
}

// passes: the server is busy, or one of its parts. A quota that is used up
// stays so.
func passes(err error) (time.Duration, bool) {
	var e *refusedError
	if !errors.As(err, &e) || !errors.Is(err, scorer.ErrUnreachable) {
		return 0, false
	}
	switch e.status {
	case http.StatusTooManyRequests:
		return e.after, !e.has("insufficient_quota")
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529:
		return e.after, true
	}
	return 0, false
}

// formatWords are how servers speak of a format that they do not take.
var formatWords = []string{"response_format", "json_schema", "json_object", "schema", "grammar", "structured output"}

// without leaves out of the question what the server has refused, and reports
// whether there was something to leave out.
func (q *question) without(e *refusedError) bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
	default:
		return false
	}
	for _, name := range []string{"max_completion_tokens", "max_tokens", "temperature", "seed", "logprobs"} {
		refused := e.param == name || e.param == "" && strings.Contains(e.message, name)
		if refused && q.sends(name) {
			q.dropped = append(q.dropped, name)
			return true
		}
	}
	if q.prompt.Schema == nil || q.format == Text || !e.has(formatWords...) {
		return false
	}
	if q.format == JSONSchema {
		q.format = JSONObject
	} else {
		q.format = Text
	}
	return true
}

// takes reports whether the server has not refused a parameter.
func (q question) takes(name string) bool { return !slices.Contains(q.dropped, name) }

// sends reports whether the question has a parameter.
func (q question) sends(name string) bool {
	switch {
	case name == "logprobs" && q.prompt.TopLogprobs == 0:
		return false
	case name == "max_completion_tokens" && q.takes("max_tokens"):
		return false
	}
	return q.takes(name)
}
