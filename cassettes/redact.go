package cassettes

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The constants that stand for what a file does not keep.
const (
	redacted     = "REDACTED"
	recordedHost = "recorded.invalid" // by RFC 2606 no host has this name
	fixedTime    = "2000-01-01T00:00:00Z"
)

// secretNames are the names of query parameters and JSON members whose values
// are secrets; written lower case, without - and _.
var secretNames = []string{
	"apikey", "xapikey", "accesstoken", "refreshtoken", "clientsecret", "token", "password", "authorization",
}

var withoutMarks = strings.NewReplacer("-", "", "_", "")

func secretName(name string) bool {
	return slices.Contains(secretNames, strings.ToLower(withoutMarks.Replace(name)))
}

// redactURL gives u as the file keeps it: the constant host, the query sorted
// and without secrets.
func redactURL(u *url.URL) *url.URL {
	return &url.URL{
		Scheme: "http", Host: recordedHost,
		Path: cmp.Or(u.Path, "/"), RawPath: u.RawPath, RawQuery: redactQuery(u.RawQuery),
	}
}

func redactQuery(raw string) string {
	query, err := url.ParseQuery(raw)
	if err != nil { // its hash tells it from others that cannot be parsed
		query.Set("unparsed", fmt.Sprintf("%x", sha256.Sum256([]byte(raw))))
	}
	for name := range query {
		if secretName(name) {
			delete(query, name)
		}
	}
	return query.Encode()
}

// redact replaces the texts of members with a secret's name, at any depth.
func (v *value) redact() {
	for i := range v.members {
		m := &v.members[i]
		if m.value.kind == '"' && m.value.literal != `""` && secretName(m.name) {
			m.value.literal = `"` + redacted + `"`
		} else {
			m.value.redact()
		}
	}
	for i := range v.items {
		v.items[i].redact()
	}
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

// responseHeaders keeps of a Location its path and query.
func responseHeaders(h http.Header) http.Header {
	kept := keptHeaders(h, "Content-Encoding", "Content-Type", "Location", "Retry-After")
	for i, location := range kept["Location"] {
		u, err := url.Parse(location)
		if err != nil {
			kept["Location"][i] = redacted
			continue
		}
		if u.Host != "" {
			u = redactURL(u)
		} else {
			u.RawQuery = redactQuery(u.RawQuery)
		}
		kept["Location"][i] = u.String()
	}
	return kept
}

// fixTimes replaces in an answer of Ollama's, streamed or not, what differs
// with every run: created_at and the durations. Every other byte stays.
func fixTimes(body string) string {
	if !strings.Contains(body, `"created_at"`) {
		return body
	}
	if v, ok := parseJSON([]byte(body)); ok {
		return fixTimesIn(body, v)
	}
	var b strings.Builder
	for line := range strings.Lines(body) {
		if v, ok := parseJSON([]byte(line)); ok {
			line = fixTimesIn(line, v)
		}
		b.WriteString(line)
	}
	return b.String()
}

func fixTimesIn(text string, v value) string {
	if v.get("created_at").kind != '"' || v.get("done").kind != 'l' {
		return text // not Ollama's
	}
	var b strings.Builder
	at := 0
	for _, m := range v.members {
		fixed := ""
		switch m.name {
		case "created_at":
			fixed = `"` + fixedTime + `"`
		case "total_duration", "load_duration", "prompt_eval_duration", "eval_duration":
			fixed = "1" // not 0: readers divide by it
		default:
			continue
		}
		b.WriteString(text[at:m.value.start])
		b.WriteString(fixed)
		at = m.value.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// secretPatterns are the forms of secrets that a file must not hold; each has
// its sign, in lower case, as a quick test. Words have the forms too
// ("sk-learn-…"), so a match counts only if it is random, too.
var secretPatterns = []struct {
	what, sign string
	pattern    *regexp.Regexp
}{
	{"an API key (sk-…)", "sk-", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`)},
	{"a bearer token", "bearer", regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{16,}`)},
	{"a GitHub token (ghp_…)", "ghp_", regexp.MustCompile(`\bghp_[A-Za-z0-9]{20,}`)},
	{"an AWS key (AKIA…)", "akia", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{"a Google key (AIza…)", "aiza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},
	{"a Slack token (xox?-…)", "xox", regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
}

var (
	random     = regexp.MustCompile(`[0-9]|[A-Za-z]{20}`)
	privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)
)

// checkSecrets refuses text that holds what looks like a secret. Its error
// says where, and never what.
func checkSecrets(where, text string) error {
	what := ""
	if privateKey.MatchString(text) {
		what = "a private key"
	}
	lower := strings.ToLower(text)
	for _, s := range secretPatterns {
		if !strings.Contains(lower, s.sign) {
			continue
		}
		for _, match := range s.pattern.FindAllString(text, -1) {
			if random.MatchString(match) {
				what = s.what
			}
		}
	}
	if what == "" {
		return nil
	}
	return fmt.Errorf("%w: %s has what looks like %s; keep it out of the call", ErrSecret, where, what)
}
