// Package wire makes the HTTP calls of judges: one POST of JSON, made again
// where that may help, within a time limit, with every way that it can fail
// told apart.
package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/evaltest/go-evaltest/scorer"
)

// MaxAnswer bounds what is read of an answer, in bytes.
const MaxAnswer = 16 << 20

// Caller calls one URL of a judge's server.
type Caller struct {
	Of      string // begins each error: "ollama"
	Kind    string // what the server is taken for: "an Ollama server"
	Client  *http.Client
	URL     string
	Timeout time.Duration // of a call, its retries included
	Header  http.Header   // sent beside those of JSON
	// Start says what to do where no server answers, Address how to name another.
	Start, Address string
	// Refused explains a status other than 200.
	Refused func(resp *http.Response, said []byte) error
	// Passes reports whether such an error may be gone after a while, and what
	// while the server asks for, 0 where it asks for none.
	Passes func(err error) (after time.Duration, passes bool)
	// Read takes in an answer.
	Read func(io.Reader) (scorer.Reply, error)
	// Wait waits between tries.
	Wait func(context.Context, time.Duration) error
}

// Direct is a client that follows no redirect. nil stands for
// http.DefaultClient, but that it keeps a connection for each call of a large
// batch: http.DefaultTransport keeps two to a server.
func Direct(client *http.Client) *http.Client {
	if client == nil {
		client = pooled()
	}
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &direct
}

var pooled = sync.OnceValue(func() *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // the program has set one of its own
		return http.DefaultClient
	}
	transport = transport.Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 256
	return &http.Client{Transport: transport}
})

// Call posts body, again after what may pass. Its errors wrap
// scorer.ErrUnreachable, ErrReplyCut, ErrBadReply or what Refused gives, but
// for that of a caller who has ended the call, and for what the client's
// transport returned that is not the network's.
func (c *Caller) Call(caller context.Context, body []byte) (scorer.Reply, error) {
	const tries = 4
	ctx, cancel := context.WithTimeoutCause(caller, c.Timeout, fmt.Errorf("no answer within %s: %w", c.Timeout, context.DeadlineExceeded))
	defer cancel()
	for try := 1; ; try++ {
		reply, err := c.once(ctx, body)
		if err == nil {
			return reply, nil
		}
		if ended := c.cancelled(caller); ended != nil {
			return scorer.Reply{}, ended
		}
		after, passes := c.passes(err)
		if try == tries || ctx.Err() != nil || !passes {
			return scorer.Reply{}, err
		}
		if c.Wait(ctx, max(after, time.Second<<(try-1))) == nil {
			continue
		}
		if ended := c.cancelled(caller); ended != nil {
			return scorer.Reply{}, ended
		}
		return scorer.Reply{}, fmt.Errorf("%w; %w", err, context.Cause(ctx))
	}
}

func (c *Caller) passes(err error) (time.Duration, bool) {
	if after, passes := c.Passes(err); passes {
		return after, true
	}
	return 0, hungUp(err)
}

func (c *Caller) once(ctx context.Context, body []byte) (scorer.Reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return scorer.Reply{}, c.Unsent(err)
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := c.Client.Do(req)
	if err != nil {
		return scorer.Reply{}, c.transportError(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return scorer.Reply{}, c.Refused(resp, said(resp))
	}
	if err := c.checkType(resp.Header); err != nil {
		return scorer.Reply{}, c.answerError(ctx, err)
	}
	reply, err := c.Read(resp.Body)
	if err != nil {
		return scorer.Reply{}, c.answerError(ctx, err)
	}
	return reply, nil
}

// said is what a server says to a status other than 200. What follows a 101
// is no body: reading it would not end with the context.
func said(resp *http.Response) []byte {
	if resp.StatusCode < 200 {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return text
}

// Wait waits, unless ctx ends first.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkType refuses an answer that says that it is something else than JSON.
// A server that does not know what it sends says text or bytes.
func (c *Caller) checkType(h http.Header) error {
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	switch media = strings.ToLower(strings.TrimSpace(media)); {
	case media == "", media == "text/plain", media == "application/octet-stream", strings.Contains(media, "json"):
		return nil
	}
	return fmt.Errorf("%w: the answer is %q, not JSON: is this %s?", scorer.ErrBadReply, media, c.Kind)
}

// Body reads at most MaxAnswer bytes and remembers how the reading ended: a
// decoder alone would not tell a broken connection from broken JSON.
type Body struct {
	From    io.Reader
	TooLong bool
	Err     error
	n       int
}

// Read implements io.Reader.
func (b *Body) Read(p []byte) (int, error) {
	n, err := b.From.Read(p)
	if b.n += n; b.n > MaxAnswer {
		b.TooLong = true
		return 0, io.EOF
	}
	b.Err = err
	return n, err
}

// ErrTooLong is the error of an answer that is longer than MaxAnswer.
func ErrTooLong() error {
	return fmt.Errorf("%w: the answer is longer than %d bytes", scorer.ErrBadReply, MaxAnswer)
}

// Unsent explains a call that could not even be put together.
func (c *Caller) Unsent(err error) error {
	var bad *url.Error
	if errors.As(err, &bad) {
		return fmt.Errorf("%s: %w: %w: %s", c.Of, scorer.ErrUnreachable, err, c.Address)
	}
	return fmt.Errorf("%s: %w: the call cannot be written: %w", c.Of, scorer.ErrUnreachable, err)
}

// Excerpt is the start of what a server says, on one line.
func Excerpt(said string) string {
	const most = 300
	if len(said) > most {
		said = strings.ToValidUTF8(said[:most], "") + "…"
	}
	return strings.Join(strings.Fields(said), " ")
}
