package scorer

import (
	"encoding/json"
	"slices"
	"strings"
)

// Role says who a Message is from.
type Role string

// The roles of messages.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Run is one run of the system under test: what went in, what came out and
// what the output may rely on.
type Run struct {
	ID            string
	Input, Output []Message
	// Context holds the passages that the output must be supported by.
	Context  []string
	Metadata map[string]any
}

// Message is one message of a conversation, in any role. Its ToolResults are
// what tools returned, or, without a Result, what they were asked.
type Message struct {
	Role        Role
	Text        string
	ToolResults []ToolResult
}

// ToolResult is what one tool call returned, in JSON. Without a Result it is
// the call alone; CallID pairs the two.
type ToolResult struct {
	CallID, Tool string
	Args, Result json.RawMessage
}

// TextRun is a Run with one question and one answer. An empty input stands
// for no question.
func TextRun(input, output string) Run {
	var run Run
	if input != "" {
		run.Input = []Message{{Role: User, Text: input}}
	}
	run.Output = []Message{{Role: Assistant, Text: output}}
	return run
}

// MessagesRun is the Run that ends a conversation: its input goes up to the
// last message with words of the user's, its output is what follows, tool calls
// and their results included.
func MessagesRun(msgs []Message) Run {
	cut := 0
	for i, m := range msgs {
		if m.Role == User && strings.TrimSpace(m.Text) != "" {
			cut = i + 1
		}
	}
	return Run{Input: slices.Clone(msgs[:cut]), Output: slices.Clone(msgs[cut:])}
}

// question is what the user asked: the text of the user's messages.
func (r Run) question() string { return joinText(r.Input, User) }

// lastQuestion is what the user asked last.
func (r Run) lastQuestion() string {
	for _, m := range slices.Backward(r.Input) {
		if (m.Role == User || m.Role == "") && strings.TrimSpace(m.Text) != "" {
			return m.Text
		}
	}
	return ""
}

// output is the text that is judged: the assistant's messages. A message
// without a role counts as the assistant's.
func (r Run) output() string { return joinText(r.Output, Assistant) }

func joinText(msgs []Message, role Role) string {
	var texts []string
	for _, m := range msgs {
		if (m.Role == role || m.Role == "") && m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
