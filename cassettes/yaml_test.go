package cassettes

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// roundTrips writes a file with this text in each place that takes any, and
// loads it.
func roundTrips(t *testing.T, s string) {
	t.Helper()
	i := &interaction{Label: s}
	i.Request.Method, i.Request.URL, i.Request.Body = "POST", "http://recorded.invalid/", s
	i.Response.Code, i.Response.Status, i.Response.Body = 200, "200 OK", s
	f := &file{Test: s, Interactions: []*interaction{i, i}}
	data := f.encode("2026-12-01")
	read, err := decode(data, rules{})
	require.NoError(t, err, "%q\n%s", s, data)
	var byYAML file
	require.NoError(t, yaml.Unmarshal(data, &byYAML), "%q\n%s", s, data)
	for _, back := range []*file{read, &byYAML} {
		assert.Equal(t, s, back.Test)
		require.Len(t, back.Interactions, 2)
		for _, i := range back.Interactions {
			assert.Equal(t, s, i.Label)
			assert.Equal(t, s, i.Request.Body)
			assert.Equal(t, s, i.Response.Body)
		}
	}
}

func FuzzScalar(f *testing.F) {
	for _, s := range []string{
		"", "x", "a\nb", "\na", "\ta\nb", "\u2028a\nb", "a\r\nb", "a \n", "\xff", "\x00", "\ufeff", "\u0085", "- a\n- b", "...", "---\n",
		"{a: b}", "!!int 1", "&a", "*a", "2026-12-01", "0x1F", "null", "y", "a: b # c", "# Recorded", "\U0010ffff\n", "\ue000\n \n",
	} {
		f.Add(s)
	}
	f.Fuzz(roundTrips)
}

func TestScalarsOfAwkwardRunes(t *testing.T) {
	const awkward = "ab \t\n\n\r:-#'\"\\|>%@`&*!?{}[],~\u00a0\u0085\u2028\u2029\ufeff\x00\x1b\x7fé长🙂"
	runes := []rune(awkward)
	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteRune(runes[random.IntN(len(runes))])
		}
		roundTrips(t, b.String())
	}
}

func TestFormOfScalars(t *testing.T) {
	tests := map[string]form{
		"llama3.2":            plain,
		"200 OK":              plain,
		"a: b":                singleQuoted,
		"200 ":                singleQuoted,
		"2026-12-01 10:00:00": singleQuoted,
		"/api/chat":           plain,
		"":                    singleQuoted,
		"null":                singleQuoted,
		"2026-12-01":          singleQuoted,
		"1e3":                 singleQuoted,
		`it's {"a": "🙂"}`:     singleQuoted,
		"a\nb\n":              literal,
		"a\n\tb 🙂\n\n":        literal,
		"a\tb":                doubleQuoted,
		"\ta\nb":              doubleQuoted,
		"\n\na":               doubleQuoted,
		" a\nb":               doubleQuoted,
		"\u2028a\nb":          doubleQuoted,
		"a\r\nb":              doubleQuoted,
		"\x00":                doubleQuoted,
		"\xff":                binary,
	}
	for s, want := range tests {
		assert.Equal(t, want, formOf(s), "%q", s)
		roundTrips(t, s)
	}
}
