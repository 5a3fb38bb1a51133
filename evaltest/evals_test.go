package evaltest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

const (
	goodRow = `{"id":"good","output":"Refunds are issued within 14 days.","context":["Refunds are issued within 14 days."]}`
	halfRow = `{"id":"half","output":"Refunds are issued within 14 days. Shipping is free.","context":["Refunds are issued within 14 days."]}`
	badRow  = `{"id":"bad/one","output":"Shipping is free.","context":["Refunds are issued within 14 days."]}`
)

// TestEvalsInAChild is the batch that the tests here run in a process of its
// own, as some of its subtests are meant to fail. By itself it does nothing.
func TestEvalsInAChild(t *testing.T) {
	dir := os.Getenv("EVALS_CHILD_DIR")
	if dir == "" {
		return
	}
	t.Setenv("OLLAMA_HOST", os.Getenv("EVALS_CHILD_HOST"))
	t.Setenv("EVALTEST_MODE", os.Getenv("EVALS_CHILD_MODE"))
	judge := Judge(t, WithCassetteDir(dir), WithModel("m"))
	client := Client(t, WithCassetteDir(dir))
	e := scorer.Evals{
		Data:        scorer.JSONLines(strings.NewReader(os.Getenv("EVALS_CHILD_ROWS"))),
		Scorers:     []scorer.Scorer{scorer.NewHallucination(judge, scorer.HallucinationOptions{}), scorer.NewFaithfulness(judge, scorer.FaithfulnessOptions{Claims: scorer.PerSentence})},
		Concurrency: 3,
		Thresholds:  map[string]scorer.Bound{"hallucination": Max(0.4), "faithfulness": Min(0.5)},
		Target: func(ctx context.Context, item scorer.Item) (scorer.Run, error) {
			if item.Metadata["agent"] == "fails" {
				return scorer.Run{}, errors.New("the agent is down")
			}
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, os.Getenv("EVALS_CHILD_AGENT")+"/?item="+item.ID[:3], nil)
			if err != nil {
				return scorer.Run{}, err
			}
			resp, err := client.Do(req)
			if err != nil {
				return scorer.Run{}, err
			}
			return item.Run, resp.Body.Close()
		},
	}
	sum := Evals(t, e, WithCassetteDir(dir))
	t.Logf("items=%d errors=%d", sum.Items, sum.Errors)
}

// child runs the batch and gives what go test would print.
func child(t *testing.T, dir, host, mode, run string, rows ...string) (output string, passed bool) {
	t.Helper()
	agent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer agent.Close()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+run)
	cmd.Env = append(os.Environ(), "EVALS_CHILD_DIR="+dir, "EVALS_CHILD_HOST="+host, "EVALS_CHILD_MODE="+mode,
		"EVALS_CHILD_ROWS="+strings.Join(rows, "\n"), "EVALS_CHILD_AGENT="+agent.URL)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

const whole = "^TestEvalsInAChild$"

func TestEvalsRecordAFileAnItemAndReplayThem(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	rows := []string{goodRow, halfRow, strings.Replace(goodRow, `"good"`, `"third"`, 1)}
	out, passed := child(t, dir, os.Getenv("OLLAMA_HOST"), "record", whole, rows...)
	require.True(t, passed, out)
	assert.Positive(t, calls.Load())
	files, err := filepath.Glob(filepath.Join(dir, "TestEvalsInAChild", "*.yaml"))
	require.NoError(t, err)
	assert.Len(t, files, 3, "a file an item: %s", out)
	assert.NoFileExists(t, filepath.Join(dir, "TestEvalsInAChild.yaml"), "the test itself asks nothing")
	recorded, err := os.ReadFile(files[0])
	require.NoError(t, err)
	assert.Contains(t, string(recorded), "/?item=goo", "the target's call is there too")

	for range 3 { // in any order
		out, passed = child(t, dir, "127.0.0.1:1", "replay", whole, rows[2], rows[0], rows[1])
		require.True(t, passed, out)
	}
	assert.Contains(t, out, "--- PASS: TestEvalsInAChild/half")
	assert.Contains(t, out, "items=3 errors=0")
	assert.Contains(t, out, "hallucination score 0.5 of 1: 1 of 2 claims supported")

	out, passed = child(t, dir, "127.0.0.1:1", "replay", "^TestEvalsInAChild$/^half$", rows...)
	assert.False(t, passed, "half of the claims are bad, and the others are not run: %s", out)
	assert.Contains(t, out, "items=1 errors=0")
	assert.NotContains(t, out, "TestEvalsInAChild/good")
}

func TestEvalsFailWhereAThresholdIsMissed(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	out, passed := child(t, dir, os.Getenv("OLLAMA_HOST"), "record", whole, badRow, goodRow, halfRow)
	assert.False(t, passed)
	assert.Contains(t, out, "hallucination mean 0.50 > 0.4 of 3 items")
	assert.Contains(t, out, `worst      "bad/one" score 1: 1 of 1 claim is bad`)
	assert.NotContains(t, out, `worst      "good"`)
	assert.NotContains(t, out, "faithfulness mean", "half is enough for faithfulness")
	assert.Contains(t, out, "--- PASS: TestEvalsInAChild/bad/one", "a score fails the batch, not its item")
}

func TestEvalsFailTheSubtestOfAnItemWithAnError(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	out, passed := child(t, dir, os.Getenv("OLLAMA_HOST"), "record", whole, goodRow,
		`{"id":"down","output":"x","agent":"fails"}`, `{"id":"torn`, strings.Replace(halfRow, `"half"`, `"good"`, 1))
	assert.False(t, passed)
	for _, text := range []string{
		"--- FAIL: TestEvalsInAChild/down", "no score: the agent is down",
		"--- FAIL: TestEvalsInAChild/line_3", "line 3: it is no JSON object",
		`two items have the ID "good"`,
		"hallucination mean 0 of 1 item (at most 0.4) is inconclusive: it hangs on 3 items without a score",
		"items=4 errors=3",
	} {
		assert.Contains(t, out, text)
	}
	out, passed = child(t, dir, "127.0.0.1:1", "replay", whole, strings.Replace(goodRow, "good", "new", 1))
	assert.False(t, passed)
	assert.Contains(t, out, "there is no recording of this test yet")
	assert.Contains(t, out, "faithfulness: no item has a score")
}

func TestEvalsThatCannotBeRunFail(t *testing.T) {
	pinned(t)
	out, passed := child(t, t.TempDir(), "127.0.0.1:1", "no-such-mode", whole)
	assert.False(t, passed)
	assert.Contains(t, out, "no-such-mode")
}
