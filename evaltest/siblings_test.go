package evaltest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

func TestOptionsThatCannotActOnASiblingAreRefused(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	for _, c := range []struct {
		want   string
		assert func(*fakeT) bool
	}{
		{"WithUncertaintyWeight cannot act in AssertFaithful", func(ft *fakeT) bool {
			return AssertFaithful(ft, grounded, shop, 1, WithUncertaintyWeight(0.5), WithCassetteDir(dir))
		}},
		{"WithMinClaims cannot act in AssertRelevant", func(ft *fakeT) bool {
			return AssertRelevant(ft, "Q?", grounded, 1, WithMinClaims(1), WithCassetteDir(dir))
		}},
		{"WithInput cannot act in AssertRelevant", func(ft *fakeT) bool {
			return AssertRelevant(ft, "Q?", grounded, 1, WithInput("Q?"), WithCassetteDir(dir))
		}},
		{"min bound 1.5 is outside", func(ft *fakeT) bool { return AssertFaithful(ft, grounded, shop, 1.5, WithCassetteDir(dir)) }},
		{"min bound -1 is outside", func(ft *fakeT) bool { return AssertRelevant(ft, "Q?", grounded, -1, WithCassetteDir(dir)) }},
		{"UncertaintyWeight is 2", func(ft *fakeT) bool {
			return AssertRelevant(ft, "Q?", grounded, 1, WithUncertaintyWeight(2), WithCassetteDir(dir))
		}},
	} {
		ft := &fakeT{name: "TestShop"}
		assert.False(t, c.assert(ft))
		assert.Contains(t, ft.message(t), c.want)
		ft.end()
	}
}

func TestFaithfulHoldsAMinimum(t *testing.T) {
	dir := pinned(t)
	fakeOllama(t)
	for _, c := range []struct {
		output  string
		min     float64
		options []Option
		message string // "" for a pass
	}{
		{grounded, 1, nil, ""},
		{grounded + " Shipping is free.", 0.5, nil, ""},
		{grounded + " Shipping is free.", 5, []Option{WithScale(10)}, ""},
		{grounded + " Shipping is free.", 0.6, nil, "faithfulness score 0.50 < 0.6: 1 of 2 claims is bad"},
		{"", 0.1, nil, "faithfulness score 0.00 < 0.1: the output is empty: nothing to score"},
		{"I don't know.", 0.1, nil, "the output declines to answer: nothing to score"},
		{"I don't know.", 1, []Option{WithAbstain(scorer.AbstainRequire)}, ""},
	} {
		ft := &fakeT{name: "TestShop"}
		held := AssertFaithful(ft, c.output, shop, c.min, append(c.options, WithMode(Live), WithCassetteDir(dir))...)
		assert.Equal(t, c.message == "", held, c.output)
		if c.message != "" {
			assert.Contains(t, ft.message(t), c.message)
		}
		ft.end()
	}
}

// fakeOpenAI speaks OpenAI's chat completions at a path of its own, wants the
// key and takes no JSON schema.
func fakeOpenAI(t *testing.T) *atomic.Int32 {
	t.Helper()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var req struct {
			Messages       []struct{ Content string }
			ResponseFormat struct{ Type string } `json:"response_format"`
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &req)
		switch {
		case r.URL.Path != "/gateway/v1/chat/completions":
			http.NotFound(w, r)
		case r.Header.Get("Authorization") != "Bearer opensesame-1234567890":
			http.Error(w, `{"error":{"message":"bad key"}}`, http.StatusUnauthorized)
		case req.ResponseFormat.Type == "json_schema":
			http.Error(w, `{"error":{"message":"json_schema is not supported"}}`, http.StatusBadRequest)
		default:
			text, _ := json.Marshal(letter(req.Messages[len(req.Messages)-1].Content))
			fmt.Fprintf(w, `{"id":"chatcmpl-%d","object":"chat.completion","created":%d,"choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, calls.Load(), calls.Load(), text)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("OPENAI_BASE_URL", server.URL+"/gateway/v1")
	t.Setenv("OPENAI_API_KEY", "opensesame-1234567890")
	return &calls
}

func TestAJudgeOnOpenAIsAPIIsRecordedWithoutAddressAndKey(t *testing.T) {
	dir := pinned(t)
	calls := fakeOpenAI(t)
	t.Setenv("EVALTEST_MODEL", "openai:gpt")
	run := func(mode Mode) {
		ft := &fakeT{name: "TestShop"}
		assert.True(t, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir), WithMode(mode)), ft.errors)
		ft.end()
		assert.Empty(t, ft.errors)
	}
	file := filepath.Join(dir, "TestShop.yaml")
	read := func() string {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(data)
	}
	run(Record)
	first := read()
	assert.EqualValues(t, 4, calls.Load(), "each prompt is sent twice, as the server refuses the schema")
	assert.NotContains(t, first, "opensesame")
	assert.NotContains(t, first, "gateway")
	assert.NotContains(t, first, "127.0.0.1")
	assert.Contains(t, first, "code: 400", "the refusal is kept: the replay makes the same calls")
	run(Record)
	assert.Equal(t, first, read(), "ids and times change with every run, and are fixed")

	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	t.Setenv("OPENAI_API_KEY", "")
	before := calls.Load()
	run(Replay)
	assert.Equal(t, before, calls.Load())
}

func TestAKeyThatIsRefusedFailsTheTestAndRecordsNothing(t *testing.T) {
	dir := pinned(t)
	fakeOpenAI(t)
	t.Setenv("OPENAI_API_KEY", "wrong")
	ft := &fakeT{name: "TestShop"}
	assert.False(t, AssertNoHallucination(ft, grounded, shop, 0, WithCassetteDir(dir), WithModel("openai:gpt")))
	message := ft.message(t)
	assert.Contains(t, message, "refuses the key")
	assert.Contains(t, message, "/gateway/v1/chat/completions", "the address that was called")
	ft.end()
	assert.NoFileExists(t, filepath.Join(dir, "TestShop.yaml"))
}

func TestACustomScorersReasonIsTheMessage(t *testing.T) {
	pinned(t)
	tone := scorer.NewCustom("tone", nil, scorer.Steps[any, any]{
		HigherIsBetter: true,
		Score:          func(s scorer.State[any, any]) (float64, error) { return 0.25, nil },
		Reason: func(_ context.Context, _ scorer.Judge, s scorer.State[any, any]) (string, error) {
			return "it is rude:\n" + strings.ToLower(s.Output), nil
		},
	})
	ft := &fakeT{name: "TestShop"}
	assert.False(t, Assert(ft, tone, scorer.TextRun("", "GO AWAY"), Min(0.5)))
	assert.Contains(t, ft.message(t), "tone score 0.25 < 0.5: it is rude: go away\n")
	ft = &fakeT{name: "TestShop"}
	assert.True(t, Assert(ft, tone, scorer.TextRun("", "GO AWAY"), Min(0.2)))
	assert.Contains(t, ft.logs[0], "tone score 0.25 (at least 0.2): it is rude: go away")
}
