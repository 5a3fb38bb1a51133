package scorer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ParseMessages reads a message list in JSON: an array, or an object whose
// member messages, input or output is one. It knows the shapes that agents use:
// OpenAI's chat completions (tool_calls, and role tool with tool_call_id) and
// responses (function_call and function_call_output items), Anthropic's content
// blocks (tool_use, tool_result), Ollama's, Gemini's parts, and those of the
// AI SDK and Mastra (toolInvocations, tool parts, tool-call and tool-result
// content). What is neither text nor a tool's, such as images and thinking, is
// left out. A message of an unknown role, or with content of another kind, is
// an error that says which.
func ParseMessages(data []byte) ([]Message, error) {
	list, err := messageList(data)
	if err != nil {
		return nil, fmt.Errorf("message list: %w", err)
	}
	var msgs []Message
	for i, raw := range list {
		var m rawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("message list: messages[%d]: %w", i, err)
		}
		msg, err := m.message()
		if err != nil {
			return nil, fmt.Errorf("message list: messages[%d]: %w", i, err)
		}
		msgs = append(msgs, msg)
	}
	return msgs, nil
}

func messageList(data []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	err := json.Unmarshal(data, &list)
	if err == nil && list != nil {
		return list, nil
	}
	var holder struct{ Messages, Input, Output []json.RawMessage }
	if json.Unmarshal(data, &holder) == nil {
		for _, list := range [][]json.RawMessage{holder.Messages, holder.Input, holder.Output} {
			if list != nil {
				return list, nil
			}
		}
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	return nil, errors.New("it is neither a JSON array of messages nor an object with one in messages")
}

// rawMessage has the members of all shapes.
type rawMessage struct {
	Role, Type, Name string
	Content          json.RawMessage
	Parts            []json.RawMessage
	ToolCalls        []rawCall `json:"tool_calls"`
	FunctionCall     *rawCall  `json:"function_call"`
	ToolName         string    `json:"tool_name"`
	ToolInvocations  []rawTool `json:"toolInvocations"`
	rawTool                    // of the items of OpenAI's responses, and IDs
}

// rawCall is a call as OpenAI and Ollama write it, in an assistant's message.
type rawCall struct {
	ID       string
	Function struct {
		Name      string
		Arguments json.RawMessage
	}
	Name      string
	Arguments json.RawMessage
}

var roles = map[string]Role{
	"system": System, "developer": System,
	"user": User, "human": User,
	"assistant": Assistant, "ai": Assistant, "model": Assistant,
	"tool": Tool, "function": Tool,
}

func (m rawMessage) message() (Message, error) {
	m.rawTool.Name = m.Name // which the members of this level hide
	switch m.Type {
	case "function_call", "custom_tool_call": // items of OpenAI's responses
		return Message{Role: Assistant, ToolResults: []ToolResult{m.call()}}, nil
	case "function_call_output", "custom_tool_call_output":
		return Message{Role: Tool, ToolResults: []ToolResult{m.result()}}, nil
	case "reasoning":
		return Message{Role: Assistant}, nil
	}
	name := cmp.Or(m.Role, m.Type)
	role, known := roles[name]
	if !known {
		return Message{}, fmt.Errorf("the role %.100q is not known: it must be system, user, assistant or tool", name)
	}
	msg := Message{Role: role}
	if role == Tool && len(m.Parts) == 0 && !m.hasToolParts() {
		result, err := resultOf(m.Content)
		tool := ToolResult{CallID: m.id(), Tool: cmp.Or(m.ToolName, m.rawTool.ToolName, m.Name), Result: result}
		msg.ToolResults = []ToolResult{tool}
		return msg, err
	}
	for _, c := range m.ToolCalls {
		msg.ToolResults = append(msg.ToolResults, c.call())
	}
	if m.FunctionCall != nil {
		msg.ToolResults = append(msg.ToolResults, m.FunctionCall.call())
	}
	var b body
	err := b.add(m)
	msg.Text = strings.Join(b.texts, "\n\n")
	msg.ToolResults = append(msg.ToolResults, b.tools...)
	return msg, err
}

// hasToolParts: a tool's message that holds its results as content parts.
func (m rawMessage) hasToolParts() bool {
	return bytes.Contains(m.Content, []byte(`"tool-result"`)) || bytes.Contains(m.Content, []byte(`"tool_result"`))
}

func (c rawCall) call() ToolResult {
	args := c.Function.Arguments
	if args == nil {
		args = c.Arguments
	}
	return ToolResult{CallID: c.ID, Tool: cmp.Or(c.Function.Name, c.Name), Args: unquoted(args)}
}

// body collects the text and the tools of a message.
type body struct {
	texts []string
	tools []ToolResult
}

func (b *body) add(m rawMessage) error {
	for _, raw := range m.Parts {
		if err := b.part(raw); err != nil {
			return err
		}
	}
	hadText := len(b.texts) > 0
	for _, t := range m.ToolInvocations {
		b.tools = append(b.tools, t.result())
	}
	return b.content(m.Content, hadText)
}

// content adds what a message's member content holds: a string, a list of
// parts, or, in Mastra's messages, an object with parts of its own. A string
// beside parts with text repeats them.
func (b *body) content(raw json.RawMessage, hadText bool) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		return nil
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
		if text != "" && !hadText {
			b.texts = append(b.texts, text)
		}
		return nil
	case raw[0] == '[':
		var parts []json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return err
		}
		for _, part := range parts {
			if err := b.part(part); err != nil {
				return err
			}
		}
		return nil
	case raw[0] == '{':
		var m rawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		return b.add(m)
	}
	return fmt.Errorf("its content is %.50s: it must be a string or a list of parts", raw)
}

// rawPart has the members of the parts of all shapes.
type rawPart struct {
	Text           words
	Refusal, Name  string
	ID             string
	ToolUseID      string `json:"tool_use_id"`
	Content        json.RawMessage
	ToolInvocation *rawTool `json:"toolInvocation"`
	FunctionCall   *struct {
		ID, Name string
		Args     json.RawMessage
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID, Name string
		Response json.RawMessage
	} `json:"functionResponse"`
	rawTool
}

// words are a text, also where it is an object's value.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var holder struct{ Value string }
	if json.Unmarshal(data, &holder) == nil {
		*w = words(holder.Value)
		return nil
	}
	return json.Unmarshal(data, (*string)(w))
}

func (b *body) part(raw json.RawMessage) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		b.texts = append(b.texts, text)
		return nil
	}
	var kind struct{ Type string }
	var p rawPart
	if err := errors.Join(json.Unmarshal(raw, &kind), json.Unmarshal(raw, &p)); err != nil {
		return fmt.Errorf("a part of its content cannot be read: %w", err)
	}
	switch {
	case kind.Type == "text" || kind.Type == "input_text" || kind.Type == "output_text" || kind.Type == "" && p.Text != "":
		b.texts = append(b.texts, string(p.Text))
	case kind.Type == "refusal":
		b.texts = append(b.texts, p.Refusal)
	case kind.Type == "tool_use":
		b.tools = append(b.tools, ToolResult{CallID: p.ID, Tool: p.Name, Args: p.Input})
	case kind.Type == "tool_result":
		result, err := resultOf(p.Content)
		if err != nil {
			return err
		}
		b.tools = append(b.tools, ToolResult{CallID: p.ToolUseID, Result: result})
	case p.ToolInvocation != nil:
		b.tools = append(b.tools, p.ToolInvocation.result())
	case p.FunctionCall != nil:
		b.tools = append(b.tools, ToolResult{CallID: p.FunctionCall.ID, Tool: p.FunctionCall.Name, Args: p.FunctionCall.Args})
	case p.FunctionResponse != nil:
		b.tools = append(b.tools, ToolResult{CallID: p.FunctionResponse.ID, Tool: p.FunctionResponse.Name, Result: p.FunctionResponse.Response})
	case strings.HasPrefix(kind.Type, "tool-") || kind.Type == "dynamic-tool":
		if name := strings.TrimPrefix(kind.Type, "tool-"); name != "call" && name != "result" && kind.Type != "dynamic-tool" {
			p.ToolName = cmp.Or(p.ToolName, name)
		}
		b.tools = append(b.tools, p.result())
	}
	return nil
}

// rawTool is a tool's use as the AI SDK, Mastra and OpenAI's responses write it.
type rawTool struct {
	ToolCallID  string `json:"toolCallId"`
	ToolCallID2 string `json:"tool_call_id"`
	CallID      string `json:"call_id"`
	ToolName    string `json:"toolName"`
	Name        string
	Args        json.RawMessage
	Arguments   json.RawMessage
	Input       json.RawMessage
	Result      json.RawMessage
	Output      json.RawMessage
	State       string
	ErrorText   string `json:"errorText"`
	Preliminary bool
}

func (t rawTool) id() string { return cmp.Or(t.ToolCallID, t.ToolCallID2, t.CallID) }

// call is the use without what came of it.
func (t rawTool) call() ToolResult {
	args := t.Args
	for _, other := range []json.RawMessage{t.Arguments, t.Input} {
		if args == nil {
			args = other
		}
	}
	return ToolResult{CallID: t.id(), Tool: cmp.Or(t.ToolName, t.Name), Args: unquoted(args)}
}

// result is what came of it; its Result is nil where nothing has yet.
func (t rawTool) result() ToolResult {
	r := t.call()
	switch {
	case t.Preliminary, t.State == "call", t.State == "partial-call", strings.HasPrefix(t.State, "input-"):
	case t.ErrorText != "":
		r.Result = quoted(t.ErrorText)
	case t.Result != nil:
		r.Result = unquoted(inner(t.Result))
	case t.Output != nil:
		r.Result = unquoted(inner(t.Output))
	}
	return r
}

// inner takes the AI SDK's wrapping off a result: {"type":"json","value":…}.
func inner(raw json.RawMessage) json.RawMessage {
	var wrapped map[string]json.RawMessage
	if json.Unmarshal(raw, &wrapped) != nil || len(wrapped) != 2 || wrapped["value"] == nil {
		return raw
	}
	switch string(wrapped["type"]) {
	case `"text"`, `"json"`, `"error-text"`, `"error-json"`, `"content"`:
		return wrapped["value"]
	}
	return raw
}

// resultOf is a tool's answer as JSON. A text that is JSON stands for it; that
// of several parts is joined.
func resultOf(content json.RawMessage) (json.RawMessage, error) {
	var b body
	if trimmed := bytes.TrimSpace(content); len(trimmed) > 0 && trimmed[0] == '{' {
		return trimmed, nil
	}
	if err := b.content(content, false); err != nil {
		return nil, err
	}
	return unquoted(quoted(strings.Join(b.texts, "\n"))), nil
}

// unquoted is the JSON that a JSON string holds, or the value as it is.
func unquoted(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return raw
}

func quoted(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string always marshals
	return raw
}
