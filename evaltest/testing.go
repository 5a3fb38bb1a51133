package evaltest

import (
	"context"
	"regexp"
	"strings"

	"github.com/stretchr/testify/assert"
)

// TestingT is the part of testing.TB that assertions use. *testing.T,
// *testing.B, *testing.F and Ginkgo's GinkgoT() satisfy it.
type TestingT interface {
	Helper()
	Name() string
	Errorf(format string, args ...any)
	FailNow()
	Failed() bool
	Logf(format string, args ...any)
	Cleanup(f func())
	Context() context.Context
}

// fail reports a failure as testify does, so that it looks like the
// assertions beside it and is parsed as they are. It is always false.
func fail(t TestingT, message string) bool {
	t.Helper()
	assert.Fail(ownFrames{t}, message)
	return false
}

// ownFrames leaves this package's own lines out of the trace that testify
// prints: what a reader wants is the line of their test.
type ownFrames struct{ TestingT }

var frame = regexp.MustCompile(`(?m)^.*/(evaltest|src/testing)/[a-z]+\.go:\d+\n`)

func (t ownFrames) Errorf(format string, args ...any) {
	t.Helper()
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = withoutOwnFrames(text)
		}
	}
	t.TestingT.Errorf(format, args...)
}

// withoutOwnFrames edits the part of testify's report that is headed Error
// Trace. Its first line carries the heading, which the next frame then takes.
func withoutOwnFrames(report string) string {
	start := strings.Index(report, "\tError Trace:")
	end := strings.Index(report, "\n\tError:")
	if start < 0 || end < start {
		return report
	}
	head, trace, _ := strings.Cut(report[start:end+1], "Error Trace:")
	trace = strings.TrimLeft(trace, " \t")
	lines := strings.SplitAfter(trace, "\n")
	var kept []string
	for _, line := range lines {
		if !frame.MatchString(line) && strings.TrimSpace(line) != "" {
			kept = append(kept, strings.TrimLeft(line, " \t"))
		}
	}
	if len(kept) == 0 { // a failure at the test's end, or of a batch's item
		return report[:start] + report[end+1:]
	}
	return report[:start] + head + "Error Trace:\t" + strings.Join(kept, "\t            \t") + report[end+1:]
}
