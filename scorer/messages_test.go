package scorer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every shape holds one conversation: a question, a call of the tool weather,
// its result and the answer.
var shapes = map[string]string{
	"OpenAI chat completions": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"{\"celsius\":21}"},
		{"role":"assistant","content":"It is 21 degrees."}]`,
	"OpenAI chat completions in parts": `{"messages":[
		{"role":"user","content":[{"type":"text","text":"How warm is it in Rome?"},{"type":"image_url","image_url":{"url":"x"}}]},
		{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"{\"celsius\":21}"}]},
		{"role":"assistant","content":[{"type":"text","text":"It is 21 degrees."}]}]}`,
	"OpenAI functions": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":"","function_call":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}},
		{"role":"function","name":"weather","content":"{\"celsius\":21}"},
		{"role":"assistant","content":"It is 21 degrees."}]`,
	"OpenAI responses": `[
		{"type":"message","role":"user","content":[{"type":"input_text","text":"How warm is it in Rome?"}]},
		{"type":"reasoning","summary":[]},
		{"type":"function_call","call_id":"c1","name":"weather","arguments":"{\"city\":\"Rome\"}"},
		{"type":"function_call_output","call_id":"c1","output":"{\"celsius\":21}"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is 21 degrees."}]}]`,
	"Anthropic": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c1","name":"weather","input":{"city":"Rome"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"celsius\":21}"}]}]},
		{"role":"assistant","content":[{"type":"text","text":"It is 21 degrees."}]}]`,
	"Ollama": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":"","tool_calls":[{"function":{"name":"weather","arguments":{"city":"Rome"}}}]},
		{"role":"tool","tool_name":"weather","content":"{\"celsius\":21}"},
		{"role":"assistant","content":"It is 21 degrees."}]`,
	"Gemini": `[
		{"role":"user","parts":[{"text":"How warm is it in Rome?"}]},
		{"role":"model","parts":[{"functionCall":{"name":"weather","args":{"city":"Rome"}}}]},
		{"role":"function","parts":[{"functionResponse":{"name":"weather","response":{"celsius":21}}}]},
		{"role":"model","parts":[{"text":"It is 21 degrees."}]}]`,
	"AI SDK, core messages": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"weather","args":{"city":"Rome"}}]},
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"weather","output":{"type":"json","value":{"celsius":21}}}]},
		{"role":"assistant","content":[{"type":"text","text":"It is 21 degrees."}]}]`,
	"AI SDK 4, invocations and parts of one message": `[
		{"role":"user","content":"How warm is it in Rome?"},
		{"role":"assistant","content":"It is 21 degrees.",
		 "toolInvocations":[{"state":"result","toolCallId":"c1","toolName":"weather","args":{"city":"Rome"},"result":{"celsius":21}}],
		 "parts":[{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"c1","toolName":"weather","args":{"city":"Rome"},"result":{"celsius":21}}},{"type":"text","text":"It is 21 degrees."}]}]`,
	"AI SDK 5, tool parts": `[
		{"role":"user","parts":[{"type":"text","text":"How warm is it in Rome?"}]},
		{"role":"assistant","parts":[{"type":"tool-weather","toolCallId":"c1","state":"output-available","input":{"city":"Rome"},"output":{"celsius":21}},{"type":"text","text":"It is 21 degrees."}]}]`,
	"AI SDK 5, dynamic tool": `[
		{"role":"user","parts":[{"type":"text","text":"How warm is it in Rome?"}]},
		{"role":"assistant","parts":[{"type":"dynamic-tool","toolName":"weather","toolCallId":"c1","state":"output-available","input":{"city":"Rome"},"output":{"celsius":21}},{"type":"text","text":"It is 21 degrees."}]}]`,
	"Mastra": `[
		{"role":"user","content":{"format":2,"parts":[{"type":"text","text":"How warm is it in Rome?"}],"content":"How warm is it in Rome?"}},
		{"role":"assistant","content":{"format":2,"parts":[{"type":"text","text":"It is 21 degrees."}],"content":"It is 21 degrees.",
		 "toolInvocations":[{"state":"result","toolCallId":"c1","toolName":"weather","args":{"city":"Rome"},"result":{"celsius":21}}]}}]`,
}

func TestEveryShapeOfAMessageListGivesTheSameRun(t *testing.T) {
	for name, list := range shapes {
		t.Run(name, func(t *testing.T) {
			msgs, err := ParseMessages([]byte(list))
			require.NoError(t, err)
			run := MessagesRun(msgs)
			assert.Equal(t, "How warm is it in Rome?", run.question())
			assert.Equal(t, "It is 21 degrees.", run.output())
			results := ExtractToolResults(run.Output)
			require.Len(t, results, 1)
			assert.Equal(t, "weather", results[0].Tool)
			assert.JSONEq(t, `{"city":"Rome"}`, string(results[0].Args))
			assert.JSONEq(t, `{"celsius":21}`, string(results[0].Result))
		})
	}
}

func TestToolResultsKeepTheirOrderAndPairWithTheirCalls(t *testing.T) {
	for name, c := range map[string]struct {
		list string
		want []string // tool, arguments and result
	}{
		"results in another order than their calls": {`[
			{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{\"n\":1}"}},{"id":"b","function":{"name":"two","arguments":"{\"n\":2}"}}]},
			{"role":"tool","tool_call_id":"b","content":"second"},
			{"role":"tool","tool_call_id":"a","content":"first"}]`,
			[]string{`two {"n":2} "second"`, `one {"n":1} "first"`}},
		"one tool called twice, without IDs": {`[
			{"role":"assistant","tool_calls":[{"function":{"name":"one","arguments":{"n":1}}},{"function":{"name":"one","arguments":{"n":2}}}]},
			{"role":"tool","tool_name":"one","content":"first"},
			{"role":"tool","tool_name":"one","content":"second"}]`,
			[]string{`one {"n":1} "first"`, `one {"n":2} "second"`}},
		"a call without a result is no context": {`[
			{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{}"}},{"id":"b","function":{"name":"two","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"b","content":"only"}]`,
			[]string{`two {} "only"`}},
		"an invocation that has no result yet": {`[
			{"role":"assistant","toolInvocations":[{"state":"call","toolCallId":"a","toolName":"one","args":{}}]},
			{"role":"assistant","parts":[{"type":"tool-one","toolCallId":"b","state":"input-available","input":{}}]},
			{"role":"assistant","parts":[{"type":"tool-one","toolCallId":"c","state":"output-available","input":{},"output":1,"preliminary":true}]}]`, nil},
		"a call is answered once, though its ID comes back": {`[
			{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{\"n\":1}"}}]},
			{"role":"tool","tool_call_id":"a","content":"first"},
			{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{\"n\":2}"}}]},
			{"role":"tool","tool_call_id":"a","content":"second"}]`,
			[]string{`one {"n":1} "first"`, `one {"n":2} "second"`}},
		"a result that nothing calls": {`[{"role":"tool","tool_call_id":"z","content":"text"}]`, []string{`  "text"`}},
		"a tool that gives null, and one that fails": {`[
			{"role":"assistant","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"one","args":{},"result":null}]},
			{"role":"assistant","parts":[{"type":"tool-two","toolCallId":"b","state":"output-error","input":{},"errorText":"no such order"}]}]`,
			[]string{`one {} null`, `two {} "no such order"`}},
	} {
		t.Run(name, func(t *testing.T) {
			msgs, err := ParseMessages([]byte(c.list))
			require.NoError(t, err)
			var got []string
			for _, r := range ExtractToolResults(msgs) {
				got = append(got, r.Tool+" "+string(r.Args)+" "+string(r.Result))
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestARunOfMessagesBeginsItsOutputAfterTheLastQuestion(t *testing.T) {
	say := func(r Role, s string) Message { return Message{Role: r, Text: s} }
	run := MessagesRun([]Message{
		say(System, "be brief"), say(User, "Where is Rome?"), say(Assistant, "In Italy."), say(User, "And Paris?"),
		{Role: Assistant, ToolResults: []ToolResult{{CallID: "1", Tool: "map"}}},
		{Role: User, ToolResults: []ToolResult{{CallID: "1", Result: json.RawMessage(`"France"`)}}},
		say(Assistant, "In France."),
	})
	assert.Equal(t, "And Paris?", run.lastQuestion())
	assert.Equal(t, "In France.", run.output())
	assert.Len(t, ExtractToolResults(run.Output), 1)
	assert.Equal(t, "In Rome.", MessagesRun([]Message{say(Assistant, "In Rome.")}).output(), "no question")
}

func TestAMessageListThatIsNoneIsAnErrorThatSaysWhere(t *testing.T) {
	for list, want := range map[string]string{
		``:                                "not JSON",
		`{"a":1}`:                         "neither",
		`null`:                            "neither",
		`"hello"`:                         "neither",
		`[{"role":"user"},{"role":"x"}]`:  `messages[1]: the role "x" is not known`,
		`[{"role":"user","content":7}]`:   "messages[0]: its content is 7",
		`[{"role":"user","content":[7]}]`: "messages[0]: a part of its content",
		`[7]`:                             "messages[0]",
	} {
		_, err := ParseMessages([]byte(list))
		assert.ErrorContains(t, err, want, list)
	}
}

func FuzzParseMessagesGivesMessagesOrAnError(f *testing.F) {
	for _, list := range shapes {
		f.Add([]byte(list))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		msgs, err := ParseMessages(data)
		if err != nil {
			assert.Nil(t, msgs)
			return
		}
		for _, r := range ExtractToolResults(msgs) {
			assert.True(t, json.Valid(r.Result), "%q", r.Result)
		}
	})
}
