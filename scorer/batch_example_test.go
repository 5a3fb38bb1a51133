package scorer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/evaltest/go-evaltest/scorer"
)

// words counts what an answer has, to at most 10.
var words = scorer.Func("words", func(_ context.Context, run scorer.Run) (*scorer.Result, error) {
	n := len(strings.Fields(run.Output[len(run.Output)-1].Text))
	if n == 0 {
		return nil, errors.New("nothing was said")
	}
	return &scorer.Result{Score: float64(min(n, 10)), Scale: 10}, nil
})

func ExampleRunEvals() {
	rows := strings.NewReader(`{"id":"short","output":"Paris."}
{"output":
{"id":"long","output":"Paris is the capital."}`)
	summary, err := scorer.RunEvals(context.Background(), scorer.Evals{
		Data:        scorer.JSONLines(rows),
		Scorers:     []scorer.Scorer{words},
		Concurrency: 4,
		Thresholds:  map[string]scorer.Bound{"words": scorer.Max(3)},
		OnItemComplete: func(r scorer.ItemResult) error {
			if r.Failed() {
				fmt.Println(r.Item.ID, "has no score")
				return nil
			}
			fmt.Println(r.Item.ID, r.Results["words"].Score)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := summary.Scores["words"]
	fmt.Println(summary.Items, "items,", summary.Errors, "error, mean", s.Mean, "from", s.Min, "to", s.Max)
	fmt.Println(summary.Verdicts["words"], "as the missing score could be 10")
	// Output:
	// short 1
	// line 2 has no score
	// long 4
	// 3 items, 1 error, mean 2.5 from 1 to 4
	// inconclusive as the missing score could be 10
}

func ExampleSummary_String() {
	summary, _ := scorer.RunEvals(context.Background(), scorer.Evals{
		Data:    scorer.CSV(strings.NewReader("output\nParis.\nParis is the capital.\n")),
		Scorers: []scorer.Scorer{words},
	})
	for line := range strings.Lines(summary.String()) {
		fmt.Println(strings.TrimSpace(line))
	}
	// Output:
	// 2 items, 0 with an error; 0 calls, 0 prompt tokens, 0 output tokens
	// scorer  n  errors  mean  95%         min  p50  p90  p95  p99  max  verdict
	// words   2  0       2.5   0.267–8.02  1    1    4    4    4    4    -
}

func ExampleItemResult_Failed() {
	fmt.Println(scorer.ItemResult{}.Failed(), scorer.ItemResult{Err: errors.New("the agent is down")}.Failed())
	// Output: false true
}

func ExampleJSONLines() {
	rows := strings.NewReader(`{"id":"7","question":"How long?","answer":"14 days.","context":["Refunds take 14 days."],"label":"ok"}` + "\n{")
	for item, err := range scorer.JSONLines(rows) {
		fmt.Println(item.ID, item.Input, item.Run.Context, item.Metadata, err)
	}
	// Output:
	// 7 How long? [Refunds take 14 days.] map[label:ok] <nil>
	// line 2  [] map[] line 2: it is no JSON object: unexpected end of JSON input
}

func ExampleCSV() {
	for item, err := range scorer.CSV(strings.NewReader("id,question,answer,context\n7,How long?,14 days.,Refunds take 14 days.\n")) {
		fmt.Println(item.ID, item.Input, item.Run.Context, err)
	}
	// Output: 7 How long? [Refunds take 14 days.] <nil>
}

func ExampleFunc() {
	r, err := words.Score(context.Background(), scorer.TextRun("", "Paris is the capital."))
	fmt.Println(words.ID(), r.Score, "of", r.Scale, err)
	// Output: words 4 of 10 <nil>
}

// canned is a judge that always gives the same reply.
type canned string

func (canned) Model() string { return "canned" }

func (c canned) Generate(context.Context, scorer.Prompt) (scorer.Reply, error) {
	return scorer.Reply{Text: string(c)}, nil
}

type opinion struct {
	Reason string `json:"reason"`
	Stars  int    `json:"stars"`
}

func ExampleNewCustom() {
	type state = scorer.State[any, opinion]
	s := scorer.NewCustom("tone", canned(`{"reason":"it greets","stars":4}`), scorer.Steps[any, opinion]{
		Scale: 5, HigherIsBetter: true,
		Analyze: func(ctx context.Context, j scorer.Judge, s state) (opinion, error) {
			return scorer.Ask[opinion](ctx, j, scorer.Prompt{Step: "tone/analyze@1", User: scorer.Fenced("answer", s.Output) + "\nHow friendly is it?"})
		},
		Score:  func(s state) (float64, error) { return float64(s.Analyzed.Stars), nil },
		Reason: func(_ context.Context, _ scorer.Judge, s state) (string, error) { return s.Analyzed.Reason, nil },
	})
	r, err := s.Score(context.Background(), scorer.TextRun("", "Hello!"))
	fmt.Println(s.ID(), r.Score, "of", r.Scale, "as", r.Reason, err)
	// Output: tone 4 of 5 as it greets <nil>
}

func ExampleAsk() {
	got, err := scorer.Ask[opinion](context.Background(), canned(`Sure! {"reason":"it greets","stars":4}`), scorer.Prompt{Step: "tone@1", User: "How friendly is it?"})
	fmt.Println(got, err)
	_, err = scorer.Ask[opinion](context.Background(), canned(`friendly`), scorer.Prompt{Step: "tone@1", User: "How friendly is it?"})
	fmt.Println(errors.Is(err, scorer.ErrBadReply))
	// Output:
	// {it greets 4} <nil>
	// true
}

func ExampleFenced() {
	fmt.Println(scorer.Fenced("answer", "Hello!"))
	// Output:
	// [answer a29ab5bb]
	// Hello!
	// [end a29ab5bb]
}

func ExampleNewFaithfulness() {
	s := scorer.NewFaithfulness(letter{}, scorer.FaithfulnessOptions{Context: []string{"Refunds take 14 days."}})
	r, err := s.Score(context.Background(), scorer.TextRun("", "Refunds take 14 days. Shipping is free."))
	fmt.Println(s.ID(), r.Score, err)
	r, err = s.Score(context.Background(), scorer.TextRun("", ""))
	fmt.Println(r.Score, r.Reason, err)
	// Output:
	// faithfulness 0.5 <nil>
	// 0 Nothing to check: the output is empty. <nil>
}

func ExampleNewAnswerRelevancy() {
	judge := canned(`{"verdicts":[{"statement":1,"reason":"it says when","verdict":"yes"},{"statement":2,"reason":"it is about hours","verdict":"unsure"}]}`)
	s := scorer.NewAnswerRelevancy(judge, scorer.AnswerRelevancyOptions{Statements: scorer.PerSentence})
	r, err := s.Score(context.Background(), scorer.TextRun("When does the museum open?", "It opens at 9. It has long hours in summer."))
	fmt.Println(s.ID(), r.Score, err)
	for _, v := range r.Verdicts {
		fmt.Printf("%s: %s (%s)\n", v.Kind, r.Claim(v.Claim).Text, v.Reason)
	}
	// Output:
	// answer-relevancy 0.65 <nil>
	// relevant: It opens at 9. (it says when)
	// unsure: It has long hours in summer. (it is about hours)
}

func ExampleParseMessages() {
	msgs, err := scorer.ParseMessages([]byte(`[
		{"role":"user","content":"Where is order 1234?"},
		{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"orders","arguments":"{\"order\":\"1234\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"{\"status\":\"shipped\"}"},
		{"role":"assistant","content":"It was shipped."}]`))
	run := scorer.MessagesRun(msgs)
	for _, r := range scorer.ExtractToolResults(run.Output) {
		fmt.Printf("%s(%s) = %s\n", r.Tool, r.Args, r.Result)
	}
	fmt.Println(run.Output[len(run.Output)-1].Text, err)
	// Output:
	// orders({"order":"1234"}) = {"status":"shipped"}
	// It was shipped. <nil>
}

func ExampleMessagesRun() {
	run := scorer.MessagesRun([]scorer.Message{
		{Role: scorer.User, Text: "Hello"}, {Role: scorer.Assistant, Text: "Hi!"},
		{Role: scorer.User, Text: "Where is Rome?"}, {Role: scorer.Assistant, Text: "In Italy."},
	})
	fmt.Println(len(run.Input), "messages in,", len(run.Output), "out:", run.Output[0].Text)
	// Output: 3 messages in, 1 out: In Italy.
}

func ExampleBound_IsMin() {
	fmt.Println(scorer.Min(1).IsMin(), scorer.Max(1).IsMin())
	// Output: true false
}

func ExampleResult_Check() {
	fmt.Println((&scorer.Result{Score: 2}).Check())
	// Output: the scorer gave the score 2, outside its scale from 0 to 1
}
