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

	ask      ask      // of Request
	used     bool     // in this run
	question question // set by clean, for the file to be sorted and commented by
}

// decode reads a cassette's file, ours or go-vcr's. Its error says what the
// data is instead.
func decode(data []byte, r rules) (*file, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	var f file
	n, ok := scan(data)
	if !ok || n.Decode(&f) != nil {
		f = file{}
		if err := yaml.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("it is not the YAML of one: %w", err)
		}
	}
	if f.Version != cassette.CassetteFormatV2 {
		return nil, fmt.Errorf("its version is %d, not %d", f.Version, cassette.CassetteFormatV2)
	}
	if f.Interactions == nil {
		return nil, errors.New("it has no list of interactions")
	}
	for n, i := range f.Interactions {
		if err := i.check(f.Recorded != "", r); err != nil {
			return nil, fmt.Errorf("its interaction %d %w", n, err)
		}
	}
	return &f, nil
}

// check refuses an interaction that was cut, and finds what it asks. Only
// in files of ours does content_length hold the length of the text.
func (i *interaction) check(ours bool, r rules) error {
	if i == nil || i.Request.Method == "" || i.Request.URL == "" || i.Response.Code < 100 {
		return errors.New("lacks a request or a response")
	}
	if length := len(i.Response.Body); ours && i.Response.ContentLength != int64(length) {
		return fmt.Errorf("has an answer of %d bytes, recorded with %d: it was cut or edited", length, i.Response.ContentLength)
	}
	q, err := i.parse(r)
	i.ask = q.ask
	return err
}

// parse finds what an interaction asks.
func (i *interaction) parse(r rules) (question, error) {
	u, err := url.Parse(i.Request.URL)
	if err != nil {
		return question{}, fmt.Errorf("has no URL: %w", err)
	}
	return r.question(i.Request.Method, u, i.Request.Headers, i.Request.Body), nil
}

// clean leaves of an interaction what a file keeps.
func (i *interaction) clean(r rules) error {
	q, err := i.parse(r)
	if err != nil {
		return err
	}
	i.question = q
	i.Request.URL = "http://" + recordedHost + q.uri
	i.Request.Headers = requestHeaders(i.Request.Headers)
	i.Request.Body = q.body()
	i.Response.Body = r.answer(i.Response.Headers, i.Response.Body, q.credentials)
	i.Response.Headers = r.responseHeaders(i.Response.Headers, q.credentials)
	return nil
}

func clean(all []*interaction, r rules) error {
	for _, i := range all {
		if err := i.clean(r); err != nil {
			return err
		}
	}
	return nil
}

// sort gives the file one order, whatever the order of the calls: by label,
// path and body. Equal calls keep theirs, as they are answered in it; where
// their labels differ, the least one places them all.
func (f *file) sort() {
	type place struct {
		label string
		body  []byte
	}
	places := map[key]*place{}
	for _, i := range f.Interactions {
		k := i.ask.key
		switch p := places[k]; {
		case p == nil:
			places[k] = &place{i.Label, i.question.canonical(nil)}
		case i.Label < p.label:
			p.label = i.Label
		}
	}
	slices.SortStableFunc(f.Interactions, func(a, b *interaction) int {
		of, to := places[a.ask.key], places[b.ask.key]
		return cmp.Or(
			cmp.Compare(of.label, to.label),
			cmp.Compare(a.ask.uri, b.ask.uri),
			cmp.Compare(a.ask.method, b.ask.method),
			bytes.Compare(of.body, to.body),
		)
	})
}

// encode writes the file as of a date. Two recordings of the same calls
// differ in the date alone.
func (f *file) encode(date string) []byte {
	w := &writer{b: []byte(f.comment(date))}
	w.line(0, fmt.Sprintf("version: %d", cassette.CassetteFormatV2))
	if f.Test != "" {
		w.text(0, "test:", f.Test)
	}
	w.text(0, "recorded:", date)
	w.line(0, "interactions:")
	half := len(f.Interactions) / 2
	var first, second []byte
	_ = both(
		func() error { first = f.write(0, half); return nil },
		func() error { second = f.write(half, len(f.Interactions)); return nil },
	)
	return slices.Concat(w.b, first, second)
}

// write gives the interactions of that range.
func (f *file) write(from, to int) []byte {
	size := 0
	for _, i := range f.Interactions[from:to] {
		size += 1024 + len(i.Request.Body) + len(i.Response.Body)*4/3 // binary takes the most
	}
	w := &writer{b: make([]byte, 0, size)}
	for id := from; id < to; id++ {
		f.Interactions[id].write(w, id)
	}
	return w.b
}

// write leaves out what go-vcr's types hold beyond what is kept; it loads as zero.
func (i *interaction) write(w *writer, id int) {
	w.line(2, fmt.Sprintf("- id: %d", id))
	if i.Label != "" {
		w.text(4, "label:", i.Label)
	}
	w.line(4, "request:")
	w.text(6, "method:", i.Request.Method)
	w.text(6, "url:", i.Request.URL)
	w.text(6, "host:", recordedHost)
	w.headers(i.Request.Headers)
	w.text(6, "body:", i.Request.Body)
	w.line(4, "response:")
	w.text(6, "proto:", "HTTP/1.1")
	w.line(6, "proto_major: 1")
	w.line(6, "proto_minor: 1")
	w.text(6, "status:", i.Response.Status)
	w.line(6, fmt.Sprintf("code: %d", i.Response.Code))
	w.line(6, fmt.Sprintf("content_length: %d", len(i.Response.Body)))
	w.headers(i.Response.Headers)
	w.text(6, "body:", i.Response.Body)
}

func (w *writer) headers(h http.Header) {
	if len(h) == 0 {
		w.line(6, "headers: {}")
		return
	}
	w.line(6, "headers:")
	for _, name := range slices.Sorted(maps.Keys(h)) {
		w.line(8, name+":")
		for _, v := range h[name] {
			w.text(10, "-", v)
		}
	}
}
