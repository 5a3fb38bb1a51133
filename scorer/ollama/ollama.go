// Package ollama is a judge on an Ollama server, through its native API.
//
// It makes one call a prompt, POST /api/chat, with everything pinned that a
// server could choose otherwise: temperature, seed, window, length. A prompt
// that the server would have to cut is refused, and a reply counts only when
// the server says that it is done.
package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/envconfig"

	"github.com/evaltest/go-evaltest/scorer"
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
	client  *http.Client
	model   string
	options Options
	chat    string                                     // the URL of /api/chat
	wait    func(context.Context, time.Duration) error // between retries
}

// New makes a Judge that calls model through client; a nil client stands for
// http.DefaultClient. It makes no call.
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
	if client == nil {
		client = http.DefaultClient
	}
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Judge{client: &direct, model: model, options: o, chat: dialled(o.Host).JoinPath("api", "chat").String(), wait: wait}, nil
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
		return scorer.Reply{}, unsent(err)
	}
	reply, err := j.persist(ctx, body)
	if err != nil {
		return scorer.Reply{}, err
	}
	if n := reply.Usage.PromptTokens; n >= j.options.ContextTokens {
		return scorer.Reply{}, fmt.Errorf("ollama: %w: the server read %d tokens, all of the window: it may have cut the prompt; raise ContextTokens (now %d)", scorer.ErrPromptTooLong, n, j.options.ContextTokens)
	}
	return reply, nil
}

// persist makes the call, again after what may pass, within the time limit.
func (j *Judge) persist(caller context.Context, body []byte) (scorer.Reply, error) {
	const tries = 4
	ctx, cancel := context.WithTimeoutCause(caller, j.options.Timeout, fmt.Errorf("no answer within %s: %w", j.options.Timeout, context.DeadlineExceeded))
	defer cancel()
	for try := 1; ; try++ {
		reply, err := j.call(ctx, body)
		if err == nil {
			return reply, nil
		}
		if ended := j.cancelled(caller); ended != nil {
			return scorer.Reply{}, ended
		}
		if try == tries || ctx.Err() != nil || !passing(err) {
			return scorer.Reply{}, err
		}
		if j.wait(ctx, time.Second<<(try-1)) == nil {
			continue
		}
		if ended := j.cancelled(caller); ended != nil {
			return scorer.Reply{}, ended
		}
		return scorer.Reply{}, fmt.Errorf("%w; %w", err, context.Cause(ctx))
	}
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

// call makes the call once and reads the answer.
func (j *Judge) call(ctx context.Context, body []byte) (scorer.Reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, j.chat, bytes.NewReader(body))
	if err != nil {
		return scorer.Reply{}, unsent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := j.client.Do(req)
	if err != nil {
		return scorer.Reply{}, j.transportError(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return scorer.Reply{}, j.statusError(resp, said(resp))
	}
	if err := checkType(resp.Header); err != nil {
		return scorer.Reply{}, j.answerError(ctx, err)
	}
	reply, err := read(resp.Body)
	if err != nil {
		return scorer.Reply{}, j.answerError(ctx, err)
	}
	return reply, nil
}

// said is what a server says to a status other than 200. What follows a 101
// is no body: reading it would not end with the context.
func said(resp *http.Response) []byte {
	if resp.StatusCode < 200 {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return text
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
