package ollama

import (
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/evaltest/go-evaltest/scorer"
)

// Messages turns a conversation in Ollama's types into a scorer's: what the
// assistant asked of tools and what the tools' messages answered become
// ToolResults, which scorer.ExtractToolResults pairs. scorer.MessagesRun makes
// a run of them. A message of an unknown role is an error.
func Messages(msgs []api.Message) ([]scorer.Message, error) {
	var list []scorer.Message
	for i, m := range msgs {
		msg := scorer.Message{Role: scorer.Role(m.Role), Text: m.Content}
		for _, c := range m.ToolCalls {
			args, err := json.Marshal(c.Function.Arguments)
			if err != nil {
				return nil, fmt.Errorf("ollama: messages[%d]: arguments of %s: %w", i, c.Function.Name, err)
			}
			msg.ToolResults = append(msg.ToolResults, scorer.ToolResult{CallID: c.ID, Tool: c.Function.Name, Args: args})
		}
		switch msg.Role {
		case scorer.System, scorer.User, scorer.Assistant:
		case scorer.Tool:
			msg.Text = ""
			msg.ToolResults = append(msg.ToolResults, scorer.ToolResult{CallID: m.ToolCallID, Tool: m.ToolName, Result: result(m.Content)})
		default:
			return nil, fmt.Errorf("ollama: messages[%d] has the role %.100q: it must be system, user, assistant or tool", i, m.Role)
		}
		list = append(list, msg)
	}
	return list, nil
}

// result is a tool's answer as JSON: the content itself where it is JSON.
func result(content string) json.RawMessage {
	if json.Valid([]byte(content)) {
		return json.RawMessage(content)
	}
	quoted, _ := json.Marshal(content) // a string always marshals
	return quoted
}
