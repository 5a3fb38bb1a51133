package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/evaltest/go-evaltest/scorer"
)

// FaultError is the connection's error inside an answer.
type FaultError struct{ Err error }

func (e FaultError) Error() string { return e.Err.Error() }

// Unwrap gives the connection's error.
func (e FaultError) Unwrap() error { return e.Err }

// cancelled is the error of a call that its caller ended; nil where none did.
func (c *Caller) cancelled(caller context.Context) error {
	err, cause := caller.Err(), context.Cause(caller)
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, err):
		return fmt.Errorf("%s: %s: %w", c.Of, c.URL, cause)
	}
	return fmt.Errorf("%s: %s: %w: %w", c.Of, c.URL, err, cause)
}

// transportError explains a call that got no response. An error that is not
// the network's, such as a call that a recording lacks, is passed on as it is.
func (c *Caller) transportError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w: %s: %w: is it busy, or the model still loading? Raise Timeout", c.Of, scorer.ErrUnreachable, c.URL, context.Cause(ctx))
	case ofNetwork(err):
		return fmt.Errorf("%s: %w: %w: %s", c.Of, scorer.ErrUnreachable, err, c.Start)
	}
	return fmt.Errorf("%s: %w", c.Of, err)
}

// answerError explains an answer that could not be read to its end, or not be
// understood.
func (c *Caller) answerError(ctx context.Context, err error) error {
	var fault FaultError
	switch {
	case !errors.As(err, &fault):
		return fmt.Errorf("%s: %s: %w", c.Of, c.URL, err)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %s: %w: it stalled: %w", c.Of, c.URL, scorer.ErrReplyCut, context.Cause(ctx))
	case ofNetwork(fault.Err):
		return fmt.Errorf("%s: %s: %w: %w", c.Of, c.URL, scorer.ErrReplyCut, fault)
	}
	return fmt.Errorf("%s: %s: %w: the answer cannot be read: %w", c.Of, c.URL, scorer.ErrBadReply, fault)
}

// hungUp reports whether the connection was reset or hung up: that may be gone
// a moment later.
func hungUp(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, wsaReset, wsaAborted} {
		if errors.Is(err, end) {
			return true
		}
	}
	return saidByHTTP(err, hangsUp...)
}

// hangsUp is how net/http says that a server did, where it wraps no error.
var hangsUp = []string{"http: server closed idle connection", "http: unexpected EOF"}

// What Windows says of a connection that was reset.
const (
	wsaReset   = syscall.Errno(10054)
	wsaAborted = syscall.Errno(10053)
)

func ofNetwork(err error) bool {
	var netError *net.OpError
	var dns *net.DNSError
	var errno syscall.Errno
	var timeout interface{ Timeout() bool }
	return errors.As(err, &netError) || errors.As(err, &dns) || errors.As(err, &errno) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &timeout) && timeout.Timeout() || saidByHTTP(err, hangsUp...) ||
		saidByHTTP(err, "net/http: ", "http: server gave", "http: no Host", "http2: ", "tls: ", "x509: ", "malformed HTTP", "unsupported protocol scheme", "failed to parse Location header")
}

// saidByHTTP knows the failures that net/http reports as bare text: a server
// that speaks another protocol, or that hangs up. Only what an error begins
// with counts: a transport's own error may quote anything.
func saidByHTTP(err error, texts ...string) bool {
	for _, text := range texts {
		if strings.HasPrefix(err.Error(), text) {
			return true
		}
	}
	switch err := err.(type) { //nolint:errorlint // every error of the chain is looked at
	case interface{ Unwrap() error }:
		return err.Unwrap() != nil && saidByHTTP(err.Unwrap(), texts...)
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			if saidByHTTP(e, texts...) {
				return true
			}
		}
	}
	return false
}
