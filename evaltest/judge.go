package evaltest

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/evaltest/go-evaltest/cassettes"
	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/ollama"
	"github.com/evaltest/go-evaltest/scorer/openai"
)

// Judge returns a judge whose calls this test records and replays, to build
// a scorer on for Assert. A test that cannot have one ends.
func Judge(t TestingT, opts ...Option) scorer.Judge {
	t.Helper()
	s, err := resolve("Judge", onModel|onCassette|onRecording, opts)
	if err == nil {
		var r *recording
		if r, err = record(t, s); err == nil {
			var judge scorer.Judge
			if judge, err = newJudge(s, r); err == nil {
				return judge
			}
		}
	}
	fail(t, noScore("Judge", err, t, nil))
	t.FailNow()
	return noJudge{err} // for a FailNow that returns
}

// noJudge fails every call: a test that goes on after FailNow gets no score.
type noJudge struct{ err error }

func (noJudge) Model() string { return "none" }

func (n noJudge) Generate(context.Context, scorer.Prompt) (scorer.Reply, error) {
	return scorer.Reply{}, fmt.Errorf("evaltest: no judge was made: %w", n.err)
}

// newJudge makes the judge that the settings name, on the recording's client.
func newJudge(s settings, r *recording) (scorer.Judge, error) {
	if s.judge != nil {
		judge, err := s.judge(r.client())
		if err == nil && judge == nil {
			err = errors.New("it returned no judge and no error")
		}
		if err != nil {
			return nil, fmt.Errorf("WithJudge: %w", err)
		}
		return labelled{judge}, nil
	}
	kind, model := provider(s.model.value)
	var judge scorer.Judge
	var err error
	if kind == "openai" {
		judge, err = openai.New(&http.Client{Transport: canonical{r}}, model, r.openai())
	} else {
		judge, err = ollama.New(r.client(), model, ollama.Options{Host: r.host()})
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.model.by, err)
	}
	return labelled{judge}, nil
}

// labelled puts the step's name beside each recorded call. Refusals that are
// lived with are kept too: of a prompt that is too long, as the scorer then
// shows less at a time, and of a parameter that the judge then does without.
type labelled struct{ scorer.Judge }

func (l labelled) Generate(ctx context.Context, p scorer.Prompt) (scorer.Reply, error) {
	ctx, keep := cassettes.WithKeep(cassettes.WithLabel(ctx, p.Step))
	reply, err := l.Judge.Generate(ctx, p)
	if err == nil || errors.Is(err, scorer.ErrPromptTooLong) {
		keep()
	}
	return reply, err
}

// ContextTokens is the judge's window, 0 where it does not tell.
func (l labelled) ContextTokens() int {
	if w, ok := l.Judge.(interface{ ContextTokens() int }); ok {
		return w.ContextTokens()
	}
	return 0
}
