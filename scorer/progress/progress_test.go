package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/evaltest/go-evaltest/scorer"
)

func TestALogHasALineNowAndThenAndAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	at := time.Now()
	tell := plain(&out, 4, func() time.Time { return at })
	for i, passed := range []time.Duration{0, 9 * time.Second, time.Second, time.Second} {
		at = at.Add(passed)
		tell(scorer.Progress{Done: i + 1, Errors: i / 2})
	}
	tell(scorer.Progress{Done: 4, Errors: 1, End: true})
	assert.Equal(t, "evals: 3 of 4 items, 1 error, 10s\nevals: 4 of 4 items, 1 error, 11s\n", out.String())
}

func TestABarShowsCountAndErrors(t *testing.T) {
	for _, total := range []int{3, 0} {
		var out bytes.Buffer
		tell := bar(&out, total)
		tell(scorer.Progress{Done: 1})
		tell(scorer.Progress{Done: 3, Errors: 2})
		tell(scorer.Progress{Done: 3, Errors: 2, End: true})
		assert.True(t, strings.HasSuffix(out.String(), "\nevals: 3 items, 2 errors\n"), out.String())
	}
}

func TestCIGetsLines(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "true": true, "1": true} {
		t.Setenv("CI", value)
		assert.Equal(t, want, inCI(), value)
	}
}
