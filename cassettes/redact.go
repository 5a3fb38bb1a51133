package cassettes

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The constants that stand for what a file does not keep.
const (
	redacted     = "REDACTED"
	recordedHost = "recorded.invalid" // by RFC 2606 no host has this name
	fixedTime    = "2000-01-01T00:00:00Z"
)

// url gives u as the file keeps it: the constant host, the query sorted and
// without secrets.
func (r rules) url(u *url.URL, found []string) *url.URL {
	kept := &url.URL{
		Scheme: "http", Host: recordedHost,
		Path: cmp.Or(u.Path, "/"), RawPath: u.RawPath, RawQuery: r.query(u.RawQuery, found),
	}
	if path := r.plain(kept.Path, found); path != kept.Path {
		kept.Path, kept.RawPath = path, ""
	}
	return kept
}

func (r rules) query(raw string, found []string) string {
	if raw == "" {
		return ""
	}
	query, err := url.ParseQuery(raw)
	if err != nil { // its hash tells it from others that cannot be parsed
		query.Set("unparsed", fmt.Sprintf("%x", sha256.Sum256([]byte(raw))))
	}
	r.ignore.query(query)
	for name, values := range query {
		if secretParameter(name) {
			delete(query, name)
			continue
		}
		for n := range values {
			values[n] = r.plain(values[n], found)
		}
	}
	return query.Encode()
}

// plain redacts text without looking into its form: what is known to be a
// credential, and what the user's function finds.
func (r rules) plain(text string, found []string) string {
	for _, credential := range found {
		text = strings.ReplaceAll(text, credential, redacted)
	}
	if r.redact != nil {
		text = r.redact(text)
	}
	return text
}

// body redacts the body of a request; JSON is given parsed. It also gives what
// it found to be a credential, together with those found before.
func (r rules) body(h http.Header, body string, found []string) (value, string, []string) {
	body = r.text(body, found)
	v, ok := parseJSON(body)
	if !ok {
		if isForm(h) {
			body = r.form(body)
		}
		return value{}, body, found
	}
	if edits := v.secrets(nil); len(edits) > 0 {
		for _, e := range edits {
			found = addCredential(found, e.old)
		}
		body = r.text(splice(body, edits), found)
		v, _ = parseJSON(body)
	}
	r.ignore.members(&v)
	return v, "", found
}

func isForm(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "application/x-www-form-urlencoded"
}

// form redacts a form's secrets and leaves all else as it stands.
func (r rules) form(text string) string {
	pairs := strings.Split(text, "&")
	for n, pair := range pairs {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && secretParameter(plain) {
			pairs[n] = name + "=" + redacted
		}
	}
	return strings.Join(pairs, "&")
}

// answer redacts the body of an answer and fixes its times. Every other byte
// stays.
func (r rules) answer(h http.Header, body string, found []string) string {
	plain, compress, err := decompress(h, body)
	if err != nil { // the scan for secrets speaks of it
		return r.plain(body, found)
	}
	text := r.text(fixTimes(plain), found)
	text = r.strands(splice(text, secretsIn(text)), found)
	if text == plain {
		return body
	}
	return compress(text)
}

// keptHeaders copies the headers of that name. All others go: they hold
// credentials, or differ with every run and machine.
func keptHeaders(h http.Header, names ...string) http.Header {
	kept := http.Header{}
	for _, name := range names {
		if values := h.Values(name); len(values) > 0 {
			kept[name] = slices.Clone(values)
		}
	}
	return kept
}

func requestHeaders(h http.Header) http.Header {
	return keptHeaders(h, "Accept", "Content-Type")
}

// responseHeaders keeps of a Location its path and query.
func (r rules) responseHeaders(h http.Header, found []string) http.Header {
	kept := keptHeaders(h, "Content-Encoding", "Content-Type", "Location", "Retry-After")
	for i, location := range kept["Location"] {
		u, err := url.Parse(location)
		if err != nil {
			kept["Location"][i] = redacted
			continue
		}
		if u.Host != "" {
			u = r.url(u, found)
		} else {
			u.RawQuery = r.query(u.RawQuery, found)
		}
		kept["Location"][i] = u.String()
	}
	return kept
}
