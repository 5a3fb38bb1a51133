package cassettes

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// decompress gives a body as it was before its Content-Encoding, and what
// makes the like of it again. A body that is not what its header says is
// given as it is; the error is of an encoding that is not known here.
func decompress(h http.Header, body string) (plain string, compress func(string) string, err error) {
	as := func(text string) string { return text }
	switch encoding := strings.ToLower(h.Get("Content-Encoding")); encoding {
	case "", "identity":
		return body, as, nil
	case "gzip", "x-gzip":
		if r, err := gzip.NewReader(strings.NewReader(body)); err == nil {
			if plain, err := io.ReadAll(r); err == nil {
				return string(plain), gzipped, nil
			}
		}
	case "deflate":
		if r, err := zlib.NewReader(strings.NewReader(body)); err == nil {
			if plain, err := io.ReadAll(r); err == nil {
				return string(plain), deflated, nil
			}
		}
	default:
		return "", nil, fmt.Errorf("it is compressed as %q, which this package cannot look into", encoding)
	}
	return body, as, nil
}

func gzipped(text string) string {
	var b bytes.Buffer
	return written(&b, gzip.NewWriter(&b), text)
}

func deflated(text string) string {
	var b bytes.Buffer
	return written(&b, zlib.NewWriter(&b), text)
}

// written closes w, which writes to b. Neither fails.
func written(b *bytes.Buffer, w io.WriteCloser, text string) string {
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}
