package evaltest

import (
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
)

// importPath is the package under test, as go test takes it.
var importPath = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "."
	}
	path := strings.TrimSuffix(info.Path, ".test")
	if path == "" || strings.HasPrefix(path, "command-line-arguments") {
		return "."
	}
	return path
})

// rerun is the command that runs one test again.
func rerun(test string, isBenchmark bool) string {
	var parts []string
	for part := range strings.SplitSeq(test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	selected := "-run " + quoted(strings.Join(parts, "/"))
	if isBenchmark {
		selected = "-run '^$' -bench " + quoted(strings.Join(parts, "/"))
	}
	return "go test -count=1 " + selected + " " + importPath()
}

// quoted makes one word of a shell's command line.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
