//go:build darwin || linux

package cassettes

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test runs itself in a process that may write no file of more than 256
// bytes: to a program this is a disk that becomes full while it writes.
func TestFullDiskIsAnErrorAndLeavesTheOldFile(t *testing.T) {
	const variable = "CASSETTES_TEST_FULL"
	if path := os.Getenv(variable); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
		c := open(t, path, Options{Mode: Record, Transport: always(`{"n":1}`)})
		mustCall(t, c, "a")
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 256, Max: limit.Max}))
		err := c.Close(true)
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)) // for the files of go test itself
		assert.ErrorIs(t, err, syscall.EFBIG)
		assert.ErrorContains(t, err, path+" was not written")
		return
	}
	path := record(t, always("{}"), "a")
	before := read(t, path)
	out, err := again(t, variable, path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, before, read(t, path))
	assert.Len(t, entries(t, path), 1, "what was half written is gone")
}
