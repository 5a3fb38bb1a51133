package scorer

import (
	"context"
	"fmt"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
)

// calls makes a score's calls to its judge and counts them.
type calls struct {
	judge Judge
	n     int
	usage Usage
}

// window is the judge's context window in tokens, 0 where it does not tell.
func (c *calls) window() int {
	if windowed, ok := c.judge.(interface{ ContextTokens() int }); ok {
		return max(windowed.ContextTokens(), 0)
	}
	return 0
}

// ask sends p and hands the reply's text to use. A reply that use refuses is
// asked for once more, with what was wrong; a second refusal is an
// ErrBadReply. A cut reply is an ErrReplyCut.
func (c *calls) ask(ctx context.Context, p Prompt, use func(text string) error) error {
	problem, err := c.try(ctx, p, use)
	if err != nil || problem == nil {
		return err
	}
	p.User += fmt.Sprintf("\nA first reply could not be used: %s. Reply with the JSON alone, in the form described.", fence.Line(problem.Error()))
	problem, err = c.try(ctx, p, use)
	if err != nil || problem == nil {
		return err
	}
	return fmt.Errorf("%s: %w, twice: %w", p.Step, ErrBadReply, problem)
}

// try makes one call. It tells a reply that could not be used (problem) from
// a call that failed (err).
func (c *calls) try(ctx context.Context, p Prompt, use func(text string) error) (problem, err error) {
	reply, err := c.judge.Generate(ctx, p)
	c.n++
	c.usage.add(reply.Usage)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Step, err)
	}
	if reply.Finish == "length" {
		return nil, fmt.Errorf("%s: %w after %d tokens (at most %d were asked for): a model that thinks at length or never stops needs another choice of model", p.Step, ErrReplyCut, reply.Usage.OutputTokens, p.MaxTokens)
	}
	return use(reply.Text), nil
}
