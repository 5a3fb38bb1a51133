package cassettes

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// shape is the form of a kind of secret that a file must not hold.
type shape struct {
	what    string
	signs   string // one of them, parted by |, starts each or stands in it, and is quickly looked for
	pattern *regexp.Regexp
	loose   bool // words have the form, too: it counts only if it looks random
}

// shapes are the known forms of secrets, from their issuers' documents.
var shapes = []shape{
	{"an API key (sk-…)", "sk-", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`), true},
	{"a Stripe key", "k_live_|k_test_|k_prod_", regexp.MustCompile(`\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}`), false},
	{"a Stripe webhook secret", "whsec_", regexp.MustCompile(`\bwhsec_[A-Za-z0-9+/]{20,}`), true},
	{"a bearer token", "earer", regexp.MustCompile(`\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{16,}`), true},
	{"a user's password (Basic …)", "asic", regexp.MustCompile(`\b[Bb]asic\s+[A-Za-z0-9+/]{12,}={0,2}`), true},
	{"a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", regexp.MustCompile(`\bgh[opusr]_[A-Za-z0-9]{20,}`), false},
	{"a GitHub token", "github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{20,}`), false},
	{"a GitLab token", "glpat-|gldt-|glrt-|glptt-|glcbt-|glft-|glsoat-|glagent-", regexp.MustCompile(`\bgl(?:pat|dt|rt|ptt|cbt|ft|soat|agent)-[A-Za-z0-9_-]{16,}`), true},
	{"an AWS key", "AKIA|ASIA|ABIA|ACCA", regexp.MustCompile(`\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b`), false},
	{"a Google key", "AIza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{30,}`), false},
	{"a Google token", "ya29.", regexp.MustCompile(`\bya29\.[0-9A-Za-z_-]{20,}`), false},
	{"a Google client secret", "GOCSPX-", regexp.MustCompile(`\bGOCSPX-[0-9A-Za-z_-]{20,}`), false},
	{"a Slack token", "xox", regexp.MustCompile(`\bxox[abceoprs][.-][A-Za-z0-9-]{10,}`), false},
	{"a Slack token", "xapp-", regexp.MustCompile(`\bxapp-[0-9]-[A-Za-z0-9-]{10,}`), false},
	{"a webhook's address", "hooks.slack.com", regexp.MustCompile(`hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`), false},
	{"a webhook's address", "/api/webhooks/", regexp.MustCompile(`/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{30,}`), false},
	{"a Hugging Face token", "hf_", regexp.MustCompile(`\bhf_[A-Za-z0-9]{20,}`), true},
	{"a Groq key", "gsk_", regexp.MustCompile(`\bgsk_[A-Za-z0-9]{20,}`), true},
	{"an xAI key", "xai-", regexp.MustCompile(`\bxai-[A-Za-z0-9]{20,}`), true},
	{"a Perplexity key", "pplx-", regexp.MustCompile(`\bpplx-[A-Za-z0-9]{20,}`), true},
	{"a Replicate token", "r8_", regexp.MustCompile(`\br8_[A-Za-z0-9]{20,}`), true},
	{"a Fireworks key", "fw_", regexp.MustCompile(`\bfw_[A-Za-z0-9]{20,}`), true},
	{"an NVIDIA key", "nvapi-", regexp.MustCompile(`\bnvapi-[A-Za-z0-9_-]{20,}`), true},
	{"a Tavily key", "tvly-", regexp.MustCompile(`\btvly-[A-Za-z0-9-]{16,}`), true},
	{"a LangSmith key", "lsv2_", regexp.MustCompile(`\blsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}`), false},
	{"a Pinecone key", "pcsk_", regexp.MustCompile(`\bpcsk_[A-Za-z0-9_]{20,}`), true},
	{"an npm token", "npm_", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{30,}`), true},
	{"a PyPI token", "pypi-", regexp.MustCompile(`\bpypi-[A-Za-z0-9_-]{30,}`), true},
	{"a SendGrid key", "SG.", regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), false},
	{"a Twilio key", "SK", regexp.MustCompile(`\bSK[0-9a-f]{32}\b`), false},
	{"a Mailgun key", "key-", regexp.MustCompile(`\bkey-[0-9a-f]{32}\b`), false},
	{"a DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_", regexp.MustCompile(`\bdo[opr]_v1_[0-9a-f]{40,}`), false},
	{"a Databricks token", "dapi", regexp.MustCompile(`\bdapi[0-9a-f]{32}`), false},
	{"a Vault token", "hvb.|hvs.|hvr.", regexp.MustCompile(`\bhv[bsr]\.[A-Za-z0-9_-]{20,}`), false},
	{"a Shopify token", "shpat_|shpca_|shppa_|shpss_", regexp.MustCompile(`\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`), false},
	{"a Square token", "sq0", regexp.MustCompile(`\bsq0[a-z]{3}-[0-9A-Za-z_-]{20,}`), false},
	{"a Linear key", "lin_api_", regexp.MustCompile(`\blin_api_[A-Za-z0-9]{20,}`), false},
	{"a Notion token", "ntn_", regexp.MustCompile(`\bntn_[A-Za-z0-9]{30,}`), true},
	{"a Grafana token", "glsa_|glc_", regexp.MustCompile(`\bgl(?:sa|c)_[A-Za-z0-9+/_=]{30,}`), true},
	{"a Sentry token", "sntrys_|sntryu_", regexp.MustCompile(`\bsntry[su]_[A-Za-z0-9+/_=.-]{30,}`), true},
	{"a Docker token", "dckr_", regexp.MustCompile(`\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`), false},
	{"a Tailscale key", "tskey-", regexp.MustCompile(`\btskey-[a-z]+-[A-Za-z0-9-]{16,}`), false},
	{"a Postman key", "PMAK-", regexp.MustCompile(`\bPMAK-[0-9a-f]{20,}`), false},
	{"a New Relic key", "NRAK-", regexp.MustCompile(`\bNRAK-[A-Z0-9]{20,}`), false},
	{"a Supabase key", "sbp_|sb_secret_", regexp.MustCompile(`\b(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})`), false},
	{"a Telegram bot's token", ":AA", regexp.MustCompile(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`), false},
	{"an Azure storage key", "AccountKey=", regexp.MustCompile(`AccountKey=[A-Za-z0-9+/]{40,}`), false},
	{"an age key", "AGE-SECRET-KEY-1", regexp.MustCompile(`AGE-SECRET-KEY-1[0-9A-Z]{50,}`), false},
	{"a JSON web token", "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`), false},
	{"a private key", "PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`), false},
	{"a password in an address", "://", regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s/:@"'\\]*:[^\s/:@"'\\]{6,}@[A-Za-z0-9\[]`), false},
	{"a named secret", "key|Key|KEY|secret|Secret|SECRET|token|Token|TOKEN|passw|Passw|PASSW", named, true},
}

// named is a secret by the name that stands before it, as in "api_key=…".
var named = regexp.MustCompile(`(?i)` +
	`(?:api[_-]?key|secret[_-]?key|secret|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|passw(?:or)?d)` +
	`[\\"']*\s*[:=]\s*[\\"']*([A-Za-z0-9+/_.~-]{20,})`)

var (
	digit      = regexp.MustCompile(`[0-9]`)
	longLetter = regexp.MustCompile(`[A-Za-z]{20}`)
)

// random reports whether a text looks like no words: it has a digit, or a run
// of letters that no word is as long as.
func random(s string) bool { return digit.MatchString(s) || longLetter.MatchString(s) }

type signed struct {
	sign  string
	shape *shape
}

// bySign lists the signs that start with a pair of bytes; pairs gives a
// pair's place in it, and 0, of an empty list, to all that start none.
var bySign, pairs = func() (lists [][]signed, pairs [1 << 16]uint8) {
	lists = [][]signed{nil}
	for n := range shapes {
		for sign := range strings.SplitSeq(shapes[n].signs, "|") {
			pair := pairOf(sign)
			if pairs[pair] == 0 {
				pairs[pair] = uint8(len(lists))
				lists = append(lists, nil)
			}
			lists[pairs[pair]] = append(lists[pairs[pair]], signed{sign, &shapes[n]})
		}
	}
	return lists, pairs
}()

func pairOf(s string) int { return int(s[0])<<8 | int(s[1]) }

// A secret is looked for this far around its sign.
const lookBehind, lookAhead = 64, 256

// shapeOf names the kind of secret that a text holds; "" for none.
func shapeOf(text string) string {
	pair := 0
	for at := range len(text) { // of a pair's second byte
		pair = pair&0xFF<<8 | int(text[at])
		list := pairs[pair]
		if list == 0 || at == 0 {
			continue
		}
		for _, s := range bySign[list] {
			if strings.HasPrefix(text[at-1:], s.sign) && s.shape.in(text[max(at-lookBehind, 0):min(at+lookAhead, len(text))]) {
				return s.shape.what
			}
		}
	}
	return ""
}

func (s *shape) in(text string) bool {
	matches := func(match string) bool { return !s.loose || random(match) }
	return slices.ContainsFunc(s.pattern.FindAllString(text, -1), matches)
}

// leaks refuses text that holds what looks like a secret, also where a stream
// splits it or JSON escapes it. Its error says where, and never what.
func leaks(where, text string) error {
	docs := documents(text)
	for _, s := range strands(docs) {
		if what := shapeOf(s.text()); what != "" {
			return leak(where+", field "+oneLine(s.path, shortValue), what)
		}
	}
	if what := shapeOf(text); what != "" {
		return leak(where, what)
	}
	return nil
}

func leak(where, what string) error {
	return fmt.Errorf("%w: %s has what looks like %s; keep it out of the call, or redact it (WithRedact, Options.Redact)", ErrSecret, where, what)
}

// leaks looks through all that the file would hold, and last through its very
// bytes.
func (f *file) leaks(data []byte) error {
	errs := []error{leaks("the name of the test", f.Test)}
	for _, i := range f.Interactions {
		name := i.ask.name(i.Label)
		if shapeOf(name) != "" {
			name = "a call"
		}
		look := func(part, text string) {
			errs = append(errs, leaks(fmt.Sprintf("the %s of %s", part, name), text))
		}
		look("label", i.Label)
		look("URL", i.Request.URL)
		look("headers", headerText(i.Request.Headers)+headerText(i.Response.Headers))
		look("request", i.Request.Body)
		answer, _, err := decompress(i.Response.Headers, i.Response.Body)
		if err != nil {
			errs = append(errs, fmt.Errorf("%w: the answer of %s may hold one: %w; ask for gzip or for none", ErrSecret, name, err))
			continue
		}
		look("answer", answer)
	}
	err := errors.Join(errs...)
	if what := shapeOf(string(data)); err == nil && what != "" {
		err = leak("the file", what)
	}
	return err
}

func headerText(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b) // a Builder takes it all
	return b.String()
}
