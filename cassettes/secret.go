package cassettes

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// secretNames are what the names of secrets end in, in headers, query
// parameters, forms and JSON; written lower case, letters and digits alone.
var secretNames = byEnd(
	"apikey", "accesskey", "accesskeyid", "secretkey", "privatekey", "signingkey", "encryptionkey",
	"subscriptionkey", "authkey", "accountkey", "sharedkey", "masterkey", "secretaccesskey",
	"accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "securitytoken", "bearertoken",
	"apitoken", "bottoken", "usertoken", "csrftoken", "xsrftoken", "privatetoken", "jobtoken", "vaulttoken",
	"clienttoken", "servicetoken", "devicetoken", "webhooktoken",
	"password", "passwd", "passphrase", "secret", "clientassertion", "authorization", "cookie", "sessionid",
	"xamzsignature", "xamzcredential",
)

// wholeSecretNames are secret by themselves, and harmless as the end of
// another name: next_page_token.
var wholeSecretNames = []string{"token", "pwd", "jwt"}

// secretParameters are secret in a query and in a form alone: in JSON they
// are everyday words.
var secretParameters = []string{"key", "sig", "signature", "code", "assertion"}

const endLength = 3

// byEnd sorts names by their last letters, which is what makes a look for one
// fast: every member of every call is looked up.
func byEnd(names ...string) map[string][]string {
	m := map[string][]string{}
	for _, name := range names {
		end := name[len(name)-endLength:]
		m[end] = append(m[end], name)
	}
	return m
}

func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, name)
}

func secretName(name string) bool {
	name = bareName(name)
	if len(name) < endLength {
		return false
	}
	for _, secret := range secretNames[name[len(name)-endLength:]] {
		if strings.HasSuffix(name, secret) {
			return true
		}
	}
	return slices.Contains(wholeSecretNames, name)
}

func secretParameter(name string) bool {
	return secretName(name) || slices.Contains(secretParameters, bareName(name))
}

// secrets adds the edits that redact v's strings that are named as secrets,
// in v and in the JSON that v's strings hold.
func (v value) secrets(edits []edit) []edit {
	for _, m := range v.members {
		switch {
		case m.value.kind != '"':
			edits = m.value.secrets(edits)
		case m.value.literal == `""`:
		case secretName(m.name) && v.get("logprob").kind == 0: // a model's tokens are no secrets
			edits = append(edits, edit{m.value.start, m.value.end, m.value.text(), `"` + redacted + `"`})
		default:
			edits = m.value.secrets(edits)
		}
	}
	for _, item := range v.items {
		edits = item.secrets(edits)
	}
	if v.kind == '"' && strings.HasPrefix(v.literal, `"{`) || strings.HasPrefix(v.literal, `"[`) {
		text := v.text()
		if is := splice(text, secretsIn(text)); is != text { // a tool's arguments, a tool's result
			edits = append(edits, edit{v.start, v.end, "", string(appendQuoted(nil, is))})
		}
	}
	return edits
}

// secretsIn gives the edits that redact the secrets of a text's JSON.
func secretsIn(text string) []edit {
	var edits []edit
	for _, d := range documents(text) {
		edits = append(edits, d.edits(d.secrets(nil))...)
	}
	return edits
}

// minCredential is the shortest credential that is looked for in texts: what
// is shorter could be a word.
const minCredential = 8

func addCredential(found []string, credential string) []string {
	if len(credential) < minCredential || credential == redacted || slices.Contains(found, credential) {
		return found
	}
	return append(found, credential)
}

// credentials gives the secrets that a call carries, so that they are found
// wherever they are repeated.
func credentials(u *url.URL, h http.Header) []string {
	var found []string
	for name, values := range h {
		if !secretName(name) {
			continue
		}
		for _, v := range values {
			found = append(found, headerCredentials(name, v)...)
		}
	}
	if password, ok := u.User.Password(); ok {
		found = addCredential(found, password)
	}
	if u.RawQuery != "" {
		query, _ := url.ParseQuery(u.RawQuery)
		for name, values := range query {
			for _, v := range values {
				if secretParameter(name) {
					found = addCredential(found, v)
				}
			}
		}
	}
	// The longest first: one may hold another.
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}

// headerCredentials gives the secrets in a header: a token after its scheme,
// a user's password, the values of cookies.
func headerCredentials(name, text string) []string {
	var found []string
	if bareName(name) == "cookie" {
		for pair := range strings.SplitSeq(text, ";") {
			_, v, _ := strings.Cut(pair, "=")
			found = addCredential(found, strings.TrimSpace(v))
		}
		return found
	}
	scheme, rest, ok := strings.Cut(text, " ")
	if !ok {
		return addCredential(found, text)
	}
	rest = strings.TrimSpace(rest)
	found = addCredential(found, rest)
	if strings.EqualFold(scheme, "Basic") {
		if plain, err := base64.StdEncoding.DecodeString(rest); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			found = addCredential(found, password)
		}
	}
	return found
}
