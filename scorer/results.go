package scorer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// itemKey tells items apart by all that is in them.
type itemKey [16]byte

func keyOf(item Item) (k itemKey, err error) {
	data, err := json.Marshal(item)
	if err != nil {
		return k, fmt.Errorf("the item cannot be written as JSON: %w", err)
	}
	h := sha256.Sum256(data)
	copy(k[:], h[:])
	return k, nil
}

// resultRow is a line of a results file.
type resultRow struct {
	ID       string            `json:"id"`
	Key      string            `json:"key,omitempty"` // a hash of the item
	Input    string            `json:"input,omitempty"`
	Output   string            `json:"output,omitempty"`
	Results  map[string]any    `json:"results,omitempty"`
	Error    string            `json:"error,omitempty"`
	Errors   map[string]string `json:"errors,omitempty"`
	Metadata map[string]any    `json:"metadata,omitempty"`
}

// scored is a score as a results file keeps it.
type scored struct{ score, scale float64 }

// resumed has the scores that an earlier run gave an item, in the scorers'
// order, as often as the item was in its data.
type resumed map[itemKey][][]scored

// take takes the scores of an item, nil where it was not done.
func (r resumed) take(k itemKey) (scores []scored) {
	if left := r[k]; len(left) > 0 {
		scores, r[k] = left[0], left[1:]
	}
	return scores
}

// resultsFile is written a line an item; nil writes nothing.
type resultsFile struct{ *os.File }

// openResults opens the results file, and with Resume reads what is done.
func openResults(e Evals) (done resumed, f *resultsFile, err error) {
	if e.Results == "" {
		return done, nil, nil
	}
	how := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if e.Resume {
		if done, err = readDone(e.Results, e.Scorers); err != nil {
			return done, nil, err
		}
		how = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	file, err := os.OpenFile(e.Results, how, 0o644)
	if err != nil {
		return done, nil, err
	}
	return done, &resultsFile{file}, nil
}

func (f *resultsFile) close() {
	if f != nil {
		f.Close()
	}
}

// write adds an item, in one write: what was killed half way is a last line
// that Resume drops.
func (f *resultsFile) write(k itemKey, r ItemResult) error {
	if f == nil {
		return nil
	}
	row := resultRow{ID: r.Item.ID, Input: r.Item.Input, Output: r.Run.output(), Metadata: r.Item.Metadata, Results: map[string]any{}, Errors: map[string]string{}}
	if k != (itemKey{}) {
		row.Key = hex.EncodeToString(k[:])
	}
	if r.Err != nil {
		row.Error = r.Err.Error()
	}
	for id, result := range r.Results {
		row.Results[id] = result
	}
	for id, err := range r.Errs {
		row.Errors[id] = err.Error()
	}
	line, err := json.Marshal(row)
	if err != nil { // of a scorer's own result, or of data that is no JSON
		line, err = json.Marshal(resultRow{ID: r.Item.ID, Error: "the result cannot be written as JSON: " + err.Error()})
	}
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return err
}

// readDone reads a results file and leaves in it the lines of what is done.
func readDone(path string, scorers []Scorer) (done resumed, err error) {
	done = resumed{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return done, err
	}
	defer file.Close()
	kept, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return done, err
	}
	defer os.Remove(kept.Name()) // which is gone where it was renamed
	defer kept.Close()
	out := bufio.NewWriter(kept)
	dropped := false
	for line, err := range lines(file) {
		if err != nil {
			return done, err
		}
		key, scores, ok := doneBy(line, scorers)
		if !ok {
			dropped = true
			continue
		}
		done[key] = append(done[key], scores)
		if _, err := out.Write(line); err != nil {
			return done, err
		}
	}
	if !dropped {
		return done, nil
	}
	if err := errors.Join(out.Flush(), kept.Chmod(0o644), kept.Sync(), kept.Close()); err != nil {
		return done, err
	}
	return done, os.Rename(kept.Name(), path)
}

// doneBy reads the scores off a whole line without an error.
func doneBy(line []byte, scorers []Scorer) (key itemKey, scores []scored, ok bool) {
	var row struct {
		Key     string
		Error   string
		Errors  map[string]string
		Results map[string]struct {
			Score *float64
			Scale float64
		}
	}
	if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &row) != nil || row.Error != "" || len(row.Errors) > 0 {
		return key, nil, false
	}
	if decoded, err := hex.DecodeString(row.Key); err != nil || copy(key[:], decoded) != len(key) {
		return key, nil, false
	}
	for _, s := range scorers {
		r, has := row.Results[s.ID()]
		if !has || r.Score == nil {
			return key, nil, false
		}
		scores = append(scores, scored{*r.Score, r.Scale})
	}
	return key, scores, true
}

// lines gives each line with its end, however long it is.
func lines(from io.Reader) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		r := bufio.NewReader(from)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 && !yield(line, nil) {
				return
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
