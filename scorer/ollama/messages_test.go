package ollama

import (
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

func call(id, name, key, value string) api.ToolCall {
	args := api.NewToolCallFunctionArguments()
	args.Set(key, value)
	return api.ToolCall{ID: id, Function: api.ToolCallFunction{Name: name, Arguments: args}}
}

func TestMessagesCarryCallsAndResults(t *testing.T) {
	for name, ids := range map[string][2]string{"with IDs": {"a", "b"}, "without": {"", ""}} {
		t.Run(name, func(t *testing.T) {
			msgs, err := Messages([]api.Message{
				{Role: "system", Content: "Be brief."},
				{Role: "user", Content: "How warm are Rome and Oslo?"},
				{Role: "assistant", Thinking: "Hm.", ToolCalls: []api.ToolCall{call(ids[0], "weather", "city", "Rome"), call(ids[1], "weather", "city", "Oslo"), call("", "unanswered", "x", "y")}},
				{Role: "tool", ToolName: "weather", ToolCallID: ids[0], Content: `{"celsius":21}`},
				{Role: "tool", ToolName: "weather", ToolCallID: ids[1], Content: "four degrees"},
				{Role: "assistant", Content: "21 and 4 degrees."},
			})
			require.NoError(t, err)
			run := scorer.MessagesRun(msgs)
			assert.Len(t, run.Input, 2)
			assert.Equal(t, "21 and 4 degrees.", run.Output[len(run.Output)-1].Text)
			var got []string
			for _, r := range scorer.ExtractToolResults(run.Output) {
				got = append(got, r.Tool+string(r.Args)+string(r.Result))
			}
			assert.Equal(t, []string{`weather{"city":"Rome"}{"celsius":21}`, `weather{"city":"Oslo"}"four degrees"`}, got)
		})
	}
}

func TestAMessageOfAnUnknownRoleIsAnError(t *testing.T) {
	_, err := Messages([]api.Message{{Role: "user"}, {Role: "robot"}})
	assert.ErrorContains(t, err, `messages[1] has the role "robot"`)
}
