package cassettes

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// questionOf is that of a call without headers.
func questionOf(method string, u *url.URL, body string) question {
	return rules{}.question(method, u, nil, body)
}

func keyOfCall(t *testing.T, method, rawURL, body string) key {
	t.Helper()
	u, err := url.Parse(rawURL)
	require.NoError(t, err)
	a := questionOf(method, u, body)
	kept, err := url.Parse("http://" + recordedHost + a.uri)
	require.NoError(t, err)
	assert.Equal(t, a.key, questionOf(method, kept, a.body()).key, "the key of the call as the file keeps it")
	return a.key
}

func TestKeyIsThatOfWhatIsAsked(t *testing.T) {
	type call struct{ method, url, body string }
	same := map[string][2]call{
		"unnamed method":      {{"", "http://a/x", ""}, {"GET", "http://a/x", ""}},
		"host":                {{"GET", "http://a/x", ""}, {"GET", "https://b:1/x", ""}},
		"order of the query":  {{"GET", "http://a/x?a=1&b=2", ""}, {"GET", "http://a/x?b=2&a=1", ""}},
		"secret in the query": {{"GET", "http://a/x?api_key=1", ""}, {"GET", "http://a/x?api_key=2", ""}},
		"white space in JSON": {{"POST", "http://a/", `{"a":[1,2]}`}, {"POST", "http://a/", "{ \"a\" : [1 ,\n2] }\n"}},
		"order of members":    {{"POST", "http://a/", `{"a":1,"b":{"c":1,"d":2}}`}, {"POST", "http://a/", `{"b":{"d":2,"c":1},"a":1}`}},
		"escapes in JSON":     {{"POST", "http://a/", `{"a":"\u003cü\/"}`}, {"POST", "http://a/", `{"a":"<\u00fc/"}`}},
		"separators in JSON":  {{"POST", "http://a/", `["\u2028"]`}, {"POST", "http://a/", "[\"\u2028\"]"}},
		"secret in JSON":      {{"POST", "http://a/", `{"password":"1"}`}, {"POST", "http://a/", `{"password":"2"}`}},
	}
	for name, calls := range same {
		a, b := calls[0], calls[1]
		assert.Equal(t, keyOfCall(t, a.method, a.url, a.body), keyOfCall(t, b.method, b.url, b.body), name)
	}
	different := map[string][2]call{
		"method":               {{"GET", "http://a/", ""}, {"HEAD", "http://a/", ""}},
		"path":                 {{"GET", "http://a/x", ""}, {"GET", "http://a/y", ""}},
		"escaped slash":        {{"GET", "http://a/x/y", ""}, {"GET", "http://a/x%2Fy", ""}},
		"query":                {{"GET", "http://a/?a=1", ""}, {"GET", "http://a/?a=2", ""}},
		"order of one name":    {{"GET", "http://a/?a=1&a=2", ""}, {"GET", "http://a/?a=2&a=1", ""}},
		"text":                 {{"POST", "http://a/", "x"}, {"POST", "http://a/", "x "}},
		"digits":               {{"POST", "http://a/", "[1.0]"}, {"POST", "http://a/", "[1]"}},
		"large numbers":        {{"POST", "http://a/", "[9007199254740993]"}, {"POST", "http://a/", "[9007199254740992]"}},
		"string and number":    {{"POST", "http://a/", `["1"]`}, {"POST", "http://a/", "[1]"}},
		"order of items":       {{"POST", "http://a/", "[1,2]"}, {"POST", "http://a/", "[2,1]"}},
		"members named twice":  {{"POST", "http://a/", `{"a":1,"a":2}`}, {"POST", "http://a/", `{"a":2,"a":1}`}},
		"a member named twice": {{"POST", "http://a/", `{"a":1,"a":2}`}, {"POST", "http://a/", `{"a":2}`}},
		"trailing data":        {{"POST", "http://a/", `{"a":1} 1`}, {"POST", "http://a/", `{"a":1}`}},
		"trailing white space": {{"POST", "http://a/", `{"a":1} 1`}, {"POST", "http://a/", `{"a":1}  1`}},
		"invalid UTF-8":        {{"POST", "http://a/", "[\"\xff\"]"}, {"POST", "http://a/", "[\"\xfe\"]"}},
		"path and query":       {{"GET", "http://a/x%3Fa=1", ""}, {"GET", "http://a/x?a=1", ""}},
	}
	for name, calls := range different {
		a, b := calls[0], calls[1]
		assert.NotEqual(t, keyOfCall(t, a.method, a.url, a.body), keyOfCall(t, b.method, b.url, b.body), name)
	}
}

func TestDeepJSONIsNoDanger(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	assert.Equal(t, deep, string(questionOf("POST", &url.URL{}, deep).canonical(nil)))
	nested := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	assert.Equal(t, nested, string(questionOf("POST", &url.URL{}, nested).canonical(nil)))
}

func TestJSONIsAsDeepAsTheStandardLibraryReads(t *testing.T) {
	for _, depth := range []int{10000, 10001} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, ok := parseJSON(text)
		assert.Equal(t, json.Valid([]byte(text)), ok, "depth %d", depth)
	}
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{
		`{"b":1.50,"a":[null,true,{"x":"\u003c\ud800ü\""}],"token":"t"}`, `{"a":1,"a":2}`, ` [ ] `, `"x"`, `-0`, `{"":{}}`, "{", "\xff", `[1,]`, `[1 2]`, `{"a" 1}`, `{"a":1,}`, `{a:1}`, `[01]`, `[1.]`, `[-]`, `[1e+2]`, `tru`, `"\x"`, `"\u12"`, "\"\n\"", `"a`, `"\`, `1 2`, ``, `[`, `{"a":`, "\"\u2028\\/\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		u := &url.URL{Path: "/"}
		a := questionOf("POST", u, body)
		if k := questionOf("POST", u, a.body()).key; k != a.key {
			t.Fatalf("the file's form %q of %q has another key", a.body(), body)
		}
		if k := questionOf("POST", u, string(a.canonical(nil))).key; k != a.key {
			t.Fatalf("the canonical form %q of %q has another key", string(a.canonical(nil)), body)
		}
		v, ok := parseJSON(body)
		if valid := json.Valid([]byte(body)) && utf8.ValidString(body); ok != valid {
			t.Fatalf("%q is valid: %v", body, valid)
		}
		if !ok {
			if string(a.canonical(nil)) != body {
				t.Fatalf("%q is no JSON and became %q", body, string(a.canonical(nil)))
			}
			return
		}
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, []byte(body), "\t", " "); err != nil {
			t.Fatal(err)
		}
		if k := questionOf("POST", u, spaced.String()).key; k != a.key {
			t.Fatalf("white space changed the key of %q", body)
		}
		var here, there any
		if json.Unmarshal([]byte(body), &here) != nil || json.Unmarshal(v.canonical(nil), &there) != nil {
			return // a number out of range
		}
		assert.Equal(t, here, there, "the canonical form of %q says something else", body)
		sorted, err := json.Marshal(here)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(body, "0123456789") || hasDuplicates(v) {
			return // encoding/json writes numbers its own way, and drops duplicates
		}
		if k := questionOf("POST", u, string(sorted)).key; k != a.key {
			t.Fatalf("order changed the key of %q, sorted %q", body, sorted)
		}
	})
}

func hasDuplicates(v value) bool {
	seen := map[string]bool{}
	for _, m := range v.members {
		if seen[m.name] || hasDuplicates(m.value) {
			return true
		}
		seen[m.name] = true
	}
	for _, item := range v.items {
		if hasDuplicates(item) {
			return true
		}
	}
	return false
}
