package cassettes

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// What a reader left unread when it closes an answer is read for the
// recording, within these bounds.
const (
	drainBytes = 1 << 20
	drainTime  = 2 * time.Second
)

// call is one call that went out and is being recorded. The cassette's lock
// guards its outcome; the body is written before complete and read after it.
type call struct {
	number   int
	label    string
	ask      ask
	url      *url.URL
	sent     http.Header
	asked    string
	code     int
	status   string
	received http.Header
	body     bytes.Buffer

	answered bool  // headers came
	wanted   bool  // with a status that a recording may hold
	complete bool  // the body came to its end
	err      error // why it did not
}

func (c *call) String() string {
	return fmt.Sprintf("call %d (%s)", c.number, c.ask.name(c.label))
}

// fine reports whether a recording may hold the call: it ended complete, with
// a status that is wanted.
func (c *call) fine() bool { return c.complete && c.wanted }

// pending reports whether the call may still turn out fine.
func (c *call) pending() bool {
	return !c.complete && c.err == nil && (c.wanted || !c.answered)
}

// problem says why a call that is not fine cannot be recorded.
func (c *call) problem() error {
	switch {
	case c.answered && !c.wanted:
		return fmt.Errorf("%w: %s answered %s", ErrStatus, c, c.status)
	case c.err != nil:
		return fmt.Errorf("%w: %s failed: %w", ErrIncomplete, c, c.err)
	case c.answered:
		return fmt.Errorf("%w: the answer of %s was not read to its end", ErrIncomplete, c)
	}
	return fmt.Errorf("%w: %s has no answer yet", ErrIncomplete, c)
}

// record makes the call, and notes the answer as it is read.
func (c *Cassette) record(req *http.Request, out *call) (*http.Response, error) {
	sent := req.Clone(req.Context())
	if req.Body != nil {
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(out.asked)), nil }
		sent.Body, _ = sent.GetBody()
		sent.ContentLength = int64(len(out.asked))
		if len(out.asked) == 0 {
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
		out.code, out.status, out.received = resp.StatusCode, statusLine(resp.Status, resp.StatusCode), resp.Header.Clone()
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	c.keepable(req.Context(), out)
	resp.Body = newTee(resp, out, &c.mu)
	return resp, nil
}

// tee is the body of an answer that is recorded as it is read.
type tee struct {
	body  io.ReadCloser
	call  *call
	state *sync.Mutex // guards call.err and call.complete
	left  int64       // bytes announced and not yet read; negative where none were announced

	reading sync.Mutex
	closed  bool
}

func newTee(resp *http.Response, c *call, state *sync.Mutex) *tee {
	t := &tee{body: resp.Body, call: c, state: state, left: resp.ContentLength}
	if resp.Body == http.NoBody || resp.ContentLength == 0 {
		t.ended(io.EOF)
	}
	return t
}

// Read implements io.Reader.
func (t *tee) Read(p []byte) (int, error) {
	t.reading.Lock()
	defer t.reading.Unlock()
	n, err := t.body.Read(p)
	if n > 0 {
		t.call.body.Write(p[:n])
	}
	if t.left > 0 {
		// All that was announced is there: few read on to see the end.
		if t.left -= int64(n); t.left == 0 && err == nil {
			t.ended(io.EOF)
		}
	}
	if err != nil {
		t.ended(err)
	}
	return n, err
}

// ended notes the first end: a read after Close fails, and changes nothing.
func (t *tee) ended(err error) {
	t.state.Lock()
	defer t.state.Unlock()
	if t.call.complete || t.call.err != nil {
		return
	}
	if err == io.EOF { //nolint:errorlint // an error that wraps io.EOF is no end
		t.call.complete = true
	} else {
		t.call.err = err
	}
}

// Close implements io.Closer. It reads what is left, for the recording, but
// waits for no slow answer: a stream is cut by closing it.
func (t *tee) Close() error {
	if t.reading.TryLock() { // else a Read is waiting, and Close is to end it
		first := !t.closed
		t.closed = true
		t.reading.Unlock()
		if first && !t.done() {
			t.drain()
		}
	}
	return t.body.Close()
}

func (t *tee) done() bool {
	t.state.Lock()
	defer t.state.Unlock()
	return t.call.complete || t.call.err != nil
}

func (t *tee) drain() {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.CopyN(io.Discard, t, drainBytes) // what goes wrong is noted by Read
	}()
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
	}
}
