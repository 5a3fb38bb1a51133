package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

// completion is what counts of an answer.
type completion struct {
	Choices []struct {
		Message struct {
			Content *string
			Refusal string
		}
		FinishReason string `json:"finish_reason"`
		Logprobs     *struct{ Content []token }
	}
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	}
	Error json.RawMessage
}

type token struct {
	Token       string
	Logprob     float64
	TopLogprobs []token `json:"top_logprobs"`
}

// read takes in an answer: one object with one choice.
func read(from io.Reader) (scorer.Reply, error) {
	b := &wire.Body{From: from}
	data, err := io.ReadAll(b)
	var c completion
	switch {
	case b.TooLong:
		return scorer.Reply{}, wire.ErrTooLong()
	case err != nil:
		return scorer.Reply{}, wire.FaultError{Err: err}
	case len(data) == 0:
		return scorer.Reply{}, fmt.Errorf("%w: the answer is empty", scorer.ErrBadReply)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset >= int64(len(data)) {
			return scorer.Reply{}, fmt.Errorf("%w: the connection ended inside the answer", scorer.ErrReplyCut)
		}
		return scorer.Reply{}, fmt.Errorf("%w: it is no chat completion (%w): is this an OpenAI-compatible server?", scorer.ErrBadReply, err)
	}
	if key := reply.Doubled(data); key != "" {
		return scorer.Reply{}, fmt.Errorf("%w: the answer's field %.100q stands twice", scorer.ErrBadReply, key)
	}
	return c.reply()
}

func (c completion) reply() (scorer.Reply, error) {
	switch {
	case len(c.Error) > 0 && string(c.Error) != "null":
		return scorer.Reply{}, fmt.Errorf("%w: the server says: %s", scorer.ErrBadReply, wire.Excerpt(string(c.Error)))
	case len(c.Choices) != 1:
		return scorer.Reply{}, fmt.Errorf("%w: the answer has %d choices: is this an OpenAI-compatible server?", scorer.ErrBadReply, len(c.Choices))
	case c.Usage.PromptTokens < 0 || c.Usage.CompletionTokens < 0:
		return scorer.Reply{}, fmt.Errorf("%w: the server counts %d tokens of prompt and %d of output", scorer.ErrBadReply, c.Usage.PromptTokens, c.Usage.CompletionTokens)
	}
	choice := c.Choices[0]
	r := scorer.Reply{Usage: scorer.Usage{PromptTokens: c.Usage.PromptTokens, OutputTokens: c.Usage.CompletionTokens}}
	switch choice.FinishReason {
	case "", "stop", "eos", "eos_token", "end_turn", "stop_sequence": // as servers word it
		r.Finish = "stop"
	case "length", "max_tokens":
		r.Finish = "length"
	default:
		return scorer.Reply{}, fmt.Errorf("%w: the server ended it for the reason %.100q, neither \"stop\" nor \"length\"", scorer.ErrBadReply, choice.FinishReason)
	}
	switch {
	case choice.Message.Refusal != "":
		return scorer.Reply{}, fmt.Errorf("%w: the model refuses: %s", scorer.ErrBadReply, wire.Excerpt(choice.Message.Refusal))
	case choice.Message.Content == nil && r.Finish == "stop":
		return scorer.Reply{}, fmt.Errorf("%w: the answer has no message.content", scorer.ErrBadReply)
	case choice.Message.Content != nil:
		r.Text = *choice.Message.Content
	}
	if choice.Logprobs != nil {
		r.Logprobs = tokens(choice.Logprobs.Content)
	}
	return r, nil
}

func tokens(list []token) (out []scorer.TokenLogprob) {
	for _, t := range list {
		out = append(out, scorer.TokenLogprob{Token: t.Token, Logprob: t.Logprob, Top: tokens(t.TopLogprobs)})
	}
	return out
}
