package scorer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines1000 are a thousand rows, of which 37 cannot be read.
func lines1000() string {
	var b strings.Builder
	for i := range 1000 {
		if i%27 == 13 {
			fmt.Fprintf(&b, "{\"id\":\"row %d\",\"output\":\n", i)
			continue
		}
		fmt.Fprintf(&b, "{\"id\":\"row %d\",\"output\":\"%d\"}\n", i, i%7)
	}
	return b.String()
}

func TestACancelledRunIsResumedWhereItWas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	var asked sync.Map
	counting := Func("n", func(ctx context.Context, run Run) (*Result, error) {
		if _, twice := asked.LoadOrStore(run.ID, true); twice {
			return nil, errors.New("asked twice")
		}
		return numbered("n").Score(ctx, run)
	})
	e := Evals{Scorers: []Scorer{counting}, Concurrency: 7, Results: file, Resume: true, Thresholds: map[string]Bound{"n": Max(4)}}

	ctx, cancel := context.WithCancel(t.Context())
	e.Data = JSONLines(strings.NewReader(lines1000()))
	e.OnItemComplete = func(r ItemResult) error {
		if r.Item.ID == "row 400" {
			cancel()
		}
		return nil
	}
	first, err := RunEvals(ctx, e)
	require.ErrorIs(t, err, context.Canceled)
	assert.GreaterOrEqual(t, first.Items, 401)
	assert.Less(t, first.Items, 500)

	// Killed in the middle of a line.
	half, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = half.WriteString(`{"id":"row 999","key":"00`)
	require.NoError(t, errors.Join(err, half.Close()))

	e.Data, e.OnItemComplete = JSONLines(strings.NewReader(lines1000())), nil
	second, err := RunEvals(t.Context(), e)
	require.NoError(t, err)
	assert.Equal(t, first.Items-first.Errors, second.Resumed, "rows with errors are tried again")

	whole, err := RunEvals(t.Context(), Evals{Data: JSONLines(strings.NewReader(lines1000())), Scorers: []Scorer{numbered("n")}, Thresholds: e.Thresholds})
	require.NoError(t, err)
	assert.Equal(t, 37, whole.Errors)
	second.Resumed = 0
	assert.Equal(t, whole, second, "as if it had not been cancelled")

	ids := map[string]int{}
	broken := 0
	for _, row := range rowsOf(t, file) {
		ids[row.ID]++
		if row.Error != "" {
			broken++
		}
	}
	assert.Len(t, ids, 1000)
	assert.Equal(t, 37, broken)

	// All is done: the file stays, and nobody is asked.
	before := rowsOf(t, file)
	e.Data = JSONLines(strings.NewReader(lines1000()))
	third, err := RunEvals(t.Context(), e)
	require.NoError(t, err)
	assert.Equal(t, 963, third.Resumed)
	assert.ElementsMatch(t, before, rowsOf(t, file))
}

func rowsOf(t *testing.T, file string) (rows []resultRow) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var row resultRow
		require.NoError(t, json.Unmarshal(s.Bytes(), &row), s.Text())
		rows = append(rows, row)
	}
	return rows
}

func TestAChangedItemIsAskedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	run := func(resume bool, s Scorer, outputs ...string) *Summary {
		sum, err := RunEvals(t.Context(), Evals{Data: items(outputs...), Scorers: []Scorer{s}, Results: file, Resume: resume})
		require.NoError(t, err)
		return sum
	}
	assert.Equal(t, 0, run(true, numbered("n"), "1", "2", "2").Resumed, "there is no file yet")
	assert.Equal(t, 2, run(true, numbered("n"), "1", "3", "2").Resumed)
	assert.Equal(t, 0, run(true, numbered("other"), "1").Resumed, "the file has no score of this scorer's")
	assert.Equal(t, 0, run(false, numbered("other"), "1").Resumed)
	assert.Len(t, rowsOf(t, file), 1, "without Resume the file is replaced")
}

func TestAnItemThatIsNoJSONIsAnErrorOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	data := func(yield func(Item, error) bool) {
		_ = yield(Item{ID: "a", Metadata: map[string]any{"c": make(chan int)}}, nil) && yield(Item{ID: "b", Run: TextRun("", "1")}, nil)
	}
	s, err := RunEvals(t.Context(), Evals{Data: data, Scorers: []Scorer{numbered("n")}, Results: file})
	require.NoError(t, err)
	assert.Equal(t, 1, s.Errors)
	assert.Len(t, rowsOf(t, file), 2)
}
