package evaltest

import (
	"context"
	"net/http"
	"net/url"

	"github.com/evaltest/go-evaltest/scorer/openai"
)

// recordedOpenAI is what recordings have for the server of a judge by OpenAI's
// API: its address, path included, is the environment's affair, and a
// recording made with one fits another.
var recordedOpenAI = &url.URL{Scheme: "http", Host: "openai.invalid", Path: "/v1/chat/completions"}

// openai sets up the judge. A replay looks at neither address nor key.
func (r *recording) openai() openai.Options {
	if r.Replaying() && r.options.Mode != Update {
		return openai.Options{BaseURL: "http://openai.invalid/v1", Key: "none"}
	}
	return openai.Options{}
}

type actualKey struct{}

// actual is where a judge's call goes, and its credentials.
type actual struct {
	url    *url.URL
	header http.Header
}

// canonical shows the cassette a judge's call at the address of all recordings
// and without the key, which is not there to be kept.
type canonical struct{ *recording }

// RoundTrip implements http.RoundTripper.
func (c canonical) RoundTrip(req *http.Request) (*http.Response, error) {
	shown := req.Clone(context.WithValue(req.Context(), actualKey{}, actual{req.URL, req.Header}))
	shown.URL, shown.Host = recordedOpenAI, ""
	shown.Header.Del("Authorization")
	return c.recording.RoundTrip(shown)
}

// outgoing is what a recording's calls go out through: those that canonical
// has changed as they were.
type outgoing struct{ through http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (o outgoing) RoundTrip(req *http.Request) (*http.Response, error) {
	if a, ok := req.Context().Value(actualKey{}).(actual); ok {
		req = req.Clone(req.Context())
		req.URL, req.Host, req.Header = a.url, a.url.Host, a.header
	}
	if o.through == nil {
		return http.DefaultTransport.RoundTrip(req)
	}
	return o.through.RoundTrip(req)
}
