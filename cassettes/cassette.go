package cassettes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
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
}

// Cassette is an http.RoundTripper that answers from its file, or records in
// it, as its Mode says. It can be used by several goroutines at once.
type Cassette struct {
	path    string
	options Options
	opened  []byte // the file's content when it was opened; nil where there was none
	file    *file  // what calls are answered from; nil where they are not

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
	c.opened, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cassettes: %w: %s cannot be read: %w", ErrNotCassette, path, err)
	}
	f, err := decode(c.opened)
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
	out := &call{label: labelOf(ctx), ask: newAsk(req.Method, req.URL, body), request: req.Header.Clone()}
	i, err := c.take(out)
	if miss, ok := errors.AsType[*MissError](err); ok {
		c.explain(miss, out)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("cassettes: %w", err)
	case i != nil:
		return i.answer(req), nil
	}
	return c.record(req, body, out)
}

// readBody reads and closes the request's body, which RoundTrip must close
// whatever happens.
func readBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(req.Body)
	return body, cmp.Or(err, req.Body.Close())
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

// answer gives the recorded response.
func (i *interaction) answer(req *http.Request) *http.Response {
	header := i.Response.Headers.Clone()
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		Status:     statusLine(i.Response.Status, i.Response.Code),
		StatusCode: i.Response.Code,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          &replayed{strings.NewReader(i.Response.Body), req.Context()},
		ContentLength: int64(len(i.Response.Body)),
		Request:       req,
	}
}

// statusLine fills in what some transports and files leave out.
func statusLine(status string, code int) string {
	return cmp.Or(status, fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// replayed is the body of a replayed response. As on a connection, a read
// fails once the request's context is done.
type replayed struct {
	text *strings.Reader
	ctx  context.Context
}

// Read implements io.Reader.
func (r *replayed) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.text.Read(p)
}

// Close implements io.Closer.
func (r *replayed) Close() error { return nil }

// record makes the call, and notes the answer as it is read.
func (c *Cassette) record(req *http.Request, body []byte, out *call) (*http.Response, error) {
	sent := req.Clone(req.Context())
	if req.Body != nil {
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		sent.Body, _ = sent.GetBody()
		sent.ContentLength = int64(len(body))
		if len(body) == 0 {
			sent.Body = http.NoBody
		}
	}
	transport := c.options.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	resp, err := transport.RoundTrip(sent)
	if err == nil {
		resp.Request = req
		if resp.Body == nil { // as a client allows
			resp.Body = http.NoBody
		}
	}
	if c.options.Mode == Live {
		return resp, err
	}
	c.mu.Lock()
	out.err = err
	if err == nil {
		out.answered = true
		out.wanted = resp.StatusCode/100 == 2 || slices.Contains(c.options.Statuses, resp.StatusCode)
		out.code, out.status, out.response = resp.StatusCode, statusLine(resp.Status, resp.StatusCode), resp.Header.Clone()
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	resp.Body = newTee(resp, out, &c.mu)
	return resp, nil
}
