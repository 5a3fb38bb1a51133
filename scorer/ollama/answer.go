package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 16 << 20

// read takes in an answer, one JSON object or a stream of them a line, up to
// its end. The last object must say that the server is done.
func read(body io.Reader) (*api.ChatResponse, error) {
	limited := &io.LimitedReader{R: body, N: maxAnswer}
	d := json.NewDecoder(limited)
	var whole api.ChatResponse
	for parts := 0; ; parts++ {
		var part struct {
			api.ChatResponse
			Error string `json:"error"`
		}
		err := d.Decode(&part)
		switch {
		case err == io.EOF && limited.N == 0:
			return nil, fmt.Errorf("%w: the answer is longer than %d bytes", scorer.ErrBadReply, maxAnswer)
		case err == io.EOF && parts == 0:
			return nil, fmt.Errorf("%w: the answer is empty", scorer.ErrBadReply)
		case err == io.EOF && !whole.Done:
			return nil, fmt.Errorf("%w: the answer ends before the server says that it is done", scorer.ErrReplyCut)
		case err == io.EOF:
			return &whole, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fmt.Errorf("%w: the connection ended inside the answer", scorer.ErrReplyCut)
		case isSyntax(err):
			return nil, fmt.Errorf("%w: it is no answer of /api/chat: is this an Ollama server?", scorer.ErrBadReply)
		case err != nil:
			return nil, err // the connection's own error
		case part.Error != "":
			return nil, fmt.Errorf("%w: the server says: %s", scorer.ErrBadReply, part.Error)
		case whole.Done:
			return nil, fmt.Errorf("%w: the answer goes on after the server said that it is done", scorer.ErrBadReply)
		}
		part.Message.Content = whole.Message.Content + part.Message.Content
		part.Logprobs = append(whole.Logprobs, part.Logprobs...)
		whole = part.ChatResponse
	}
}

func isSyntax(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind)
}

func reply(answer *api.ChatResponse) scorer.Reply {
	r := scorer.Reply{
		Text:   answer.Message.Content,
		Finish: answer.DoneReason,
		Usage:  scorer.Usage{PromptTokens: answer.PromptEvalCount, OutputTokens: answer.EvalCount},
	}
	if r.Finish == "" {
		r.Finish = "stop"
	}
	for _, l := range answer.Logprobs {
		token := scorer.TokenLogprob{Token: l.Token, Logprob: l.Logprob}
		for _, top := range l.TopLogprobs {
			token.Top = append(token.Top, scorer.TokenLogprob{Token: top.Token, Logprob: top.Logprob})
		}
		r.Logprobs = append(r.Logprobs, token)
	}
	return r
}
