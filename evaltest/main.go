package evaltest

import (
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
)

// tally counts the process's assertions for Main's summary.
var tally struct {
	sync.Mutex
	passed, failed int
}

// assertion counts an assertion and passes on how it ended. One on a test of
// the user's own making, which may be meant to fail, is not counted.
func assertion(t TestingT, held bool) bool {
	if _, ofGo := t.(testing.TB); !ofGo {
		return held
	}
	tally.Lock()
	defer tally.Unlock()
	if held {
		tally.passed++
	} else {
		tally.failed++
	}
	return held
}

// Main runs a package's tests with options that all its calls share, and
// exits. Call it from TestMain:
//
//	func TestMain(m *testing.M) {
//		evaltest.Main(m, evaltest.WithModel("llama3.2"))
//	}
//
// A summary of the assertions ends the output where one failed, or with -v.
func Main(m interface{ Run() int }, opts ...Option) {
	os.Exit(run(m, os.Stdout, opts))
}

func run(m interface{ Run() int }, out io.Writer, opts []Option) int {
	if err := refuse("Main", onModel|onRecording|onScorer|onRelevancy, opts); err != nil {
		fmt.Fprintln(out, "evaltest:", err)
		return 2
	}
	defaults.Lock()
	defaults.options = opts
	defaults.Unlock()
	code := m.Run()
	tally.Lock()
	defer tally.Unlock()
	if all := tally.passed + tally.failed; all > 0 && (tally.failed > 0 || flag.Parsed() && testing.Verbose()) {
		fmt.Fprintf(out, "evaltest: %s: %d passed, %d failed\n", count(all, "assertion"), tally.passed, tally.failed)
	}
	return code
}
