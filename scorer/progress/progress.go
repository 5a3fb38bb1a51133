// Package progress shows how far a batch of package scorer is.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/evaltest/go-evaltest/scorer"
)

// every is how long a log waits between two lines at least.
const every = 10 * time.Second

// To gives what Evals.Progress takes: a bar where w is a terminal, and
// elsewhere, or where the environment variable CI is set, a plain line every 10
// seconds and at the end. total is the number of items, 0 where it is not
// known.
func To(w io.Writer, total int) func(scorer.Progress) {
	if file, ok := w.(*os.File); ok && !inCI() && term.IsTerminal(int(file.Fd())) {
		return bar(w, total)
	}
	return plain(w, total, time.Now)
}

func inCI() bool {
	ci := strings.ToLower(os.Getenv("CI"))
	return ci != "" && ci != "0" && ci != "false"
}

func bar(w io.Writer, total int) func(scorer.Progress) {
	most := total
	if total <= 0 {
		most = -1
	}
	b := progressbar.NewOptions(most, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("items"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(30))
	return func(p scorer.Progress) {
		b.Describe(errors(p))
		_ = b.Set(p.Done) // what cannot be shown stops nothing
		if p.End {
			_ = b.Exit()
			fmt.Fprintf(w, "\nevals: %d items, %s\n", p.Done, errors(p)) // whatever the bar was last drawn at
		}
	}
}

func plain(w io.Writer, total int, now func() time.Time) func(scorer.Progress) {
	start := now()
	last := start
	return func(p scorer.Progress) {
		at := now()
		if !p.End && at.Sub(last) < every {
			return
		}
		last = at
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %d", total)
		}
		fmt.Fprintf(w, "evals: %d%s items, %s, %s\n", p.Done, of, errors(p), at.Sub(start).Round(time.Second))
	}
}

func errors(p scorer.Progress) string {
	if p.Errors == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", p.Errors)
}
