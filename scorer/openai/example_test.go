package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/openai"
)

// server stands for any that speaks OpenAI's chat completions.
func server() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"content":"Paris."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`)
	}))
}

func ExampleNew() {
	s := server()
	defer s.Close()
	judge, err := openai.New(nil, "qwen3", openai.Options{BaseURL: s.URL + "/v1", ContextTokens: 40960})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := judge.Generate(context.Background(), scorer.Prompt{User: "What is the capital of France?"})
	fmt.Println(judge.Model(), reply.Text, err)
	// Output: qwen3 Paris. <nil>
}
