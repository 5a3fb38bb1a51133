package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
	judged "github.com/evaltest/go-evaltest/scorer/internal/reply"
	"github.com/evaltest/go-evaltest/scorer/internal/wire"
)

// part is what counts of an answer, or of a part of a streamed one. A server
// may leave the counts out.
type part struct {
	Message struct {
		Content *string `json:"content"`
	} `json:"message"`
	Done        bool          `json:"done"`
	DoneReason  string        `json:"done_reason"`
	PromptCount int           `json:"prompt_eval_count"`
	OutputCount int           `json:"eval_count"`
	Logprobs    []api.Logprob `json:"logprobs"`
	Error       string        `json:"error"`
}

// whole puts an answer together from its parts.
type whole struct {
	text     strings.Builder
	worded   bool // a part had a content
	logprobs []api.Logprob
	last     part
}

// read takes in an answer, one JSON object or a stream of them a line, up to
// its end. The last object must say that the server is done.
func read(from io.Reader) (scorer.Reply, error) {
	b := &wire.Body{From: from}
	d := json.NewDecoder(b)
	var w whole
	for parts := 0; ; parts++ {
		var object json.RawMessage
		err := d.Decode(&object)
		switch {
		case b.TooLong:
			return scorer.Reply{}, wire.ErrTooLong()
		case err != nil && b.Err != nil && errors.Is(err, b.Err) && b.Err != io.EOF: //nolint:errorlint // an error that wraps io.EOF is no end
			return scorer.Reply{}, wire.FaultError{Err: b.Err}
		case err == io.EOF && parts == 0:
			return scorer.Reply{}, fmt.Errorf("%w: the answer is empty", scorer.ErrBadReply)
		case err == io.EOF:
			return w.reply()
		case errors.Is(err, io.ErrUnexpectedEOF):
			return scorer.Reply{}, fmt.Errorf("%w: the connection ended inside the answer", scorer.ErrReplyCut)
		case err != nil:
			return scorer.Reply{}, fmt.Errorf("%w: it is no answer of /api/chat (%w): is this an Ollama server?", scorer.ErrBadReply, err)
		}
		if err := w.add(object); err != nil {
			return scorer.Reply{}, err
		}
	}
}

func (w *whole) add(object json.RawMessage) error {
	if w.last.Done {
		return fmt.Errorf("%w: the answer goes on after the server said that it is done", scorer.ErrBadReply)
	}
	if key := judged.Doubled(object); key != "" {
		return fmt.Errorf("%w: the answer's field %.100q stands twice", scorer.ErrBadReply, key)
	}
	var p part
	if err := json.Unmarshal(object, &p); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return fmt.Errorf("%w: it is no answer of /api/chat, its field %q is a %.100s: is this an Ollama server?", scorer.ErrBadReply, kind.Field, kind.Value)
		}
		return fmt.Errorf("%w: it is no answer of /api/chat (%w): is this an Ollama server?", scorer.ErrBadReply, err)
	}
	if p.Error != "" {
		return fmt.Errorf("%w: the server says: %s", scorer.ErrBadReply, wire.Excerpt(p.Error))
	}
	if p.Message.Content != nil {
		w.text.WriteString(*p.Message.Content)
		w.worded = true
	}
	w.logprobs = append(w.logprobs, p.Logprobs...)
	w.last = p
	return nil
}

// reply gives what the parts amount to, once the last is there.
func (w *whole) reply() (scorer.Reply, error) {
	last := &w.last
	if last.DoneReason == "" {
		last.DoneReason = "stop" // an old server's
	}
	switch {
	case !last.Done:
		return scorer.Reply{}, fmt.Errorf("%w: the answer ends before the server says that it is done", scorer.ErrReplyCut)
	case last.DoneReason != "stop" && last.DoneReason != "length":
		return scorer.Reply{}, fmt.Errorf("%w: the server ended it for the reason %.100q, neither \"stop\" nor \"length\"", scorer.ErrBadReply, last.DoneReason)
	case !w.worded:
		return scorer.Reply{}, fmt.Errorf("%w: the answer has no message.content", scorer.ErrBadReply)
	case last.PromptCount < 0 || last.OutputCount < 0:
		return scorer.Reply{}, fmt.Errorf("%w: the server counts %d tokens of prompt and %d of output", scorer.ErrBadReply, last.PromptCount, last.OutputCount)
	}
	r := scorer.Reply{
		Text:   w.text.String(),
		Finish: last.DoneReason,
		Usage:  scorer.Usage{PromptTokens: last.PromptCount, OutputTokens: last.OutputCount},
	}
	for _, l := range w.logprobs {
		token := scorer.TokenLogprob{Token: l.Token, Logprob: l.Logprob}
		for _, top := range l.TopLogprobs {
			token.Top = append(token.Top, scorer.TokenLogprob{Token: top.Token, Logprob: top.Logprob})
		}
		r.Logprobs = append(r.Logprobs, token)
	}
	return r, nil
}
