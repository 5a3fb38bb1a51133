package evaltest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/evaltest/go-evaltest/scorer"
)

// Evals runs a batch in a test: each item is a subtest, called by the item's
// ID, with a recording of its own. What the scorers ask, built on Judge(t), and
// the target through Client(t), goes into it: the context that they are given
// says which item a call is for. An item with an error fails its subtest, a
// threshold that is not passed fails the test. Every item needs an ID of its
// own. It takes the options of how calls are recorded.
//
// With go test -run 'TestX/^item$' only that item is run.
func Evals(t *testing.T, e scorer.Evals, opts ...Option) *scorer.Summary {
	t.Helper()
	s, err := resolve("Evals", onRecording, opts)
	if err != nil {
		assertion(t, fail(t, noScore("Evals", err, t, nil)))
		return &scorer.Summary{}
	}
	b := &batch{t: t, settings: s, own: e}
	if e.Data != nil {
		e.Data = ownIDs(e.Data)
	}
	e.Around, e.OnItemComplete = b.around, b.complete
	sum, err := scorer.RunEvals(t.Context(), e)
	if sum == nil {
		sum = &scorer.Summary{}
	}
	if err != nil {
		assertion(t, fail(t, "Evals: "+err.Error()))
		return sum
	}
	t.Logf("evaltest: %s", sum)
	assertion(t, b.passed(sum))
	return sum
}

// batch is one run of Evals.
type batch struct {
	t        *testing.T
	settings settings
	own      scorer.Evals // as the caller has it
	worst    map[string][]worstItem
}

// ownIDs makes an error of an item whose ID another has: their subtests, and so
// their recordings, could not be told apart.
func ownIDs(data iter.Seq2[scorer.Item, error]) iter.Seq2[scorer.Item, error] {
	return func(yield func(scorer.Item, error) bool) {
		seen := map[string]bool{}
		for item, err := range data {
			if err == nil && item.ID != "" && seen[item.ID] {
				err = fmt.Errorf("two items have the ID %q: give each its own", item.ID)
			}
			seen[item.ID] = true
			if !yield(item, err) {
				return
			}
		}
	}
}

// around makes a subtest of an item.
func (b *batch) around(ctx context.Context, item scorer.Item, score func(context.Context) scorer.ItemResult) scorer.ItemResult {
	result := scorer.ItemResult{Skipped: true} // go test may have been told to leave it out
	b.t.Run(item.ID, func(t *testing.T) {
		result = scorer.ItemResult{Err: errors.New("the subtest ended before it had a score"), Results: map[string]*scorer.Result{}}
		r, err := record(t, b.settings)
		if err != nil {
			result.Err, result.Results = err, map[string]*scorer.Result{}
			fail(t, noScore("Evals", err, t, nil))
			return
		}
		ctx := context.WithValue(ctx, recordingKey{}, r)
		if b.own.Around != nil {
			result = b.own.Around(ctx, item, score)
		} else {
			result = score(ctx)
		}
		b.tell(ctx, t, result, r)
	})
	return result
}

// tell reports what came of an item in its subtest.
func (b *batch) tell(ctx context.Context, t *testing.T, result scorer.ItemResult, r *recording) {
	t.Helper()
	if result.Failed() && ctx.Err() != nil { // the run was ended: that is told once
		t.Logf("evaltest: cut short: %v", errors.Join(result.Err, errors.Join(slices.Collect(maps.Values(result.Errs))...)))
		return
	}
	if result.Err != nil {
		fail(t, noScore("Evals", result.Err, t, r))
	}
	for _, id := range slices.Sorted(maps.Keys(result.Errs)) {
		fail(t, noScore("Evals: "+id, result.Errs[id], t, r))
	}
	for _, id := range slices.Sorted(maps.Keys(result.Results)) {
		t.Logf("%s", itemScore(id, result.Results[id], r))
	}
}

// complete gives a row that could not be read its subtest, keeps the worst
// scores for the message, and passes the item on.
func (b *batch) complete(r scorer.ItemResult) error {
	if r.Err != nil && r.Results == nil {
		b.t.Run(r.Item.ID, func(t *testing.T) {
			fail(t, noScore("Evals", r.Err, t, nil))
		})
	}
	for id, result := range r.Results {
		b.keepWorst(id, r.Item.ID, result)
	}
	if b.own.OnItemComplete != nil {
		return b.own.OnItemComplete(r)
	}
	return nil
}

const maxWorst = 5 // items in the message of a threshold

type worstItem struct {
	id     string
	result *scorer.Result
}

func (b *batch) keepWorst(scorerID, item string, r *scorer.Result) {
	bound, held := b.own.Thresholds[scorerID]
	if !held {
		return
	}
	if b.worst == nil {
		b.worst = map[string][]worstItem{}
	}
	sign := -1. // the highest are worst
	if bound.IsMin() {
		sign = 1
	}
	list := b.worst[scorerID]
	list = append(list, worstItem{item, r})
	slices.SortStableFunc(list, func(x, y worstItem) int { return cmp.Compare(sign*x.result.Score, sign*y.result.Score) })
	b.worst[scorerID] = list[:min(len(list), maxWorst)]
}

// passed fails the test for each threshold that is not passed.
func (b *batch) passed(sum *scorer.Summary) bool {
	b.t.Helper()
	all := sum.Errors == 0
	for _, id := range slices.Sorted(maps.Keys(sum.Verdicts)) {
		if sum.Verdicts[id] == scorer.Passed {
			continue
		}
		all = false
		fail(b.t, b.missed(id, sum.Scores[id], sum.Verdicts[id]))
	}
	return all
}

// missed explains a threshold that is not passed.
func (b *batch) missed(id string, stats scorer.Stats, verdict string) string {
	bound := b.own.Thresholds[id]
	m := report{foot: []line{{"rerun", rerun(b.t.Name(), false)}}}
	switch {
	case stats.N == 0:
		m.first = fmt.Sprintf("%s: no item has a score, so nothing shows that the mean is %s", id, allowed(bound))
	case verdict == scorer.Undecided:
		m.first = fmt.Sprintf("%s mean %s of %s (%s) is inconclusive: it hangs on %s without a score",
			id, number(stats.Mean), count(stats.N, "item"), allowed(bound), count(stats.Errors, "item"))
	default:
		m.first = fmt.Sprintf("%s mean %s of %s", id, comparison(stats.Mean, bound), count(stats.N, "item"))
	}
	for _, w := range b.worst[id] {
		if !bound.Holds(w.result.Score) {
			m.lines = append(m.lines, line{"worst", fmt.Sprintf("%s score %s: %s", quote(w.id), number(w.result.Score), finding(w.result))})
		}
	}
	return m.String()
}

// itemScore tells in an item's subtest what was found.
func itemScore(id string, r *scorer.Result, rec *recording) string {
	m := report{first: fmt.Sprintf("evaltest: %s score %s of %s: %s", id, number(r.Score), number(cmp.Or(r.Scale, 1)), outcome(r)), foot: judgeLines(rec, r.Model)}
	bad := r.Bad()
	for _, v := range bad[:min(len(bad), maxShown)] {
		m.lines = append(m.lines, badClaim(r, v)...)
	}
	return strings.TrimRight(m.String(), "\n")
}
