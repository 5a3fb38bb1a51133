package evaltest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/evaltest/go-evaltest/scorer"
)

// Bound is the limit that a score is held to, made with Max or Min.
type Bound = scorer.Bound

// Max is a Bound that holds scores of at most x.
func Max(x float64) Bound { return scorer.Max(x) }

// Min is a Bound that holds scores of at least x.
func Min(x float64) Bound { return scorer.Min(x) }

// AssertNoHallucination fails the test when more of output than maxScore is
// not supported by ctx, the passages that it may rely on. The score is the
// share of output's claims that ctx contradicts or does not support, from 0
// to 1 (or to WithScale's scale); maxScore 0 lets no such claim pass. A
// judge that cannot be asked, or that makes no sense, fails the test too.
// It reports whether the assertion held.
func AssertNoHallucination(t TestingT, output string, ctx []string, maxScore float64, opts ...Option) bool {
	t.Helper()
	return noHallucination(t, "AssertNoHallucination", output, ctx, maxScore, opts)
}

// RequireNoHallucination is AssertNoHallucination, but a failure ends the test.
func RequireNoHallucination(t TestingT, output string, ctx []string, maxScore float64, opts ...Option) {
	t.Helper()
	if !noHallucination(t, "RequireNoHallucination", output, ctx, maxScore, opts) {
		t.FailNow()
	}
}

func noHallucination(t TestingT, caller, output string, ctx []string, maxScore float64, opts []Option) bool {
	t.Helper()
	s, err := resolve(caller, onModel|onCassette|onRecording|onScorer|onRun, opts)
	if err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, nil)))
	}
	o := s.hallucination(ctx)
	bound := Max(maxScore)
	if err := bound.Check(scale(o)); err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, nil)))
	}
	r, err := record(t, s)
	if err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, nil)))
	}
	judge, err := newJudge(s, r)
	if err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, r)))
	}
	return assertion(t, holds(t, caller, scorer.NewHallucination(judge, o), scorer.TextRun(s.input, output), bound, r))
}

// Assert fails the test when the score that s gives run is not within bound.
// Build s on Judge(t), so that its calls are recorded. It takes no option of
// today's: what they set belongs to Judge, to the scorer or into the run.
// It reports whether the assertion held.
func Assert(t TestingT, s scorer.Scorer, run scorer.Run, bound Bound, opts ...Option) bool {
	t.Helper()
	return assertScore(t, "Assert", s, run, bound, opts)
}

// Require is Assert, but a failure ends the test.
func Require(t TestingT, s scorer.Scorer, run scorer.Run, bound Bound, opts ...Option) {
	t.Helper()
	if !assertScore(t, "Require", s, run, bound, opts) {
		t.FailNow()
	}
}

func assertScore(t TestingT, caller string, s scorer.Scorer, run scorer.Run, bound Bound, opts []Option) bool {
	t.Helper()
	err := refuse(caller, 0, opts)
	switch {
	case err != nil:
	case isNil(s):
		err = errors.New("the scorer is nil")
	default:
		err = bound.Check(math.Inf(1)) // the scorer's scale is known with its result
	}
	if err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, nil)))
	}
	return assertion(t, holds(t, caller, s, run, bound, recordingOf(t.Name())))
}

func isNil(s scorer.Scorer) bool {
	v := reflect.ValueOf(s)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// holds scores run and reports what came out.
func holds(t TestingT, caller string, s scorer.Scorer, run scorer.Run, bound Bound, r *recording) bool {
	t.Helper()
	ctx := t.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	result, err := s.Score(ctx, run)
	if err == nil {
		err = check(result, bound)
	}
	switch {
	case err != nil:
		return fail(t, noScore(caller, err, t, r))
	case !bound.Holds(result.Score):
		return fail(t, badScore(s.ID(), result, bound, t, r))
	}
	if !repeats(t) { // a benchmark would print it each time round
		t.Logf("%s", goodScore(s.ID(), result, bound, r))
	}
	return true
}

// check refuses a result that no score can be read from: a scorer of the
// user's own may be wrong.
func check(r *scorer.Result, bound Bound) error {
	if r == nil {
		return errors.New("the scorer gave neither a result nor an error")
	}
	scale := r.Scale
	if scale == 0 {
		scale = 1
	}
	switch {
	case math.IsNaN(r.Score) || r.Score < 0 || r.Score > scale:
		return fmt.Errorf("the scorer gave the score %v, outside its scale from 0 to %v", r.Score, scale)
	case len(r.Verdicts) != len(r.Claims):
		return fmt.Errorf("the scorer gave %d verdicts for %d claims", len(r.Verdicts), len(r.Claims))
	}
	return bound.Check(scale)
}
