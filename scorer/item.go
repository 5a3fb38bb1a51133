package scorer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// work puts an item to the target and has the outcome scored.
func (e Evals) work(ctx context.Context, item Item) ItemResult {
	if e.Around == nil {
		return e.score(ctx, item)
	}
	r := ItemResult{Item: item}
	if err := guard("Around", func() error {
		r = e.Around(ctx, item, func(ctx context.Context) ItemResult { return e.score(ctx, item) })
		return nil
	}); err != nil {
		r.Err = err
	}
	r.Item = item
	return r
}

func (e Evals) score(ctx context.Context, item Item) ItemResult {
	r := ItemResult{Item: item, Run: item.Run, Results: map[string]*Result{}}
	if e.Target != nil {
		if r.Err = guard("the target", func() (err error) {
			r.Run, err = e.Target(ctx, item)
			return err
		}); r.Err != nil {
			return r
		}
	}
	if r.Run.ID == "" {
		r.Run.ID = item.ID
	}
	if len(r.Run.Input) == 0 && item.Input != "" {
		r.Run.Input = []Message{{Role: User, Text: item.Input}}
	}
	for _, s := range e.Scorers {
		var result *Result
		err := guard("scorer "+s.ID(), func() (err error) {
			result, err = s.Score(ctx, r.Run)
			return err
		})
		if err == nil {
			err = result.Check()
		}
		if err == nil {
			r.Results[s.ID()] = result
			continue
		}
		if r.Errs == nil {
			r.Errs = map[string]error{}
		}
		r.Errs[s.ID()] = err
	}
	return r
}

// guard calls f, which is a user's, and makes an error of its panic, or of its
// ending the goroutine, as t.FailNow does: f has one of its own.
func guard(what string, f func() error) (err error) {
	done := make(chan struct{})
	go func() {
		returned := false
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%s panicked: %v\n%s", what, p, debug.Stack())
			} else if !returned {
				err = errors.New(what + " ended its goroutine, as t.FailNow and runtime.Goexit do")
			}
			close(done)
		}()
		err = f()
		returned = true
	}()
	<-done
	return err
}
