// Package reply reads the JSON that a judge was asked for out of what it
// answered. Servers ignore schemas at times and models add to them: thinking
// text, code fences and prose around the JSON are left aside; what is then
// not one clear answer is refused.
package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// ErrBad is wrapped by every error of Parse.
var ErrBad = errors.New("not the JSON that was asked for")

// Parse finds the one JSON object in text that fits schema and decodes it
// into the value that into points to.
func Parse(text string, schema json.RawMessage, into any) error {
	answer := strings.TrimSpace(withoutThinking(strings.TrimPrefix(text, "\ufeff")))
	if answer == "" {
		return fmt.Errorf("%w: the reply is empty", ErrBad)
	}
	form, err := compiled(schema)
	if err != nil {
		return err
	}
	found := objects(answer)
	if len(found) == 0 {
		return fmt.Errorf("%w: no complete JSON object in %s", ErrBad, excerpt(answer))
	}
	var fitting []json.RawMessage
	var why error
	for _, object := range found {
		if err := fits(object, form); err != nil {
			why = err
		} else if !contains(fitting, object) {
			fitting = append(fitting, object)
		}
	}
	switch len(fitting) {
	case 0:
		return fmt.Errorf("%w: %w in %s", ErrBad, why, excerpt(string(found[len(found)-1])))
	case 1:
		if err := json.Unmarshal(fitting[0], into); err != nil {
			return fmt.Errorf("%w: %w", ErrBad, err)
		}
		return nil
	}
	return fmt.Errorf("%w: %d different answers in one reply: %s", ErrBad, len(fitting), excerpt(answer))
}

var (
	thinking = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*?</(think|thinking|thought|reasoning)>`)
	opened   = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*$`)
	closed   = regexp.MustCompile(`(?is)^.*</(think|thinking|thought|reasoning)>`)
)

// withoutThinking drops what a model thought aloud, also where the opening or
// the closing mark is missing. Marks inside the JSON's own strings are part
// of the answer: only a reply that does not begin with JSON is searched.
func withoutThinking(text string) string {
	if trimmed := strings.TrimSpace(text); json.Valid([]byte(trimmed)) {
		return trimmed
	}
	text = thinking.ReplaceAllString(text, "")
	text = opened.ReplaceAllString(text, "")
	return closed.ReplaceAllString(text, "")
}

// objects lists the complete JSON objects of text that stand side by side;
// what is inside another object is part of it.
func objects(text string) []json.RawMessage {
	var found []json.RawMessage
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return found
		}
		text = text[start:]
		var object json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		if err := d.Decode(&object); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return found // cut: what follows are pieces of it
			}
			text = text[1:]
			continue
		}
		found = append(found, object)
		text = text[d.InputOffset():]
	}
}

func contains(list []json.RawMessage, object json.RawMessage) bool {
	for _, other := range list {
		var a, b bytes.Buffer
		if json.Compact(&a, other) == nil && json.Compact(&b, object) == nil && bytes.Equal(a.Bytes(), b.Bytes()) {
			return true
		}
	}
	return false
}

func fits(object json.RawMessage, form *jsonschema.Resolved) error {
	if key := doubled(object); key != "" {
		return fmt.Errorf("the key %q stands twice", key)
	}
	var value any
	if err := json.Unmarshal(object, &value); err != nil {
		return err
	}
	if err := form.Validate(value); err != nil {
		return fmt.Errorf("the schema does not hold: %w", err)
	}
	return nil
}

// doubled gives a key that an object has twice, in whatever case: decoders
// would take one of the two values without a word.
func doubled(object json.RawMessage) string {
	type level struct {
		keys  map[string]bool // nil in an array
		isKey bool
	}
	var stack []level
	d := json.NewDecoder(bytes.NewReader(object))
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		top := len(stack) - 1
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				stack = append(stack, level{map[string]bool{}, true})
				continue
			case '[':
				stack = append(stack, level{})
				continue
			}
			stack = stack[:top]
			top--
		case string:
			if top >= 0 && stack[top].isKey {
				key := strings.ToLower(token)
				if stack[top].keys[key] {
					return token
				}
				stack[top].keys[key] = true
				stack[top].isKey = false
				continue
			}
		}
		if top >= 0 && stack[top].keys != nil {
			stack[top].isKey = true // a value has ended
		}
	}
}

var compiledSchemas sync.Map // schema text to *jsonschema.Resolved

func compiled(schema json.RawMessage) (*jsonschema.Resolved, error) {
	if form, ok := compiledSchemas.Load(string(schema)); ok {
		return form.(*jsonschema.Resolved), nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("reply: schema: %w", err)
	}
	form, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("reply: schema: %w", err)
	}
	compiledSchemas.Store(string(schema), form)
	return form, nil
}

// excerpt quotes the start of a reply.
func excerpt(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", s)
}
