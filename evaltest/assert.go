package evaltest

import (
	"cmp"
	"context"
	"errors"
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
	return assertWith(t, caller, onScorer|onRun, opts, Max(maxScore), func(s settings) plan {
		o := s.hallucination(ctx)
		return plan{scorer.TextRun(s.input, output), o.Scale, func(j scorer.Judge) scorer.Scorer { return scorer.NewHallucination(j, o) }}
	})
}

// AssertFaithful fails the test when less of output than minScore is supported
// by ctx. The score is the share of output's claims that ctx supports, from 0
// to 1 (or to WithScale's scale); minScore 1 lets no unsupported claim pass. An
// output that is empty, or states nothing, scores 0. It reports whether the
// assertion held.
func AssertFaithful(t TestingT, output string, ctx []string, minScore float64, opts ...Option) bool {
	t.Helper()
	return faithful(t, "AssertFaithful", output, ctx, minScore, opts)
}

// RequireFaithful is AssertFaithful, but a failure ends the test.
func RequireFaithful(t TestingT, output string, ctx []string, minScore float64, opts ...Option) {
	t.Helper()
	if !faithful(t, "RequireFaithful", output, ctx, minScore, opts) {
		t.FailNow()
	}
}

func faithful(t TestingT, caller, output string, ctx []string, minScore float64, opts []Option) bool {
	t.Helper()
	return assertWith(t, caller, onScorer|onRun, opts, Min(minScore), func(s settings) plan {
		o := s.hallucination(ctx)
		return plan{scorer.TextRun(s.input, output), o.Scale, func(j scorer.Judge) scorer.Scorer {
			return scorer.NewFaithfulness(j, scorer.FaithfulnessOptions(o))
		}}
	})
}

// AssertRelevant fails the test when less of output than minScore answers
// input, the question. The score is the share of output's statements that
// answer, from 0 to 1 (or to WithScale's scale); whether they are right does
// not matter. It reports whether the assertion held.
func AssertRelevant(t TestingT, input, output string, minScore float64, opts ...Option) bool {
	t.Helper()
	return relevant(t, "AssertRelevant", input, output, minScore, opts)
}

// RequireRelevant is AssertRelevant, but a failure ends the test.
func RequireRelevant(t TestingT, input, output string, minScore float64, opts ...Option) {
	t.Helper()
	if !relevant(t, "RequireRelevant", input, output, minScore, opts) {
		t.FailNow()
	}
}

func relevant(t TestingT, caller, input, output string, minScore float64, opts []Option) bool {
	t.Helper()
	return assertWith(t, caller, onRelevancy, opts, Min(minScore), func(s settings) plan {
		return plan{scorer.TextRun(input, output), s.relevancy.Scale, func(j scorer.Judge) scorer.Scorer {
			return scorer.NewAnswerRelevancy(j, s.relevancy)
		}}
	})
}

// plan is what an assertion judges and with what, once its options are known.
type plan struct {
	run    scorer.Run
	scale  float64
	scorer func(scorer.Judge) scorer.Scorer
}

// assertWith holds what an assertion plans to bound.
func assertWith(t TestingT, caller string, also reach, opts []Option, bound Bound, planned func(settings) plan) bool {
	t.Helper()
	s, err := resolve(caller, onModel|onCassette|onRecording|also, opts)
	if err != nil {
		return assertion(t, fail(t, noScore(caller, err, t, nil)))
	}
	p := planned(s)
	if err := bound.Check(cmp.Or(p.scale, 1)); err != nil {
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
	return assertion(t, holds(t, caller, p.scorer(judge), p.run, bound, r))
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
		if err = result.Check(); err == nil {
			err = bound.Check(cmp.Or(result.Scale, 1))
		}
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
