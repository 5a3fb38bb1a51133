package evaltest

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evaltest/go-evaltest/scorer"
)

// moody answers as an Ollama whose model judges at random, leaves claims out
// and talks around the JSON, and refuses prompts longer than most bytes. The
// same request may be answered in another way the next time.
func moody(random *rand.Rand, most int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body) > most {
			http.Error(w, `{"error":"the input length exceeds the context length"}`, http.StatusBadRequest)
			return
		}
		var req api.ChatRequest
		_ = json.Unmarshal(body, &req)
		prompt := req.Messages[len(req.Messages)-1].Content
		var claims, verdicts []map[string]any
		for _, m := range listed.FindAllStringSubmatch(prompt, -1) {
			var n int
			_, _ = fmt.Sscan(m[2], &n)
			claims = append(claims, map[string]any{"sentence": n, "claim": m[3]})
			kind := []string{"supported", "contradicted", "unsupported"}[random.IntN(3)]
			if random.IntN(4) > 0 {
				verdicts = append(verdicts, map[string]any{"claim": n, "evidence": []string{m[3]}, "reason": fmt.Sprint("reason ", random.IntN(1000)), "verdict": kind})
			}
		}
		reply := any(map[string]any{"verdicts": verdicts})
		if strings.Contains(prompt, "List the claims") {
			reply = map[string]any{"claims": claims, "no_claim": []int{}}
		}
		data, _ := json.Marshal(reply)
		text := string(data)
		if random.IntN(4) == 0 {
			text = "<think>Hm.</think>Here you are:\n```json\n" + text + "\n```"
		}
		_ = json.NewEncoder(w).Encode(api.ChatResponse{
			Model: req.Model, Message: api.Message{Role: "assistant", Content: text}, Done: true, DoneReason: "stop",
			Metrics: api.Metrics{PromptEvalCount: len(body) / 4, EvalCount: len(text) / 4},
		})
	})
}

// Whatever the judge says, and however often it is asked, a replay gives the
// result of the recording, or its error.
func TestReplayEqualsItsRecording(t *testing.T) {
	dir := pinned(t)
	n, failed, long := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		most := rapid.SampledFrom([]int{1 << 20, 40_000, 8_000}).Draw(rt, "most bytes of a prompt")
		var facts []string
		for i := range rapid.IntRange(1, 400).Draw(rt, "facts") {
			facts = append(facts, fmt.Sprintf("Locker %d is painted green and stands in hall %d.", 100+i, i%7))
		}
		output := strings.Join(facts[:min(len(facts), rapid.IntRange(1, 12).Draw(rt, "sentences"))], " ")
		output = strings.Replace(output, "green", "blue", rapid.IntRange(0, 2).Draw(rt, "wrong"))
		context := []string{strings.Join(facts, " "), strings.Repeat("The hall is cold in winter. ", rapid.SampledFrom([]int{0, 1500}).Draw(rt, "padding"))}

		server := httptest.NewServer(moody(random, most))
		defer server.Close()
		t.Setenv("OLLAMA_HOST", server.URL)
		run := func(mode string) (*scorer.Result, string) {
			ft := &fakeT{name: fmt.Sprint("TestMoody", n)}
			defer ft.end()
			o := scorer.HallucinationOptions{Context: context}
			if len(facts)%2 == 0 {
				o.Claims = scorer.PerSentence
			}
			judge := Judge(ft, WithCassetteDir(dir), WithMode(Mode(mode)))
			r, err := scorer.NewHallucination(judge, o).Score(t.Context(), scorer.TextRun("Where are the lockers?", output))
			return r, fmt.Sprint(err)
		}
		recorded, recordedErr := run("record")
		server.Close()
		if recorded == nil {
			failed++
		} else if recorded.Calls > 4 {
			long++
		}
		require.FileExists(rt, filepath.Join(dir, fmt.Sprint("TestMoody", n)+".yaml"))
		for range 2 {
			replayed, replayedErr := run("replay")
			require.Equal(rt, recorded, replayed)
			require.Equal(rt, strings.ReplaceAll(recordedErr, server.URL, ""), strings.ReplaceAll(replayedErr, "http://replay.invalid", ""))
		}
	})
	assert.Positive(t, failed, "some judges were too bad")
	assert.Positive(t, long, "some scores took many calls")
}

func TestRefusalOfAPromptThatIsThenShownInPartsIsRecorded(t *testing.T) {
	dir := pinned(t)
	calls := fakeOllama(t)
	refused := 0
	small := transport(func(r *http.Request) (*http.Response, error) {
		if r.ContentLength > 6_000 {
			refused++
			body := strings.NewReader(`{"error":"the input length exceeds the context length"}`)
			return &http.Response{StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Body: io.NopCloser(body), Request: r}, nil
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	context := []string{strings.Repeat("The hall is cold in winter. ", 400) + grounded}
	for _, mode := range []Mode{Record, Replay} {
		ft := &fakeT{name: "TestShop"}
		assert.True(t, AssertNoHallucination(ft, grounded, context, 0, WithCassetteDir(dir), WithMode(mode), WithTransport(small)), "%v", ft.errors)
		ft.end()
		assert.Empty(t, ft.errors)
		assert.Contains(t, strings.Join(ft.logs, "\n"), "score 0")
		t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	}
	assert.Equal(t, 1, refused)
	assert.EqualValues(t, 2, calls.Load(), "the replay asks nothing")
}
