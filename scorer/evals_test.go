package scorer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered scores a run by the number in its output.
func numbered(id string) Scorer {
	return Func(id, func(_ context.Context, run Run) (*Result, error) {
		var score float64
		if _, err := fmt.Sscan(run.output(), &score); err != nil {
			return nil, fmt.Errorf("no number: %w", err)
		}
		return &Result{Score: score, Scale: 10}, nil
	})
}

func items(outputs ...string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for _, o := range outputs {
			var err error
			if o == "unreadable" {
				err = errors.New("the row cannot be read")
			}
			if !yield(Item{Run: TextRun("", o)}, err) {
				return
			}
		}
	}
}

func TestEachItemKeepsItsOwnFault(t *testing.T) {
	faulty := Func("faulty", func(_ context.Context, run Run) (*Result, error) {
		switch run.output() {
		case "1":
			panic("on one")
		case "2":
			runtime.Goexit()
		case "3":
			return nil, nil
		case "4":
			return &Result{Score: 7}, nil
		case "5":
			return nil, errors.New("refused")
		}
		return &Result{Score: 1}, nil
	})
	target := func(_ context.Context, item Item) (Run, error) {
		switch item.Run.output() {
		case "6":
			panic("the target's")
		case "7":
			runtime.Goexit()
		case "8":
			return Run{}, errors.New("the agent is down")
		}
		return item.Run, nil
	}
	want := []string{"", "scorer faulty panicked: on one", "scorer faulty ended its goroutine", "neither a result nor an error", "outside its scale", "refused",
		"the target panicked: the target's", "the target ended its goroutine", "the agent is down", "the row cannot be read", ""}
	for _, concurrency := range []int{1, 4} {
		t.Run(fmt.Sprint(concurrency, " at once"), func(t *testing.T) {
			var got []ItemResult
			s, err := RunEvals(t.Context(), Evals{
				Data:    items("0", "1", "2", "3", "4", "5", "6", "7", "8", "unreadable", "10"),
				Scorers: []Scorer{faulty, numbered("fine")}, Target: target, Concurrency: concurrency,
				OnItemComplete: func(r ItemResult) error { got = append(got, r); return nil },
			})
			require.NoError(t, err)
			require.Len(t, got, len(want))
			for i, r := range got {
				err := errors.Join(r.Err, r.Errs["faulty"])
				if want[i] == "" {
					assert.NoError(t, err)
					continue
				}
				assert.ErrorContains(t, err, want[i])
				assert.Equal(t, i < 6, r.Results["fine"] != nil, "the other scorer's score of item %d", i)
			}
			assert.Equal(t, 11, s.Items)
			assert.Equal(t, 9, s.Errors)
			assert.Equal(t, Stats{N: 2, Errors: 9, Scale: 1, Mean: 1, Min: 1, Max: 1, P50: 1, P90: 1, P95: 1, P99: 1, Low: s.Scores["faulty"].Low, High: 1}, s.Scores["faulty"])
			assert.Equal(t, 7, s.Scores["fine"].N)
		})
	}
}

func TestItemsCompleteInOrderAndOneAtATime(t *testing.T) {
	const n, concurrency, window = 200, 8, 12
	var under, most, ahead atomic.Int32
	var next atomic.Int32
	slow := make(chan struct{})
	s := Func("order", func(_ context.Context, run Run) (*Result, error) {
		most.Store(max(most.Load(), under.Add(1)))
		defer under.Add(-1)
		var i int32
		_, _ = fmt.Sscan(run.output(), &i)
		ahead.Store(max(ahead.Load(), i-next.Load()))
		if i == 0 {
			<-slow // all others of the window are done first
		}
		if i == window-1 {
			close(slow)
		}
		return &Result{}, nil
	})
	var outputs []string
	for i := range n {
		outputs = append(outputs, fmt.Sprint(i))
	}
	var mu sync.Mutex
	var seen []string
	_, err := RunEvals(t.Context(), Evals{
		Data: items(outputs...), Scorers: []Scorer{s}, Concurrency: concurrency, Window: window,
		OnItemComplete: func(r ItemResult) error {
			assert.True(t, mu.TryLock(), "one at a time")
			defer mu.Unlock()
			next.Add(1)
			seen = append(seen, r.Run.output())
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, outputs, seen)
	assert.LessOrEqual(t, int(most.Load()), concurrency)
	assert.LessOrEqual(t, int(ahead.Load()), window)
}

func TestAnErrorOfACallbackEndsTheRun(t *testing.T) {
	stop := errors.New("enough")
	done := 0
	s, err := RunEvals(t.Context(), Evals{
		Data: func(yield func(Item, error) bool) { // without end
			for yield(Item{Run: TextRun("", "1")}, nil) {
			}
		},
		Scorers: []Scorer{numbered("n")}, Concurrency: 3,
		OnItemComplete: func(ItemResult) error {
			if done++; done == 5 {
				return stop
			}
			return nil
		},
	})
	require.ErrorIs(t, err, stop)
	assert.ErrorContains(t, err, `evals: item "item 5": OnItemComplete`)
	assert.Equal(t, 5, done)
	assert.Equal(t, 5, s.Items)
}

func TestAPanicOfACallbackIsTheCallers(t *testing.T) {
	assert.PanicsWithValue(t, "mine", func() {
		_, _ = RunEvals(t.Context(), Evals{Data: items("1", "2"), Scorers: []Scorer{numbered("n")}, OnItemComplete: func(ItemResult) error { panic("mine") }})
	})
}

func TestDataThatBreaksOffEndsTheRunWithAnError(t *testing.T) {
	broken := func(yield func(Item, error) bool) {
		_ = yield(Item{Run: TextRun("", "1")}, nil) && yield(Item{}, fmt.Errorf("%w: the disk is gone", ErrData))
	}
	s, err := RunEvals(t.Context(), Evals{Data: broken, Scorers: []Scorer{numbered("n")}})
	assert.ErrorIs(t, err, ErrData)
	assert.Equal(t, 1, s.Items)

	panics := func(func(Item, error) bool) { panic("no data") }
	_, err = RunEvals(t.Context(), Evals{Data: panics, Scorers: []Scorer{numbered("n")}})
	assert.ErrorContains(t, err, "the data panicked: no data")
}

func TestEvalsThatCannotBeRunAreRefused(t *testing.T) {
	one := []Scorer{numbered("n")}
	for want, e := range map[string]Evals{
		"there is no Data":            {Scorers: one},
		"there are no Scorers":        {Data: items()},
		"is nil: Scorers[0]":          {Data: items(), Scorers: []Scorer{nil}},
		`two scorers have the ID "n"`: {Data: items(), Scorers: []Scorer{numbered("n"), numbered("n")}},
		"may be negative":             {Data: items(), Scorers: one, Concurrency: -1},
		"no file to Resume from":      {Data: items(), Scorers: one, Resume: true},
		`"x", which is the ID of no`:  {Data: items(), Scorers: one, Thresholds: map[string]Bound{"x": Max(1)}},
		"the bound is empty":          {Data: items(), Scorers: one, Thresholds: map[string]Bound{"n": {}}},
		"outside the scorer's scale":  {Data: items("1"), Scorers: one, Thresholds: map[string]Bound{"n": Max(11)}},
		"results: open":               {Data: items(), Scorers: one, Results: filepath.Join("no", "such", "folder")},
		"scores of two scales":        {Data: items("1", "2"), Scorers: []Scorer{twoScales()}},
	} {
		_, err := RunEvals(t.Context(), e)
		assert.ErrorContains(t, err, want)
	}
}

func twoScales() Scorer {
	scale := 0.0
	return Func("two", func(context.Context, Run) (*Result, error) {
		scale++
		return &Result{Scale: scale}, nil
	})
}

func TestThresholdsHoldTheMeanWhateverTheMissingScoresAre(t *testing.T) {
	for name, c := range map[string]struct {
		outputs []string
		bound   Bound
		want    string
	}{
		"the mean holds":                {[]string{"1", "3"}, Max(2), Passed},
		"the mean is above":             {[]string{"1", "3.1"}, Max(2), Failed},
		"a minimum holds":               {[]string{"8", "10"}, Min(9), Passed},
		"a minimum is missed":           {[]string{"8", "9"}, Min(9), Failed},
		"the mean of tenths is a tenth": {slices.Repeat([]string{"0.1"}, 10), Min(0.1), Passed},
		"nothing was scored":            {nil, Max(10), Undecided},
		"only errors":                   {[]string{"x", "unreadable"}, Max(10), Undecided},
		"an error could be bad":         {[]string{"0", "0", "unreadable"}, Max(0), Undecided},
		"an error could be good":        {[]string{"9", "9", "x"}, Max(8), Undecided},
		"the worst that the error could be is still inside": {[]string{"0", "0", "0", "x"}, Max(2.5), Passed},
		"the best that the error could be is still outside": {[]string{"9", "9", "9", "x"}, Max(2), Failed},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := RunEvals(t.Context(), Evals{Data: items(c.outputs...), Scorers: []Scorer{numbered("n")}, Thresholds: map[string]Bound{"n": c.bound}})
			require.NoError(t, err)
			assert.Equal(t, map[string]string{"n": c.want}, s.Verdicts)
		})
	}
}

func TestStatsAreThoseOfTheScores(t *testing.T) {
	var outputs []string
	for i := range 100 {
		outputs = append(outputs, fmt.Sprint(float64(100-i)/10))
	}
	s, err := RunEvals(t.Context(), Evals{Data: items(outputs...), Scorers: []Scorer{numbered("n")}})
	require.NoError(t, err)
	got := s.Scores["n"]
	low, high := got.Low, got.High
	got.Low, got.High = 0, 0
	assert.Equal(t, Stats{N: 100, Scale: 10, Mean: 5.05, Min: 0.1, Max: 10, P50: 5, P90: 9, P95: 9.5, P99: 9.9}, got)
	// Wilson's interval of the share 0.505 of 100, computed by hand.
	assert.InDelta(t, 4.0859, low, 0.001)
	assert.InDelta(t, 6.0104, high, 0.001)
	assert.Contains(t, s.String(), "100 items, 0 with an error")

	none, err := RunEvals(t.Context(), Evals{Data: items("0", "0", "0", "0", "0"), Scorers: []Scorer{numbered("n")}})
	require.NoError(t, err)
	assert.Greater(t, none.Scores["n"].High, 3., "five clean items prove little")
}

func TestWhatAroundLeavesOutCountsNowhere(t *testing.T) {
	s, err := RunEvals(t.Context(), Evals{
		Data: items("1", "2", "3"), Scorers: []Scorer{numbered("n")},
		Around: func(ctx context.Context, item Item, score func(context.Context) ItemResult) ItemResult {
			switch item.ID {
			case "item 1":
				return ItemResult{Skipped: true}
			case "item 2":
				panic("around it")
			}
			return score(ctx)
		},
		OnItemComplete: func(r ItemResult) error {
			if r.Item.ID == "item 2" {
				assert.ErrorContains(t, r.Err, "Around panicked: around it")
			}
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 2, s.Items)
	assert.Equal(t, 1, s.Errors)
	assert.Equal(t, 1, s.Scores["n"].N)
}

func TestProgressTellsOfEachItemAndOfTheEnd(t *testing.T) {
	var got []Progress
	_, err := RunEvals(t.Context(), Evals{Data: items("1", "x"), Scorers: []Scorer{numbered("n")}, Progress: func(p Progress) { got = append(got, p) }})
	require.NoError(t, err)
	assert.Equal(t, []Progress{{1, 0, false}, {2, 1, false}, {2, 1, true}}, got)
}
