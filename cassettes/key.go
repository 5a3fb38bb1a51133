package cassettes

import (
	"cmp"
	"crypto/sha256"
	"net/url"
)

// key is the hash of what a call asks. Two calls with one key are equal.
type key [sha256.Size]byte

// ask is what a call asks, redacted: equal for the call as it is made and as
// the file keeps it.
type ask struct {
	method string
	path   string
	uri    string // path and query, sorted
	canon  string // the body as it is compared: JSON without white space, members sorted
	json   value  // zero where the body is no JSON
	key    key    // the hash of method, uri and canon
}

func newAsk(method string, u *url.URL, body []byte) ask {
	u = redactURL(u)
	a := ask{method: cmp.Or(method, "GET"), path: u.Path, uri: u.RequestURI(), canon: string(body)}
	if v, ok := parseJSON(body); ok {
		v.redact()
		a.json, a.canon = v, string(v.canonical(make([]byte, 0, len(body))))
	}
	a.key = sha256.Sum256([]byte(a.method + "\n" + a.uri + "\n" + a.canon)) // the first two hold no line break
	return a
}

// body is the body as the file keeps it: JSON is indented.
func (a ask) body() string {
	if a.json.kind != 0 {
		return string(a.json.indented())
	}
	return a.canon
}

// name names a call in messages, without what it asks: its query and body.
func (a ask) name(label string) string {
	name := a.method + " " + a.path
	if label != "" {
		name += ", " + label
	}
	return name
}
