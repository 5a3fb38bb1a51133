package scorer

import (
	"bytes"
	"encoding/json"
	"slices"
)

// ExtractToolResults lists what tools returned in a conversation, in order,
// whichever message carries it: a tool's own, or an assistant's with the call.
// A ToolResult without a Result is a call: it names the tool and the arguments
// of the result with its CallID, or, where there are no IDs, of the first one
// after it from the same tool. A call that has no result is left out, and so
// is a result that stands there twice.
func ExtractToolResults(msgs []Message) []ToolResult {
	var calls, results []ToolResult
	for _, m := range msgs {
		for _, t := range m.ToolResults {
			if len(t.Result) == 0 {
				calls = append(calls, t)
				continue
			}
			if i := slices.IndexFunc(calls, t.answers); i >= 0 {
				t = t.asCalled(calls[i])
				calls = slices.Delete(calls, i, i+1)
			}
			if !slices.ContainsFunc(results, t.repeats) {
				results = append(results, t)
			}
		}
	}
	return results
}

// answers reports whether t is the result of call.
func (t ToolResult) answers(call ToolResult) bool {
	if t.CallID != "" || call.CallID != "" {
		return t.CallID == call.CallID
	}
	return t.Tool == "" || call.Tool == "" || t.Tool == call.Tool
}

// asCalled fills in what only the call says.
func (t ToolResult) asCalled(call ToolResult) ToolResult {
	if t.Tool == "" {
		t.Tool = call.Tool
	}
	if t.Args == nil {
		t.Args = call.Args
	}
	return t
}

// repeats reports whether another message has carried t already.
func (t ToolResult) repeats(before ToolResult) bool {
	return t.CallID != "" && t.CallID == before.CallID && sameJSON(t.Result, before.Result)
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}
