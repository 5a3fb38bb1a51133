// Package ollama is a judge on an Ollama server, through its native API.
//
// It makes one call a prompt, POST /api/chat, with everything pinned that a
// server could choose otherwise: temperature, seed, window, length. A prompt
// that the server would have to cut is refused, and a reply counts only when
// the server says that it is done.
package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/envconfig"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

const (
	defaultContextTokens = 8192
	defaultMaxTokens     = 1024
	defaultTimeout       = 5 * time.Minute
)

// Options sets up a Judge. The zero value is the server that OLLAMA_HOST
// names, or Ollama's own default, with a window of 8192 tokens.
type Options struct {
	// Host is the server; nil stands for OLLAMA_HOST, read by Ollama's rules.
	Host *url.URL
	// ContextTokens is the window that prompt and reply share, in tokens;
	// 0 means 8192. Another size makes the server load the model anew.
	ContextTokens int
	// Timeout bounds a call, its retries included; 0 means 5 minutes.
	Timeout time.Duration
}

// Judge is a scorer.Judge on one model of an Ollama server.
type Judge struct {
	model   string
	options Options
	caller  *wire.Caller // of /api/chat
}

// New makes a Judge that calls model through client; a nil client stands for
// http.DefaultClient, but that it keeps a connection for each call of a large
// batch. It makes no call.
func New(client *http.Client, model string, o Options) (*Judge, error) {
	if strings.TrimSpace(model) == "" {
		return nil, errors.New("ollama: no model is named: give one that `ollama list` shows, such as llama3.2")
	}
	if o.ContextTokens < 0 || o.Timeout < 0 {
		return nil, fmt.Errorf("ollama: ContextTokens %d and Timeout %s must not be negative", o.ContextTokens, o.Timeout)
	}
	if o.ContextTokens == 0 {
		o.ContextTokens = defaultContextTokens
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Host == nil {
		o.Host = envconfig.Host()
	}
	j := &Judge{model: model, options: o}
	j.caller = &wire.Caller{
		Of: "ollama", Kind: "an Ollama server", Client: wire.Direct(client), URL: dialled(o.Host).JoinPath("api", "chat").String(), Timeout: o.Timeout,
		Start: startIt, Address: "set OLLAMA_HOST", Refused: j.statusError, Passes: passes, Read: read, Wait: wire.Wait,
	}
	return j, nil
}

// dialled turns the address that a server listens on, 0.0.0.0 or [::], into
// one that a client can reach it at.
func dialled(host *url.URL) *url.URL {
	u := *host
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		loopback := "127.0.0.1"
		if ip.To4() == nil {
			loopback = "::1"
		}
		u.Host = net.JoinHostPort(loopback, u.Port())
		if u.Port() == "" {
			u.Host = strings.TrimSuffix(u.Host, ":")
		}
	}
	return &u
}

// Model is the model's name.
func (j *Judge) Model() string { return j.model }

// ContextTokens is the window, in tokens, that every call asks for.
func (j *Judge) ContextTokens() int { return j.options.ContextTokens }

// Generate sends one prompt, again while the server is busy or hangs up. Its
// errors wrap scorer.ErrUnreachable (no answer came, the call was refused or
// Timeout has passed), ErrModelNotFound, ErrPromptTooLong, ErrReplyCut or
// ErrBadReply, but for two: that of a ctx that has ended, and what the
// client's transport returned that is not the network's.
func (j *Judge) Generate(ctx context.Context, p scorer.Prompt) (scorer.Reply, error) {
	if err := j.fits(p); err != nil {
		return scorer.Reply{}, err
	}
	body, err := json.Marshal(j.request(p))
	if err != nil {
		return scorer.Reply{}, j.caller.Unsent(err)
	}
	reply, err := j.caller.Call(ctx, body)
	if err != nil {
		return scorer.Reply{}, err
	}
	if n := reply.Usage.PromptTokens; n >= j.options.ContextTokens {
		return scorer.Reply{}, fmt.Errorf("ollama: %w: the server read %d tokens, all of the window: it may have cut the prompt; raise ContextTokens (now %d)", scorer.ErrPromptTooLong, n, j.options.ContextTokens)
	}
	return reply, nil
}

// fits refuses a prompt that cannot fit the window, even at six bytes a
// token. What is closer to the limit is left to the server, which counts.
func (j *Judge) fits(p scorer.Prompt) error {
	if least := (len(p.System) + len(p.User)) / 6; least >= j.options.ContextTokens {
		return fmt.Errorf("ollama: %w: it has at least %d tokens, the window %d: shorten output or context, or raise ContextTokens", scorer.ErrPromptTooLong, least, j.options.ContextTokens)
	}
	return nil
}

// request is the call's body. Equal prompts give equal bytes: a recording is
// looked up by them.
func (j *Judge) request(p scorer.Prompt) *api.ChatRequest {
	no := false
	most := p.MaxTokens
	if most == 0 {
		most = defaultMaxTokens
	}
	var messages []api.Message
	if p.System != "" {
		messages = append(messages, api.Message{Role: "system", Content: p.System})
	}
	return &api.ChatRequest{
		Model:    j.model,
		Messages: append(messages, api.Message{Role: "user", Content: p.User}),
		Stream:   &no,
		Format:   p.Schema,
		Options: map[string]any{
			"temperature": p.Temperature,
			"seed":        p.Seed,
			"num_ctx":     j.options.ContextTokens,
			"num_predict": most,
		},
		Truncate:    &no,
		Shift:       &no,
		Logprobs:    p.TopLogprobs > 0,
		TopLogprobs: p.TopLogprobs,
	}
}
