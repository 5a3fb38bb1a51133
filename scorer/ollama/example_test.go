package ollama_test

import (
	"context"
	"fmt"
	"github.com/ollama/ollama/api"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/ollama"
)

func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"message":{"role":"assistant","content":"Four."},"done":true,"done_reason":"stop"}`)
	}))
	defer server.Close()
	host, _ := url.Parse(server.URL)

	judge, err := ollama.New(server.Client(), "llama3.2", ollama.Options{Host: host})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := judge.Generate(context.Background(), scorer.Prompt{User: "What is two and two?"})
	fmt.Println(judge.Model(), "says:", reply.Text, err)
	// Output: llama3.2 says: Four. <nil>
}

func ExampleMessages() {
	args := api.NewToolCallFunctionArguments()
	args.Set("order", "1234")
	msgs, err := ollama.Messages([]api.Message{
		{Role: "user", Content: "Where is my order?"},
		{Role: "assistant", ToolCalls: []api.ToolCall{{ID: "c1", Function: api.ToolCallFunction{Name: "orders", Arguments: args}}}},
		{Role: "tool", ToolName: "orders", ToolCallID: "c1", Content: `{"status":"shipped"}`},
		{Role: "assistant", Content: "It was shipped."},
	})
	for _, r := range scorer.ExtractToolResults(msgs) {
		fmt.Printf("%s(%s) = %s %v\n", r.Tool, r.Args, r.Result, err)
	}
	// Output: orders({"order":"1234"}) = {"status":"shipped"} <nil>
}
