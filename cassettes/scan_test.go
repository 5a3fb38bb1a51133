package cassettes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// sameAsYAML reports whether scan reads the text, and fails unless yaml.v3
// then reads the same.
func sameAsYAML(t *testing.T, text string) bool {
	t.Helper()
	n, ok := scan([]byte(text))
	if !ok {
		return false
	}
	var here, there any
	errHere, errThere := n.Decode(&here), yaml.Unmarshal([]byte(text), &there)
	require.Equal(t, errThere == nil, errHere == nil, "%q: %v, %v", text, errHere, errThere)
	require.Equal(t, there, here, "%q", text)
	return true
}

func TestScanReadsWhatCassettesAreWrittenIn(t *testing.T) {
	files, err := filepath.Glob("examples/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range append(files, govcrFile(t, "a", `{"a": "it's"}`, "two\nlines", "x y")) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, sameAsYAML(t, string(data)), path)
	}
}

func TestScanReadsAsYAMLDoes(t *testing.T) {
	for _, text := range []string{
		"a: b\n", "# c\n# d\na: 1\nb: true\nc: null\nd: 2026-12-01\ne: 1.5\nf: 0x1F\n", "---\na: b\n",
		"a:\n  - b\n  - c: d\n    e: f\n  - 'g'\n", "a: |\n  b\n", "a: |-\n  b\n\n    c\n\nd: e\n", "a: |+\n  b\n\n\n",
		"a: 'it''s'\n", "a: ''\n", "a: ''''\n", `a: "\u00e9\n\t\r\x00\U0001F642\"\\"` + "\n", "a: {}\nb: []\n",
		"a: !!binary /w==\n", "a: 200 OK\n", "a: -1\n", "a: 8.9µs\n", "a: http://x:1/y\n", "a: y\n", "y: n\n", "a: |\n   b\n   \n   c\n", "a: |\n  b\n  \tc\n",
	} {
		assert.True(t, sameAsYAML(t, text), "%q", text)
	}
}

func TestScanLeavesTheRestToYAML(t *testing.T) {
	for _, text := range []string{
		"", "a", "a: b", "a:\n", "a: \n", "- a\nb: c\n", "a: b\n c: d\n", "a:\n- b\n", "a: b: c\n", "a: b #c\n", "a: &b c\n", "a: *b\n",
		"a: >\n  b\n", "a: |\n\n  b\n", "a: |2\n    b\n", "a: |\nb: c\n", "a: |\n  \tb\n", "a: |\n    b\n  \n    c\n",
		"a: 'b\n", "a: 'b' 'c'\n", `a: "b" "c"` + "\n", `a: "\0"` + "\n", `a: "\ud800"` + "\n", `a: "\"` + "\n", `a: "\x4"` + "\n", "a: \"b\n",
		"a: [b]\n", "a: {b: c}\n", "a: b\r\n", "a: \xff\n", "a: \ufeffb\n", "a: b\n\nc: d\n", "a: b\n# c\n", "? a\n", "<<: a\n", "'a': b\n", "a : b\n",
		"a: b\n---\nc: d\n", "a: -\n", "a: - b\n", "a: !!binary \n", "a: !!binary =*\n", "a: !!str b\n", "a:b\n", `a: "\/"` + "\n",
	} {
		_, ok := scan([]byte(text))
		assert.False(t, ok, "%q", text)
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"a: b", "a:\n  - b\n  - c: 'd'\n    e: |-\n      f\n\n       g", `a: "\u00e9"`, "a: |+\n  b\n\n", "# x\n---\na: {}", "a: !!binary /w==", "a: |\n  b\n\t",
		strings.Repeat("a", 999) + ": b", strings.Repeat("a", 1024) + ": b", strings.Repeat("a", 1025) + ": b", "- " + strings.Repeat("a", 1025) + ": b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsYAML(t, text+"\n") })
}
