package reply

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Finding the objects may cost so much: of this many bytes for each byte of
// the reply, and of openCost for each place where an object may begin. Text
// that opens objects and breaks them off, one inside the other, would
// otherwise be read over and over again.
const (
	readsOver = 4
	openCost  = 4 << 10
	freeReads = 4 << 20
)

// objects lists the complete JSON objects of text that stand side by side;
// what is inside another object is part of it.
func objects(text string) ([]json.RawMessage, error) {
	var found []json.RawMessage
	for left := freeReads + readsOver*len(text); ; {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return found, nil
		}
		text = text[start:]
		if !opens(text) {
			text = text[1:]
			continue
		}
		if left <= 0 {
			return nil, fmt.Errorf("%w: too many objects, or pieces of them, up to %s", ErrBad, excerpt(text))
		}
		var object json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		err := d.Decode(&object)
		var syntax *json.SyntaxError
		switch {
		case err == nil:
			found = append(found, object)
			text = text[d.InputOffset():]
		case errors.Is(err, io.ErrUnexpectedEOF):
			return found, nil // cut: what follows are pieces of it
		case errors.As(err, &syntax):
			left -= int(syntax.Offset)
			text = text[1:]
		default:
			text = text[1:]
		}
		left -= openCost
	}
}

// opens reports whether the brace that text begins with may open an object.
func opens(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return rest == "" || rest[0] == '"' || rest[0] == '}'
}
