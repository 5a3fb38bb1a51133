package scorer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// What the members of a row are called, the first that is there counting. All
// others become metadata.
var (
	inputNames   = []string{"input", "question", "query", "user_input"}
	outputNames  = []string{"output", "answer", "response", "actual_output"}
	contextNames = []string{"context", "contexts", "retrieved_contexts", "retrieval_context"}
)

// JSONLines reads items from JSON Lines, an object a line: id, input (or
// question), output (or answer), context (a string or a list of strings),
// messages (as ParseMessages reads them, instead of input and output) and
// metadata; other members are metadata too. An item without an id is called
// "line N". A line that cannot be read is an item with an error; a file that
// cannot is an ErrData.
func JSONLines(from io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		number := 0
		for line, err := range lines(from) {
			number++
			if err != nil {
				yield(Item{}, fmt.Errorf("%w: line %d: %w", ErrData, number, err))
				return
			}
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			name := fmt.Sprintf("line %d", number)
			item, err := itemOf(line)
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			if item.ID == "" {
				item.ID = name
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

func itemOf(line []byte) (item Item, err error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		return item, fmt.Errorf("it is no JSON object: %w", err)
	}
	if row == nil {
		return item, errors.New("it is no JSON object but null")
	}
	if item.ID, err = textOf(member(row, "id")); err != nil {
		return Item{}, fmt.Errorf("id: %w", err)
	}
	if item.Input, err = textOf(member(row, inputNames...)); err != nil {
		return item, fmt.Errorf("input: %w", err)
	}
	output, err := textOf(member(row, outputNames...))
	if err != nil {
		return item, fmt.Errorf("output: %w", err)
	}
	item.Run = TextRun(item.Input, output)
	if messages := member(row, "messages"); messages != nil {
		msgs, err := ParseMessages(messages)
		if err != nil {
			return item, err
		}
		item.Run = MessagesRun(msgs)
		if item.Input == "" {
			item.Input = item.Run.lastQuestion()
		}
	}
	if item.Run.Context, err = passagesOf(member(row, contextNames...)); err != nil {
		return item, fmt.Errorf("context: %w", err)
	}
	if metadata := member(row, "metadata"); metadata != nil {
		if err := json.Unmarshal(metadata, &item.Metadata); err != nil {
			return item, errors.New("metadata: it must be an object")
		}
	}
	for name, raw := range row {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return item, fmt.Errorf("%s: %w", name, err)
		}
		if item.Metadata == nil {
			item.Metadata = map[string]any{}
		}
		if _, there := item.Metadata[name]; !there {
			item.Metadata[name] = value
		}
	}
	item.Run.Metadata = item.Metadata
	return item, nil
}

// member takes the first member of these names off a row.
func member(row map[string]json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		if raw, ok := row[name]; ok {
			delete(row, name)
			return raw
		}
	}
	return nil
}

// textOf is a string, or a number as it is written; nothing is "".
func textOf(raw json.RawMessage) (string, error) {
	var text *string
	var n json.Number
	switch {
	case raw == nil, string(raw) == "null":
		return "", nil
	case json.Unmarshal(raw, &text) == nil:
		return *text, nil
	case json.Unmarshal(raw, &n) == nil:
		return n.String(), nil
	}
	return "", fmt.Errorf("it must be a string, not %.40s", raw)
}

// passagesOf is a list of strings; a bare string is a list of one. Without
// any it is nil, and the scorer's own context counts.
func passagesOf(raw json.RawMessage) ([]string, error) {
	var list []string
	var one string
	switch {
	case raw == nil, string(raw) == "null":
		return nil, nil
	case json.Unmarshal(raw, &one) == nil:
		return []string{one}, nil
	case json.Unmarshal(raw, &list) == nil:
		return list, nil
	}
	return nil, fmt.Errorf("it must be a string or a list of strings, not %.40s", raw)
}

// CSV reads items from comma-separated values with a header, whose columns are
// called as JSONLines' members are, in upper or lower case. A context is one
// passage, or a JSON list of them; several columns of that name, or context_1,
// context_2 and so on, are several. A row that cannot be read, or has another
// number of columns, is an item with an error; an unreadable header or file is
// an ErrData.
func CSV(from io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := csv.NewReader(withoutMark(from))
		header, err := r.Read()
		if err == io.EOF { //nolint:errorlint // an error that wraps io.EOF is no end
			return
		}
		columns, unfit := columnsOf(header)
		if err = errors.Join(err, unfit); err != nil {
			yield(Item{}, fmt.Errorf("%w: the header: %w", ErrData, err))
			return
		}
		for {
			cells, err := r.Read()
			if err == io.EOF {
				return
			}
			var bad *csv.ParseError
			if err != nil && !errors.As(err, &bad) {
				yield(Item{}, fmt.Errorf("%w: %w", ErrData, err))
				return
			}
			item := Item{}
			switch {
			case err == nil:
				line, _ := r.FieldPos(0)
				item = columns.item(cells, line)
			case bad != nil:
				item.ID = fmt.Sprintf("line %d", bad.StartLine)
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// withoutMark leaves out a byte order mark, which spreadsheets write.
func withoutMark(from io.Reader) io.Reader {
	mark := []byte("\ufeff")
	start := make([]byte, len(mark))
	n, err := io.ReadFull(from, start)
	if err == nil && bytes.Equal(start, mark) {
		return from
	}
	rest := from
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		rest = failing{err}
	}
	return io.MultiReader(bytes.NewReader(start[:n]), rest)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// columns tells what each column holds: "id", "input", "output", "context" or,
// of metadata, its name in brackets.
type columns []string

func columnsOf(header []string) (c columns, err error) {
	for _, name := range header {
		folded := strings.ToLower(strings.TrimSpace(name))
		kind := "[" + strings.TrimSpace(name) + "]"
		for known, names := range map[string][]string{"id": {"id"}, "input": inputNames, "output": outputNames} {
			if slices.Contains(names, folded) && !slices.Contains(c, known) {
				kind = known
			}
		}
		if base := strings.TrimRight(folded, "0123456789"); slices.Contains(contextNames, strings.TrimRight(base, "_. ")) {
			kind = "context"
		}
		c = append(c, kind)
	}
	if header != nil && !slices.Contains(c, "input") && !slices.Contains(c, "output") {
		err = fmt.Errorf("it names neither an input nor an output: %q", header)
	}
	return c, err
}

func (c columns) item(cells []string, line int) Item {
	item := Item{Metadata: map[string]any{}}
	output := ""
	var passages []string
	for i, cell := range cells {
		switch kind := c[i]; kind {
		case "id":
			item.ID = cell
		case "input":
			item.Input = cell
		case "output":
			output = cell
		case "context":
			passages = append(passages, cellPassages(cell)...)
		default:
			item.Metadata[strings.Trim(kind, "[]")] = cell
		}
	}
	if item.ID == "" {
		item.ID = fmt.Sprintf("line %d", line)
	}
	item.Run = TextRun(item.Input, output)
	item.Run.Metadata = item.Metadata
	if slices.Contains(c, "context") {
		item.Run.Context = append([]string{}, passages...) // empty cells are an empty context, not the scorer's own
	}
	return item
}

func cellPassages(cell string) []string {
	var list []string
	switch {
	case strings.TrimSpace(cell) == "":
		return nil
	case strings.HasPrefix(strings.TrimSpace(cell), "[") && json.Unmarshal([]byte(cell), &list) == nil:
		return list
	}
	return []string{cell}
}
