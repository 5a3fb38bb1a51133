package cassettes

import (
	"cmp"
	"hash/maphash"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// key is a hash of what a call asks, of 128 bits. Two calls with one key are
// equal. No file holds it: it differs with every process.
type key [2]uint64

var seeds = [len(key{})]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func keyOf(text []byte) (k key) {
	for n := range k {
		k[n] = maphash.Bytes(seeds[n], text)
	}
	return k
}

// ask is what a call asks, redacted: equal for the call as it is made and as
// the file keeps it.
type ask struct {
	method string
	path   string
	uri    string // path and query, sorted
	key    key    // the hash of method, uri and canonical body
}

// question is an ask with its body, which only recording and explaining need.
type question struct {
	ask
	json        value    // zero where the body is no JSON
	text        string   // the body where it is no JSON
	credentials []string // the secrets found in it
}

// rules say what of a call is neither kept nor looked up by.
type rules struct {
	redact func(string) string // the user's; nil where there is none
	ignore ignored
}

// question gives what a call asks, with a body that no Content-Encoding hides.
func (r rules) question(method string, u *url.URL, h http.Header, body string) question {
	found := credentials(u, h)
	u = r.url(u, found)
	q := question{ask: ask{method: cmp.Or(method, "GET"), path: u.Path, uri: u.RequestURI()}}
	if plain, _, err := decompress(h, body); err == nil {
		body = plain
	}
	q.json, q.text, q.credentials = r.body(h, body, found)
	text := make([]byte, 0, len(q.method)+len(q.uri)+len(body)+64)
	text = append(text, q.method+"\n"+q.uri+"\n"...) // neither holds a line break
	q.key = keyOf(q.canonical(text))
	return q
}

// body is the body as the file keeps it: JSON is indented.
func (q question) body() string {
	if q.json.kind != 0 {
		return string(q.json.indented())
	}
	return q.text
}

// canonical appends the body as it is compared.
func (q question) canonical(to []byte) []byte {
	if q.json.kind != 0 {
		return q.json.canonical(to)
	}
	return append(to, q.text...)
}

// name names a call in messages, without what it asks: its query and body.
func (a ask) name(label string) string {
	name := a.method + " " + a.path
	if label != "" {
		name += ", " + label
	}
	return name
}

// ignored lists what is no part of the key: JSON members by their path, in
// lists and out of them, and query parameters after a question mark.
type ignored []string

const ignoredValue = "IGNORED"

// query drops what is ignored.
func (g ignored) query(query url.Values) {
	for _, path := range g {
		if name, ok := strings.CutPrefix(path, "?"); ok {
			delete(query, name)
		}
	}
}

// members gives what is ignored the constant that the file keeps for it.
func (g ignored) members(v *value) {
	for _, path := range g {
		if !strings.HasPrefix(path, "?") {
			v.ignore(strings.Split(path, "."))
		}
	}
}

func (v *value) ignore(path []string) {
	for i := range v.items {
		v.items[i].ignore(path)
	}
	for i := range v.members {
		switch m := &v.members[i]; {
		case m.name != path[0]:
		case len(path) == 1:
			m.value = value{kind: '"', literal: `"` + ignoredValue + `"`, ignored: true}
		default:
			m.value.ignore(path[1:])
		}
	}
}

// withoutIgnored gives the members that are compared.
func withoutIgnored(members []member) []member {
	is := func(m member) bool { return m.value.ignored }
	if !slices.ContainsFunc(members, is) {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), is)
}
