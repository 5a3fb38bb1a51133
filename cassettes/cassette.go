package cassettes

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"sync"
)

// Options configures Open. The zero value is fit for use.
type Options struct {
	// Mode says where answers come from; empty means Auto.
	Mode Mode
	// Test names the test that the file belongs to. It is written into the
	// file, and a file of another test is refused.
	Test string
	// Transport is what a recording goes out through; nil means
	// http.DefaultTransport. Replay never touches it.
	Transport http.RoundTripper
	// Statuses lists statuses outside 200 to 299 that a recording may hold.
	Statuses []int
	// Repeat lets the last of equal calls' answers be given again and again,
	// for benchmarks.
	Repeat bool
	// Dir is the directory that a recording must not be written outside of,
	// whatever links there are below it; empty means that of the path.
	Dir string
	// Partial says that this run makes only some of the calls that the file is
	// for, as one subtest of several does: Close keeps those that it lacks.
	Partial bool
	// Redact takes out of a text what the file must not keep. It is given each
	// text that the file would hold: the path, the values of the query and the
	// body of a call, before it is looked up, and the body of its answer. Of
	// JSON it is given the strings, one by one, and of a stream those that its
	// events give piece by piece as one. It sees copies: what is sent and
	// received while recording stays as it is. Given its own result, it must
	// give that back. It may be called by several goroutines at once.
	Redact func(text string) string
	// Ignore lists what no call is looked up by, as it differs with every run:
	// members of a JSON body by their path, "metadata.request_id", in lists
	// too, and query parameters as "?session". The file keeps a constant.
	Ignore []string
}

func (o Options) rules() rules { return rules{o.Redact, o.Ignore} }

// Cassette is an http.RoundTripper that answers from its file, or records in
// it, as its Mode says. It can be used by several goroutines at once.
type Cassette struct {
	path    string
	options Options
	opened  state // of the file when it was opened
	file    *file // what calls are answered from; nil where they are not
	old     *file // of what Close may keep a part; nil where of none

	mu     sync.Mutex
	index  map[key]*queue
	calls  []*call // that went out to be recorded, in the order of their start
	count  int     // of all calls
	date   string  // see Recorded
	closed bool
}

// queue holds the answers of equal calls: first in, first out.
type queue struct {
	recorded []*interaction
	asked    int
}

// Open reads the cassette at path, where the mode reads it and it exists. Its
// folders need not exist. Errors wrap ErrNotCassette for a file that cannot
// be read as a cassette, unless the mode is to replace it, and ErrOtherTest.
func Open(path string, o Options) (*Cassette, error) {
	mode, err := ParseMode(string(cmp.Or(o.Mode, Auto)))
	if err != nil {
		return nil, fmt.Errorf("cassettes: %w", err)
	}
	o.Mode = mode
	c := &Cassette{path: path, options: o, index: map[key]*queue{}}
	if mode == Live {
		return c, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cassettes: %w: %s cannot be read: %w", ErrNotCassette, path, err)
	}
	c.opened = stateOf(data)
	f, err := decode(data, o.rules())
	if err != nil && mode != Record {
		return nil, fmt.Errorf("cassettes: %w: %s: %w; delete it and record it anew, or restore it from version control", ErrNotCassette, path, err)
	}
	if err == nil && f.Test != "" && o.Test != "" && f.Test != o.Test {
		return nil, fmt.Errorf("cassettes: %w: %s belongs to %s, not to %s; after a rename move or delete the file", ErrOtherTest, path, f.Test, o.Test)
	}
	if mode != Record {
		c.file, c.date = f, f.Recorded
		c.fillIndex()
	}
	if err == nil && (mode == Update || mode == Record && o.Partial) {
		c.old = f
	}
	return c, nil
}

func (c *Cassette) fillIndex() {
	for _, i := range c.file.Interactions {
		k := i.ask.key
		if c.index[k] == nil {
			c.index[k] = &queue{}
		}
		c.index[k].recorded = append(c.index[k].recorded, i)
	}
}

// Path is the path that the cassette was opened with.
func (c *Cassette) Path() string { return c.path }

// Replaying reports whether calls are answered from the file, all of them or,
// in mode Update, those that it has.
func (c *Cassette) Replaying() bool { return c.options.Mode == Replay || c.file != nil }

// Recorded is the date of the file that calls are answered from or that Close
// has written, in UTC, as in "2026-12-01"; empty where there is none.
func (c *Cassette) Recorded() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.date
}

// RoundTrip implements http.RoundTripper. Beside the errors of the transport
// it gives a *MissError for a call that the file lacks, and errors that wrap
// ErrNoCassette in mode Replay without a file, and ErrClosed after Close.
func (c *Cassette) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q := c.options.rules().question(req.Method, req.URL, req.Header, body)
	out := &call{label: labelOf(ctx), ask: q.ask}
	i, err := c.take(out)
	if miss, ok := errors.AsType[*MissError](err); ok {
		c.explain(miss, out.label, q)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("cassettes: %w", err)
	case i != nil:
		return i.answer(req), nil
	}
	out.url, out.sent, out.asked = req.URL, req.Header.Clone(), body
	return c.record(req, out)
}

// readBody reads and closes the request's body, which RoundTrip must close
// whatever happens.
func readBody(req *http.Request) (string, error) {
	if req.Body == nil {
		return "", nil
	}
	var b bytes.Buffer
	if n := req.ContentLength; n > 0 && n < 1<<20 {
		b.Grow(int(n) + bytes.MinRead)
	}
	_, err := b.ReadFrom(req.Body)
	return b.String(), cmp.Or(err, req.Body.Close())
}

// take gives the recorded answer of a call, or nil for a call that is to go
// out, which it notes.
func (c *Cassette) take(out *call) (*interaction, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, fmt.Errorf("%w: %s was called after Close of %s", ErrClosed, out.ask.name(out.label), c.path)
	}
	c.count++
	out.number = c.count
	if c.options.Mode == Live {
		return nil, nil
	}
	q := c.index[out.ask.key]
	if q == nil {
		q = &queue{}
		c.index[out.ask.key] = q
	}
	q.asked++
	if last := len(q.recorded); q.asked <= last || c.options.Repeat && last > 0 {
		i := q.recorded[min(q.asked, last)-1]
		i.used = true
		return i, nil
	}
	switch {
	case c.file == nil && c.options.Mode == Replay:
		return nil, fmt.Errorf("%w: %s does not exist, and mode replay makes no calls: %s", ErrNoCassette, c.path, out)
	case c.file != nil && c.options.Mode != Update:
		return nil, &MissError{
			Call: out.number, Method: out.ask.method, URLPath: out.ask.path, Label: out.label,
			Times: len(q.recorded), Asked: q.asked,
		}
	}
	c.calls = append(c.calls, out)
	return nil, nil
}
