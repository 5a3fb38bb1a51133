package cassettes

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gopkg.in/dnaeon/go-vcr.v3/cassette"
	"gopkg.in/yaml.v3"
)

// file is what a cassette's file holds: go-vcr's fields and three of ours,
// which go-vcr passes over.
type file struct {
	Version      int            `yaml:"version"`
	Test         string         `yaml:"test"`
	Recorded     string         `yaml:"recorded"` // a date in UTC: 2026-12-01
	Interactions []*interaction `yaml:"interactions"`
}

// interaction is one call and its answer.
type interaction struct {
	cassette.Interaction `yaml:",inline"`
	Label                string `yaml:"label"`

	ask  ask  // of Request
	used bool // in this run
}

// decode reads a cassette's file, ours or go-vcr's. Its error says what the
// data is instead.
func decode(data []byte) (*file, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	var f file
	if err := yaml.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("it is not the YAML of one: %w", err)
	}
	if f.Version != cassette.CassetteFormatV2 {
		return nil, fmt.Errorf("its version is %d, not %d", f.Version, cassette.CassetteFormatV2)
	}
	if f.Interactions == nil {
		return nil, errors.New("it has no list of interactions")
	}
	for n, i := range f.Interactions {
		if err := i.check(f.Recorded != ""); err != nil {
			return nil, fmt.Errorf("its interaction %d %w", n, err)
		}
	}
	return &f, nil
}

// check refuses an interaction that was cut, and parses what it asks. Only
// in files of ours does content_length hold the length of the text.
func (i *interaction) check(ours bool) error {
	if i == nil || i.Request.Method == "" || i.Request.URL == "" || i.Response.Code < 100 {
		return errors.New("lacks a request or a response")
	}
	if length := len(i.Response.Body); ours && i.Response.ContentLength != int64(length) {
		return fmt.Errorf("has an answer of %d bytes, recorded with %d: it was cut or edited", length, i.Response.ContentLength)
	}
	u, err := url.Parse(i.Request.URL)
	if err != nil {
		return fmt.Errorf("has no URL: %w", err)
	}
	i.ask = newAsk(i.Request.Method, u, []byte(i.Request.Body))
	return nil
}

// clean leaves of an interaction what a file keeps.
func (i *interaction) clean() {
	i.Request.URL = "http://" + recordedHost + i.ask.uri
	i.Request.Headers = keptHeaders(i.Request.Headers, "Accept", "Content-Type")
	i.Request.Body = i.ask.body()
	i.Response.Headers = responseHeaders(i.Response.Headers)
	i.Response.Body = fixTimes(i.Response.Body)
}

// sort gives the file one order, whatever the order of the calls: by label,
// path and body. Equal calls keep theirs, as they are answered in it; where
// their labels differ, the least one places them all.
func (f *file) sort() {
	label := map[key]string{}
	for _, i := range f.Interactions {
		k := i.ask.key
		if least, ok := label[k]; !ok || i.Label < least {
			label[k] = i.Label
		}
	}
	slices.SortStableFunc(f.Interactions, func(a, b *interaction) int {
		return cmp.Or(
			cmp.Compare(label[a.ask.key], label[b.ask.key]),
			cmp.Compare(a.ask.uri, b.ask.uri),
			cmp.Compare(a.ask.method, b.ask.method),
			cmp.Compare(a.ask.canon, b.ask.canon),
		)
	})
}

// encode writes the file as of a date. Two recordings of the same calls
// differ in the date alone.
func (f *file) encode(date string) ([]byte, error) {
	calls := list()
	for id, i := range f.Interactions {
		calls.Content = append(calls.Content, i.node(id))
	}
	top := mapping("version", number(cassette.CassetteFormatV2))
	if f.Test != "" {
		top.Content = append(top.Content, mapping("test", text(f.Test)).Content...)
	}
	top.Content = append(top.Content, mapping("recorded", text(date), "interactions", calls).Content...)
	data, err := marshal(top)
	return append([]byte(f.comment(date)), data...), err
}

// node leaves out what go-vcr's types hold beyond what is kept; it loads as zero.
func (i *interaction) node(id int) *yaml.Node {
	n := mapping("id", number(id))
	if i.Label != "" {
		n.Content = append(n.Content, mapping("label", text(i.Label)).Content...)
	}
	n.Content = append(n.Content, mapping(
		"request", mapping(
			"method", text(i.Request.Method),
			"url", text(i.Request.URL),
			"host", text(recordedHost),
			"headers", headerNode(i.Request.Headers),
			"body", text(i.Request.Body),
		),
		"response", mapping(
			"proto", text("HTTP/1.1"), "proto_major", number(1), "proto_minor", number(1),
			"status", text(i.Response.Status),
			"code", number(i.Response.Code),
			"content_length", number(len(i.Response.Body)),
			"headers", headerNode(i.Response.Headers),
			"body", text(i.Response.Body),
		)).Content...)
	return n
}

func headerNode(h http.Header) *yaml.Node {
	n := mapping()
	for _, name := range slices.Sorted(maps.Keys(h)) {
		values := list()
		for _, v := range h[name] {
			values.Content = append(values.Content, text(v))
		}
		n.Content = append(n.Content, mapping(name, values).Content...)
	}
	return n
}

// checkSecrets looks through all that the file would hold.
func (f *file) checkSecrets() error {
	errs := []error{checkSecrets("the name of the test", f.Test)}
	for _, i := range f.Interactions {
		name := i.ask.name(i.Label)
		if checkSecrets("", name) != nil {
			name = "a call"
		}
		for _, part := range []struct{ name, text string }{
			{"label", i.Label},
			{"URL", i.Request.URL},
			{"request", headerText(i.Request.Headers) + i.Request.Body},
			{"answer", headerText(i.Response.Headers) + i.Response.Body},
		} {
			errs = append(errs, checkSecrets(fmt.Sprintf("the %s of %s", part.name, name), part.text))
		}
	}
	return errors.Join(errs...)
}

func headerText(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b) // a Builder takes it all
	return b.String()
}
