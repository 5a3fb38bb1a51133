// Package openai is a judge on any server that speaks OpenAI's chat
// completions: OpenAI itself, vLLM, llama.cpp, LM Studio, a gateway.
//
// It makes one call a prompt, POST /chat/completions, and pins temperature,
// seed and length. Where a server refuses a parameter, such as a JSON schema,
// the prompt is sent again without it; what the server then says is checked all
// the same. A local Ollama is better asked through package ollama: this API
// cannot set its window, and it cuts a longer prompt without a word.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

const (
	defaultBaseURL       = "https://api.openai.com/v1"
	defaultContextTokens = 32768
	defaultMaxTokens     = 1024
	defaultTimeout       = 5 * time.Minute
)

// Format says how a server is asked for JSON.
type Format string

// The formats, each the fallback of the one before it.
const (
	// JSONSchema sends the schema, as response_format json_schema.
	JSONSchema Format = ""
	// JSONObject asks for any JSON object, and puts the schema into the prompt.
	JSONObject Format = "json_object"
	// Text only puts the schema into the prompt.
	Text Format = "text"
)

// Options sets up a Judge. The zero value is the server that OPENAI_BASE_URL
// names, or OpenAI's own, with the key in OPENAI_API_KEY.
type Options struct {
	// BaseURL is the server's address up to the version: "http://host:8000/v1".
	// Empty stands for OPENAI_BASE_URL, and without that OpenAI's own.
	BaseURL string
	// Key is sent as a bearer token. Empty stands for OPENAI_API_KEY; a server
	// of your own may need none.
	Key string
	// Header is sent too, for a gateway that wants more than a key.
	Header http.Header
	// ContextTokens is the window that scorers fit their prompts to, in tokens;
	// 0 means 32768. The API cannot set a server's: give what the model has.
	ContextTokens int
	// Timeout bounds a call, its retries included; 0 means 5 minutes.
	Timeout time.Duration
	// Format is the first to be tried. Name what the server takes, to save the
	// call that it refuses.
	Format Format
}

// Judge is a scorer.Judge on one model of a server.
type Judge struct {
	model   string
	options Options
	caller  *wire.Caller
}

// New makes a Judge that calls model through client; a nil client stands for
// http.DefaultClient, but that it keeps a connection for each call of a large
// batch. It makes no call.
func New(client *http.Client, model string, o Options) (*Judge, error) {
	if strings.TrimSpace(model) == "" {
		return nil, errors.New("openai: no model is named: give one that the server has, such as gpt-4o-mini")
	}
	if o.ContextTokens < 0 || o.Timeout < 0 {
		return nil, fmt.Errorf("openai: ContextTokens %d and Timeout %s must not be negative", o.ContextTokens, o.Timeout)
	}
	if o.Format != JSONSchema && o.Format != JSONObject && o.Format != Text {
		return nil, fmt.Errorf("openai: Format is %q: give JSONSchema, JSONObject or Text", o.Format)
	}
	if o.BaseURL == "" {
		o.BaseURL = cmp.Or(os.Getenv("OPENAI_BASE_URL"), defaultBaseURL)
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("openai: the base URL is %q: give one such as http://host:8000/v1, by Options.BaseURL or OPENAI_BASE_URL", o.BaseURL)
	}
	o.ContextTokens = cmp.Or(o.ContextTokens, defaultContextTokens)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	header := o.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if key := cmp.Or(o.Key, os.Getenv("OPENAI_API_KEY")); key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	j := &Judge{model: model, options: o}
	j.caller = &wire.Caller{
		Of: "openai", Kind: "an OpenAI-compatible server", Client: wire.Direct(client), URL: base.JoinPath("chat", "completions").String(),
		Header: header, Timeout: o.Timeout, Start: "is the server running there? Set OPENAI_BASE_URL", Address: "set OPENAI_BASE_URL",
		Refused: j.refusal, Passes: passes, Read: read, Wait: wire.Wait,
	}
	return j, nil
}

// Model is the model's name.
func (j *Judge) Model() string { return j.model }

// ContextTokens is the window, in tokens, that prompts are fitted to.
func (j *Judge) ContextTokens() int { return j.options.ContextTokens }

// Generate sends one prompt, again while the server is busy or hangs up, and
// without a parameter that it refuses. Its errors wrap scorer.ErrUnreachable
// (no answer came, the key or the call was refused, or Timeout has passed),
// ErrModelNotFound, ErrPromptTooLong, ErrReplyCut or ErrBadReply, but for two:
// that of a ctx that has ended, and what the client's transport returned that
// is not the network's.
func (j *Judge) Generate(ctx context.Context, p scorer.Prompt) (scorer.Reply, error) {
	size := len(p.System) + len(p.User)
	if least := size / 6; least >= j.options.ContextTokens {
		return scorer.Reply{}, fmt.Errorf("openai: %w: it has at least %d tokens, the window %d: shorten output or context, or raise ContextTokens", scorer.ErrPromptTooLong, least, j.options.ContextTokens)
	}
	ask := question{model: j.model, prompt: p, format: j.options.Format}
	for {
		body, err := ask.body()
		if err != nil {
			return scorer.Reply{}, j.caller.Unsent(err)
		}
		reply, err := j.caller.Call(ctx, body)
		var refused *refusedError
		switch {
		case err == nil:
			return reply, j.readWhole(size, reply.Usage.PromptTokens)
		case !errors.As(err, &refused) || !ask.without(refused):
			return scorer.Reply{}, err
		}
	}
}

// readWhole reports a prompt that the server cannot have read to its end: it
// counts as many tokens as the window has, or fewer than any text of that size
// has.
func (j *Judge) readWhole(bytes, tokens int) error {
	const short, mostBytes = 8 << 10, 8 // a token of prose has four or five bytes
	switch {
	case tokens >= j.options.ContextTokens:
		return fmt.Errorf("openai: %w: the server read %d tokens, all of the window: it may have cut the prompt; raise ContextTokens (now %d)", scorer.ErrPromptTooLong, tokens, j.options.ContextTokens)
	case tokens > 0 && bytes > short && bytes/tokens >= mostBytes:
		return fmt.Errorf("openai: %w: the server read %d tokens of %d bytes: it has cut the prompt; lower ContextTokens to its window (now %d)", scorer.ErrPromptTooLong, tokens, bytes, j.options.ContextTokens)
	}
	return nil
}

// question is a prompt, as it is put to a server that may not take all of it.
type question struct {
	model   string
	prompt  scorer.Prompt
	format  Format
	dropped []string // parameters that the server refuses
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// body is the call's body. Equal prompts give equal bytes: a recording is
// looked up by them.
func (q question) body() ([]byte, error) {
	p := q.prompt
	most := cmp.Or(p.MaxTokens, defaultMaxTokens)
	body := struct {
		Model               string    `json:"model"`
		Messages            []message `json:"messages"`
		ResponseFormat      any       `json:"response_format,omitempty"`
		MaxTokens           *int      `json:"max_tokens,omitempty"`
		MaxCompletionTokens *int      `json:"max_completion_tokens,omitempty"`
		Temperature         *float64  `json:"temperature,omitempty"`
		Seed                *int      `json:"seed,omitempty"`
		Logprobs            *bool     `json:"logprobs,omitempty"`
		TopLogprobs         *int      `json:"top_logprobs,omitempty"`
	}{Model: q.model, ResponseFormat: q.responseFormat()}
	if system := q.system(); system != "" {
		body.Messages = append(body.Messages, message{"system", system})
	}
	body.Messages = append(body.Messages, message{"user", p.User})
	switch {
	case q.takes("max_tokens"):
		body.MaxTokens = &most
	case q.takes("max_completion_tokens"):
		body.MaxCompletionTokens = &most
	}
	if q.takes("temperature") {
		body.Temperature = &p.Temperature
	}
	if q.takes("seed") {
		body.Seed = &p.Seed
	}
	if p.TopLogprobs > 0 && q.takes("logprobs") {
		body.Logprobs, body.TopLogprobs = new(true), &p.TopLogprobs
	}
	return json.Marshal(body)
}

func (q question) responseFormat() any {
	type schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	}
	type format struct {
		Type       string  `json:"type"`
		JSONSchema *schema `json:"json_schema,omitempty"`
	}
	switch {
	case q.prompt.Schema == nil || q.format == Text:
		return nil
	case q.format == JSONObject:
		return format{Type: "json_object"}
	}
	return format{"json_schema", &schema{"reply", q.prompt.Schema}}
}

// system has the schema too, where the server is not sent it.
func (q question) system() string {
	if q.prompt.Schema == nil || q.format == JSONSchema {
		return q.prompt.System
	}
	return strings.TrimSpace(q.prompt.System + "\n\nReply with one JSON object that fits this JSON schema, and with nothing else:\n" + string(q.prompt.Schema))
}
