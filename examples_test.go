// These are the first tests to read, and to run: go test -v .
//
// Each asks whether an answer says more than its context supports. The judge
// is a language model; its calls were recorded from a real Ollama and are
// replayed from cassettes/examples, so that no test here needs one.
package evaltest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/evaltest"
	"github.com/evaltest/go-evaltest/scorer"
)

// TestMain sets what all tests of the package share. It also pins them against
// a reader's own environment: they replay SmolLM2's recordings unless they are
// to be recorded anew.
func TestMain(m *testing.M) {
	os.Unsetenv("EVALTEST_MODEL")
	if mode := os.Getenv("EVALTEST_MODE"); mode != "record" && mode != "update" {
		os.Setenv("EVALTEST_MODE", "replay")
	}
	evaltest.Main(m, evaltest.WithModel("smollm2:135m"), evaltest.WithCassetteDir("cassettes/examples"))
}

// The context is a list of passages that you know to be true.
func TestStaticContext(t *testing.T) {
	answer := "The first iPhone was announced on January 9, 2007."
	evaltest.AssertNoHallucination(t, answer, []string{
		"The first iPhone was announced on January 9, 2007.",
		"It was released on June 29, 2007.",
		"Steve Jobs introduced it at Macworld.",
	}, 0)
}

// The context is what the agent's tools returned in the run that is judged.
func TestToolResults(t *testing.T) {
	run := scorer.Run{
		Input: []scorer.Message{{Role: scorer.User, Text: "Where is my order 1234?"}},
		Output: []scorer.Message{
			{Role: scorer.Tool, ToolResults: []scorer.ToolResult{{
				Tool:   "orders",
				Result: json.RawMessage(`{"order": 1234, "status": "shipped", "carrier": "DHL"}`),
			}}},
			{Role: scorer.Assistant, Text: "Order 1234 has shipped with DHL."},
		},
	}
	fromTools := func(_ context.Context, run scorer.Run) ([]string, error) {
		var passages []string
		for _, r := range scorer.ExtractToolResults(run.Output) {
			passages = append(passages, fmt.Sprintf("%s: %s", r.Tool, r.Result))
		}
		return passages, nil
	}
	s := scorer.NewHallucination(evaltest.Judge(t), scorer.HallucinationOptions{GetContext: fromTools})
	evaltest.Assert(t, s, run, evaltest.Max(0))
}

// A table of cases, one recording a subtest.
func TestTable(t *testing.T) {
	refunds := []string{"Refunds are issued within 14 days.", "Shipping within the EU costs 5 euros."}
	for _, c := range []struct {
		name, answer string
		context      []string
		maxScore     float64
	}{
		{"grounded", "Refunds are issued within 14 days.", refunds, 0},
		{"half grounded, which is let pass", "Refunds are issued within 14 days. Shipping is free worldwide.", refunds, 0.5},
		{"nothing stated", "Hello! How can I help you?", refunds, 0},
		{"中文", "退款会在14天内发放。", []string{"退款会在14天内发放。", "欧盟境内的运费为5欧元。"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			evaltest.AssertNoHallucination(t, c.answer, c.context, c.maxScore)
		})
	}
}

// The system under test calls a model too. With evaltest.Client that call is
// recorded beside the judge's, and the whole test runs offline.
func TestSystemUnderTest(t *testing.T) {
	passages := []string{"Refunds are issued within 14 days."}
	question := "How long do refunds take?"
	answer, err := support(t.Context(), evaltest.Client(t), question, passages)
	if err != nil {
		t.Fatal(err)
	}
	evaltest.AssertNoHallucination(t, answer, passages, 0, evaltest.WithInput(question))
}

// support stands for your code: it answers a question from passages, with
// Ollama's own client.
func support(ctx context.Context, client *http.Client, question string, passages []string) (answer string, err error) {
	server := &url.URL{Scheme: "http", Host: "127.0.0.1:11434"}
	if host := os.Getenv("OLLAMA_HOST"); host != "" {
		server.Host = host
	}
	err = api.NewClient(server, client).Chat(ctx, &api.ChatRequest{
		Model: "smollm2:135m",
		Messages: []api.Message{
			{Role: "system", Content: "Answer in one sentence, from these facts only: " + strings.Join(passages, " ")},
			{Role: "user", Content: question},
		},
		Stream:  new(false),
		Options: map[string]any{"temperature": 0, "seed": 1, "num_predict": 60},
	}, func(r api.ChatResponse) error {
		answer += r.Message.Content
		return nil
	})
	return answer, err
}

// What a failure says: what was claimed, where, why it counts as bad, who
// judged, and what to run next.
func Example_ungroundedAnswer() {
	t := &printer{name: "Example_ungroundedAnswer"}
	defer t.cleanUp()
	answer := "Refunds are issued within 14 days. Shipping is free worldwide."
	evaltest.AssertNoHallucination(t, answer, []string{"Refunds are issued within 14 days.", "Shipping within the EU costs 5 euros."}, 0)

	// Output:
}

// printer is a test that prints its failures, without the place in this file.
type printer struct {
	name     string
	failed   bool
	cleanups []func()
}

var errorTrace = regexp.MustCompile(`(?s)\tError Trace:.*?(\tError:)`)

func (p *printer) Helper()          {}
func (p *printer) Name() string     { return p.name }
func (p *printer) FailNow()         { p.failed = true }
func (p *printer) Failed() bool     { return p.failed }
func (p *printer) Cleanup(f func()) { p.cleanups = append(p.cleanups, f) }

func (p *printer) Context() context.Context { return context.Background() }

func (p *printer) Logf(string, ...any) {}

func (p *printer) Errorf(format string, args ...any) {
	p.failed = true
	fmt.Println(errorTrace.ReplaceAllString(fmt.Sprintf(format, args...), "$1"))
}

func (p *printer) cleanUp() {
	for _, f := range p.cleanups {
		f()
	}
}
