package cassettes

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// answer gives the recorded response. A stream comes as from a server: of
// unknown length, piece by piece.
func (i *interaction) answer(req *http.Request) *http.Response {
	header := i.Response.Headers.Clone()
	if header == nil {
		header = http.Header{}
	}
	body := &replayed{rest: i.Response.Body, ctx: req.Context(), end: pieceEnd(header)}
	length := int64(len(body.rest))
	if body.end != nil {
		length = -1
	}
	return &http.Response{
		Status:     statusLine(i.Response.Status, i.Response.Code),
		StatusCode: i.Response.Code,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          body,
		ContentLength: length,
		Request:       req,
	}
}

// statusLine fills in what some transports and files leave out.
func statusLine(status string, code int) string {
	return cmp.Or(status, fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// pieceEnd gives what finds the end of a stream's first piece: a line, or an
// event; nil for an answer that is no stream.
func pieceEnd(h http.Header) func(string) int {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	switch {
	case h.Get("Content-Encoding") != "":
		return nil
	case media == "text/event-stream":
		return eventEnd
	case media == "application/x-ndjson", media == "application/ndjson", media == "application/jsonl", media == "application/stream+json":
		return lineEnd
	}
	return nil
}

func lineEnd(s string) int {
	if at := strings.IndexByte(s, '\n'); at >= 0 {
		return at + 1
	}
	return len(s)
}

// eventEnd is after the first empty line.
func eventEnd(s string) int {
	at := 0
	for line := range strings.Lines(s) {
		at += len(line)
		if strings.Trim(line, "\r\n") == "" {
			break
		}
	}
	return at
}

// replayed is the body of a replayed response. As on a connection, a read
// fails once the request's context is done.
type replayed struct {
	rest  string
	ctx   context.Context
	end   func(string) int // of a stream's piece
	piece int              // bytes left of the one that is being read
}

// Read implements io.Reader.
func (r *replayed) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.rest == "" {
		return 0, io.EOF
	}
	if r.piece == 0 {
		r.piece = len(r.rest)
		if r.end != nil {
			r.piece = r.end(r.rest)
		}
	}
	n := copy(p, r.rest[:r.piece])
	r.rest, r.piece = r.rest[n:], r.piece-n
	return n, nil
}

// Close implements io.Closer.
func (r *replayed) Close() error { return nil }
