package scorer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/evaltest/go-evaltest/scorer"
)

// letter is a judge that finds support for what the context has word for word.
type letter struct{}

func (letter) Model() string { return "letter" }

var asked = regexp.MustCompile(`(?m)^(sentence|claim) (\d+): (.*)$`)

func (letter) Generate(_ context.Context, p scorer.Prompt) (scorer.Reply, error) {
	var claims, verdicts []string
	texts, _, _ := strings.Cut(p.User, "Check these claims")
	for _, m := range asked.FindAllStringSubmatch(p.User, -1) {
		claims = append(claims, fmt.Sprintf(`{"sentence":%s,"claim":%q}`, m[2], m[3]))
		verdict, reason := "unsupported", "nothing is said about it"
		if strings.Contains(texts, m[3]) {
			verdict, reason = "supported", ""
		}
		verdicts = append(verdicts, fmt.Sprintf(`{"claim":%s,"evidence":[%q],"reason":%q,"verdict":%q}`, m[2], m[3], reason, verdict))
	}
	if p.Step == "hallucination/claims@1" {
		return scorer.Reply{Text: `{"claims":[` + strings.Join(claims, ",") + `],"no_claim":[]}`}, nil
	}
	return scorer.Reply{Text: `{"verdicts":[` + strings.Join(verdicts, ",") + `]}`}, nil
}

func ExampleNewHallucination() {
	s := scorer.NewHallucination(letter{}, scorer.HallucinationOptions{
		Context: []string{"The first iPhone was announced on January 9, 2007."},
	})
	run := scorer.TextRun("", "The first iPhone was announced on January 9, 2007. It has a keyboard.")
	r, err := s.Score(context.Background(), run)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.ID(), r.Score, r.Level())
	for _, v := range r.Verdicts {
		fmt.Printf("%s: %s\n", v.Kind, r.Claim(v.Claim).Text)
	}
	fmt.Println(r.Reason)
	// Output:
	// hallucination 0.5 moderate
	// supported: The first iPhone was announced on January 9, 2007.
	// unsupported: It has a keyboard.
	// 1 of 2 claims bad. Claim 2 is unsupported: "It has a keyboard.", because nothing is said about it.
}

func ExampleExtractToolResults() {
	msgs := []scorer.Message{
		{Role: scorer.Tool, ToolResults: []scorer.ToolResult{{Tool: "weather", Result: json.RawMessage(`{"celsius":21}`)}}},
		{Role: scorer.Assistant, Text: "It is 21 degrees."},
	}
	for _, r := range scorer.ExtractToolResults(msgs) {
		fmt.Printf("%s: %s\n", r.Tool, r.Result)
	}
	// Output: weather: {"celsius":21}
}

func ExampleTextRun() {
	run := scorer.TextRun("What is the capital of France?", "Paris.")
	fmt.Println(run.Input[0].Role, "asks,", run.Output[0].Role, "answers:", run.Output[0].Text)
	// Output: user asks, assistant answers: Paris.
}

func ExampleMax() {
	bound := scorer.Max(0.1)
	fmt.Println(bound, bound.Holds(0.1), bound.Holds(0.11))
	// Output: <= 0.1 true false
}

func ExampleMin() {
	bound := scorer.Min(0.9)
	fmt.Println(bound, bound.Holds(0.9), bound.Holds(0.89))
	// Output: >= 0.9 true false
}

func ExampleBound_Check() {
	fmt.Println(scorer.Max(2).Check(1))
	fmt.Println(scorer.Max(2).Check(10))
	// Output:
	// max bound 2 is outside the scorer's scale: give a number from 0 to 1
	// <nil>
}

func ExampleResult_Level() {
	for _, score := range []float64{0, 0.3, 0.5, 0.7, 0.9} {
		r := scorer.Result{Score: score, Scale: 1}
		fmt.Print(r.Level(), " ")
	}
	// Output: none low moderate high complete
}

func ExampleResult_MarshalJSON() {
	r := &scorer.Result{
		RunID: "run-1", Score: 1, Scale: 1, Reason: "1 of 1 claims bad.",
		Claims:   []scorer.Claim{{Number: 1, Text: "Paris is in Spain."}},
		Verdicts: []scorer.Verdict{{Claim: 1, Kind: scorer.Contradicted, Reason: "It is in France."}},
	}
	data, _ := json.Marshal(r)
	var original struct {
		RunID             string
		AnalyzeStepResult struct {
			Verdicts []struct{ Statement, Verdict, Reason string }
		}
		Score float64
	}
	fmt.Println(json.Unmarshal(data, &original))
	fmt.Printf("%+v\n", original)
	// Output:
	// <nil>
	// {RunID:run-1 AnalyzeStepResult:{Verdicts:[{Statement:Paris is in Spain. Verdict:yes Reason:It is in France.}]} Score:1}
}
