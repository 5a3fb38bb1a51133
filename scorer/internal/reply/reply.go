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
	found, err := objects(answer)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("%w: no complete JSON object in %s", ErrBad, excerpt(answer))
	}
	only, err := one(found, form)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBad, err)
	}
	if err := json.Unmarshal(only, into); err != nil {
		return fmt.Errorf("%w: %s", ErrBad, short(err.Error()))
	}
	return nil
}

// one gives the object that fits, which may stand there more than once.
func one(found []json.RawMessage, form *jsonschema.Resolved) (json.RawMessage, error) {
	var first, next bytes.Buffer
	var why error
	for _, object := range found {
		if err := fits(object, form); err != nil {
			why = err
			continue
		}
		next.Reset()
		if err := json.Compact(&next, object); err != nil {
			return nil, err
		}
		if first.Len() > 0 && !bytes.Equal(first.Bytes(), next.Bytes()) {
			return nil, fmt.Errorf("2 different answers in one reply: %s and %s", excerpt(first.String()), excerpt(next.String()))
		}
		first, next = next, first
	}
	if first.Len() == 0 {
		return nil, fmt.Errorf("%w in %s", why, excerpt(string(found[len(found)-1])))
	}
	return first.Bytes(), nil
}

func fits(object json.RawMessage, form *jsonschema.Resolved) error {
	if key := Doubled(object); key != "" {
		return fmt.Errorf("the key %s stands twice", excerpt(key))
	}
	var value any
	if err := json.Unmarshal(object, &value); err != nil { // a number out of range
		return errors.New(short(err.Error()))
	}
	if err := form.Validate(value); err != nil {
		return fmt.Errorf("the schema does not hold: %s", short(err.Error()))
	}
	return nil
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
	runes := 0
	for at := range s {
		if runes++; runes > most {
			return fmt.Sprintf("%q…", s[:at])
		}
	}
	return fmt.Sprintf("%q", s)
}

// short cuts what another package says: it may quote all of a reply.
func short(s string) string {
	const most = 300
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
