package scorer

import (
	"context"
	"encoding/json"
	"errors"
)

// Judge is a language model that answers one prompt at a time. Package
// scorer/ollama has one for a local Ollama; a test can write its own.
//
// A Judge may also have a method ContextTokens() int, which gives the window
// that it is configured with, in tokens, without a call.
type Judge interface {
	// Model names the model, as messages and reports show it.
	Model() string
	// Generate answers p. An error wraps one of this package's sentinel
	// errors where one fits.
	Generate(ctx context.Context, p Prompt) (Reply, error)
}

// Prompt is one call to a judge.
type Prompt struct {
	// Step names the prompt and its version: "hallucination/claims@1".
	Step string
	// System holds the rules, User the texts and what is asked about them.
	System, User string
	// Schema is the JSON schema of the reply; nil asks for plain text.
	Schema json.RawMessage
	// MaxTokens bounds the reply, in tokens; 0 leaves it to the judge.
	MaxTokens int
	// Temperature is 0 for the most likely answer, which is what scorers ask
	// for unless they take votes.
	Temperature float64
	// Seed fixes what randomness is left.
	Seed int
	// TopLogprobs asks for that many alternatives a token; 0 for none.
	TopLogprobs int
}

// Reply is what a judge answered.
type Reply struct {
	Text string
	// Finish says why the reply ended: "stop", or "length" where it was cut
	// at Prompt.MaxTokens.
	Finish   string
	Usage    Usage
	Logprobs []TokenLogprob
}

// Usage counts tokens as the judge's server reports them.
type Usage struct {
	PromptTokens int `json:"promptTokens"`
	OutputTokens int `json:"outputTokens"`
}

func (u *Usage) add(v Usage) {
	u.PromptTokens += v.PromptTokens
	u.OutputTokens += v.OutputTokens
}

// TokenLogprob is one token of a reply with its natural log probability, and
// the alternatives that Prompt.TopLogprobs asked for.
type TokenLogprob struct {
	Token   string
	Logprob float64
	Top     []TokenLogprob
}

// What a score's error can be told apart by, with errors.Is.
var (
	// ErrUnreachable: no answer from the judge's server, or none but a refusal.
	ErrUnreachable = errors.New("judge cannot be reached")
	// ErrModelNotFound: the server answers but lacks the model.
	ErrModelNotFound = errors.New("judge's model not found")
	// ErrPromptTooLong: the prompt does not fit the judge's context window.
	ErrPromptTooLong = errors.New("prompt too long for the judge")
	// ErrReplyCut: the reply ended before it was complete.
	ErrReplyCut = errors.New("judge's reply was cut")
	// ErrBadReply: the reply is not what the prompt's schema asks for.
	ErrBadReply = errors.New("judge's reply makes no sense")
	// ErrIncomplete: the judge left claims without a verdict, though asked again.
	ErrIncomplete = errors.New("judge gave no verdict on some claims")
)
