package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readme gives text with three backticks for three quotes: a raw string cannot hold them.
func readme(text string) string { return strings.ReplaceAll(text, "'''", "```") }

func TestParseGivesWhatRunsInOrder(t *testing.T) {
	blocks, err := parse(readme(`# Title
'''sh
go test ./...
'''
<!-- ci: file support/a_test.go -->
'''go
package support
'''
'''text
$ not a command
'''
<!-- ci: consumer -->
'''sh
go get example.com/x
go test
'''
<!-- ci: ollama -->
'''sh
go test -count=1
'''
`))
	require.NoError(t, err)
	assert.Equal(t, []block{
		{line: 2, place: inClone, text: "go test ./...\n"},
		{line: 6, place: inConsumer, file: "support/a_test.go", text: "package support\n"},
		{line: 13, place: inConsumer, text: "go get example.com/x\ngo test\n"},
		{line: 18, place: withOllama, text: "go test -count=1\n"},
	}, blocks)
}

func TestParseRefusesWhatWouldStayUnchecked(t *testing.T) {
	const runs = "'''sh\ntrue\n'''\n"
	for name, tc := range map[string]struct{ readme, want string }{
		"no commands":             {"# Title\n", "no sh fence"},
		"go without a file":       {"'''go\npackage a\n'''\n", "line 1: a go fence needs"},
		"another shell":           {"'''bash\ntrue\n'''\n", `line 1: fence of language "bash"`},
		"no language":             {"'''\ntrue\n'''\n", `line 1: fence of language ""`},
		"indented fence":          {"- item\n  '''sh\n  true\n  '''\n", "line 2: write a fence at the start"},
		"four backticks":          {"''''sh\ntrue\n''''\n", "line 1: write a fence"},
		"open fence":              {runs + "'''sh\ntrue\n", "line 4: the fence is never closed"},
		"comment away from fence": {"<!-- ci: consumer -->\n\n" + runs, "line 1: a ci comment must stand directly before"},
		"comment at the end":      {runs + "<!-- ci: consumer -->\n", "with no fence after it"},
		"skip":                    {"<!-- ci: skip -->\n" + runs, `<!-- ci: skip --> does not fit a "sh" fence`},
		"skip with a reason":      {"<!-- ci: skip it is slow -->\n" + runs, "line 1: not a ci comment that is known"},
		"commands in yaml":        {"<!-- ci: consumer -->\n'''yaml\na: b\n'''\n", `does not fit a "yaml" fence`},
		"file outside":            {"<!-- ci: file ../a.go -->\n'''go\npackage a\n'''\n", "not a path inside"},
		"file without a name":     {"<!-- ci: file -->\n'''go\npackage a\n'''\n", "not a path inside"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(readme(tc.readme))
			assert.ErrorContains(t, err, tc.want)
		})
	}
}
