package scorer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/evaltest/go-evaltest/scorer/internal/fence"
	"github.com/evaltest/go-evaltest/scorer/internal/injection"
	"github.com/evaltest/go-evaltest/scorer/internal/reply"
)

// Func makes a scorer from a function. What the function leaves out of its
// Result is filled in: the run's ID, question and output, the scorer's ID, a
// scale of 1.
func Func(id string, score func(ctx context.Context, run Run) (*Result, error)) Scorer {
	return function{id, score}
}

type function struct {
	id    string
	score func(context.Context, Run) (*Result, error)
}

func (f function) ID() string { return f.id }

func (f function) Score(ctx context.Context, run Run) (*Result, error) {
	r, err := f.score(ctx, run)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, r.Check()
	}
	r.fill(f.id, run)
	return r, nil
}

// fill sets what a scorer of a user's own has left out.
func (r *Result) fill(id string, run Run) {
	r.Scorer, r.RunID = cmp.Or(r.Scorer, id), cmp.Or(r.RunID, run.ID)
	r.Question, r.Output = cmp.Or(r.Question, run.lastQuestion()), cmp.Or(r.Output, run.output())
	r.Scale = cmp.Or(r.Scale, 1)
}

// Steps are what a Custom scorer does, in the four steps of the original's
// scorers. Only Score is needed. A step is code; one that asks the judge does
// so by Ask, and what it asks is counted. P is what Preprocess gives, A what
// Analyze gives.
type Steps[P, A any] struct {
	// Scale is the highest score; 0 means 1.
	Scale float64
	// HigherIsBetter says that Scale, not 0, is the best score.
	HigherIsBetter bool
	// Preprocess takes from the run what is to be looked at.
	Preprocess func(ctx context.Context, j Judge, s State[P, A]) (P, error)
	// Analyze looks at it.
	Analyze func(ctx context.Context, j Judge, s State[P, A]) (A, error)
	// Score turns what was found into a number from 0 to Scale.
	Score func(s State[P, A]) (float64, error)
	// Reason words the score.
	Reason func(ctx context.Context, j Judge, s State[P, A]) (string, error)
}

// State is what a step knows: the run, and what the steps before it gave.
type State[P, A any] struct {
	Run              Run
	Question, Output string // the user's last message, and what is judged
	Preprocessed     P
	Analyzed         A
	Score            float64
}

// Custom is a scorer of a user's own, made by NewCustom.
type Custom[P, A any] struct {
	id    string
	judge Judge
	steps Steps[P, A]
}

// NewCustom makes a scorer from steps that ask j, which is nil where no step
// asks. What is wrong with the steps is said by Score.
func NewCustom[P, A any](id string, j Judge, steps Steps[P, A]) *Custom[P, A] {
	return &Custom[P, A]{id, j, steps}
}

// ID is the name that the scorer was made with.
func (c *Custom[P, A]) ID() string { return c.id }

// Score takes run through the steps. The first error ends it, with the step's
// name.
func (c *Custom[P, A]) Score(ctx context.Context, run Run) (*Result, error) {
	r, err := c.score(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.id, err)
	}
	return r, nil
}

func (c *Custom[P, A]) score(ctx context.Context, run Run) (*Result, error) {
	scale := cmp.Or(c.steps.Scale, 1)
	switch {
	case c.id == "":
		return nil, errors.New("the scorer has no ID: give NewCustom one")
	case c.steps.Score == nil:
		return nil, errors.New("Steps.Score is missing: it gives the score")
	case math.IsNaN(scale) || math.IsInf(scale, 0) || scale < 0:
		return nil, fmt.Errorf("Steps.Scale is %s: give a number above 0, or 0 for 1", number(scale))
	}
	r := &Result{Scale: scale, HigherIsBetter: c.steps.HigherIsBetter}
	r.fill(c.id, run)
	j := &counted{Judge: c.judge}
	if c.judge != nil {
		r.Model = c.judge.Model()
	}
	s := State[P, A]{Run: run, Question: r.Question, Output: r.Output}
	var err error
	if c.steps.Preprocess != nil {
		if s.Preprocessed, err = c.steps.Preprocess(ctx, j, s); err != nil {
			return nil, fmt.Errorf("preprocess: %w", err)
		}
		r.Preprocessed, r.Prompts.Claims = s.Preprocessed, j.sent()
	}
	if c.steps.Analyze != nil {
		if s.Analyzed, err = c.steps.Analyze(ctx, j, s); err != nil {
			return nil, fmt.Errorf("analyze: %w", err)
		}
		r.Analyzed, r.Prompts.Verdicts = s.Analyzed, j.sent()
	}
	if s.Score, err = c.steps.Score(s); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	r.Score = s.Score
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if c.steps.Reason != nil {
		if r.Reason, err = c.steps.Reason(ctx, j, s); err != nil {
			return nil, fmt.Errorf("reason: %w", err)
		}
		r.Prompts.Reason = j.sent()
	}
	r.Usage, r.Calls = j.usage, j.n
	return r, nil
}

// counted counts a score's calls to its judge and keeps their prompts.
type counted struct {
	Judge
	mu      sync.Mutex
	n       int
	usage   Usage
	prompts []string
}

// Model implements Judge.
func (c *counted) Model() string {
	if c.Judge == nil {
		return "none"
	}
	return c.Judge.Model()
}

// Generate implements Judge.
func (c *counted) Generate(ctx context.Context, p Prompt) (Reply, error) {
	if c.Judge == nil {
		return Reply{}, errors.New("the step asks a judge, but NewCustom was given none")
	}
	reply, err := c.Judge.Generate(ctx, p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.usage.add(reply.Usage)
	c.prompts = append(c.prompts, p.User)
	return reply, err
}

// ContextTokens is the judge's window, 0 where it does not tell.
func (c *counted) ContextTokens() int { return (&calls{judge: c.Judge}).window() }

// sent gives the prompts since it was last called.
func (c *counted) sent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := strings.Join(c.prompts, "\n\n")
	c.prompts = nil
	return all
}

// Ask puts a prompt to a judge and reads the answer into a T. Where p has no
// Schema it is made from T, by the rules of package jsonschema: a property a
// field, in the fields' order, those without omitempty required. An answer that
// does not fit is asked for once more, with what was wrong; then it is an
// ErrBadReply. A cut answer is an ErrReplyCut. p.Step names the prompt and its
// version; a Seed of 0 is 1, as ours have.
func Ask[T any](ctx context.Context, j Judge, p Prompt) (T, error) {
	var answer T
	if j == nil {
		return answer, fmt.Errorf("%s: there is no judge to ask", p.Step)
	}
	if p.Schema == nil {
		schema, err := jsonschema.For[T](nil)
		if err != nil {
			return answer, fmt.Errorf("%s: no schema can be made from %T: %w", p.Step, answer, err)
		}
		if p.Schema, err = json.Marshal(schema); err != nil {
			return answer, fmt.Errorf("%s: no schema can be made from %T: %w", p.Step, answer, err)
		}
	}
	p.Seed = cmp.Or(p.Seed, 1)
	c := &calls{judge: j}
	err := c.ask(ctx, p, func(text string) error {
		var fresh T // nothing stays of a refused answer
		err := reply.Parse(text, p.Schema, &fresh)
		answer = fresh
		return err
	})
	return answer, err
}

// Fenced prepares a text for a prompt as our own prompts do: what speaks to a
// model is blanked out of it, and it stands between two lines that carry name
// and a marker that the text does not have, so that nothing in it can pose as
// what follows.
func Fenced(name, text string) string {
	return fence.Around(text).Wrap(name, injection.Blank(text, injection.Find(text)))
}
