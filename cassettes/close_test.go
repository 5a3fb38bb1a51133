package cassettes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunWithoutCallsWritesNothing(t *testing.T) {
	path := record(t, echo(), "a")
	before := read(t, path)
	fresh := filepath.Join(t.TempDir(), "sub", "x.yaml")
	for _, mode := range []Mode{Auto, Replay, Record, Update, Live} {
		require.NoError(t, open(t, path, Options{Mode: mode}).Close(true))
		assert.Equal(t, before, read(t, path))
		require.NoError(t, open(t, fresh, Options{Mode: mode}).Close(true))
		assert.NoDirExists(t, filepath.Dir(fresh))
	}
}

func TestFailedTestIsRecordedToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	c := open(t, path, Options{Transport: echo()})
	mustCall(t, c, "a")
	require.NoError(t, c.Close(false))
	assert.FileExists(t, path)
}

func TestTwoThatRecordOneFileLoseNothing(t *testing.T) {
	for name, old := range map[string]bool{"a new file": false, "an old file": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.yaml")
			if old {
				write(t, path, read(t, record(t, always("old"), "a")))
			}
			start := func(answer string) *Cassette {
				c := open(t, path, Options{Mode: Record, Transport: always(answer)})
				mustCall(t, c, "a")
				return c
			}
			first, second, same := start("first"), start("second"), start("first")
			require.NoError(t, first.Close(true))
			written := read(t, path)

			err := second.Close(true)
			assert.ErrorIs(t, err, ErrChanged)
			assert.ErrorContains(t, err, path)
			assert.NoError(t, same.Close(true), "who would write the same loses nothing")
			assert.Equal(t, written, read(t, path))
			assert.Len(t, entries(t, path), 1, "no other file is left")
		})
	}
}

func TestOfManyThatRecordANewFileOneWins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	var open8 []*Cassette
	for n := range 8 {
		c := open(t, path, Options{Transport: always(fmt.Sprint(n))})
		mustCall(t, c, "a")
		open8 = append(open8, c)
	}
	errs := make([]error, len(open8))
	var wg sync.WaitGroup
	for n, c := range open8 {
		wg.Go(func() { errs[n] = c.Close(true) })
	}
	wg.Wait()
	won := slices.Index(errs, nil)
	require.NotEqual(t, -1, won)
	for n, err := range errs {
		if n != won {
			assert.ErrorIs(t, err, ErrChanged)
		}
	}
	assert.Equal(t, fmt.Sprint(won), mustCall(t, open(t, path, Options{Mode: Replay}), "a"))
	assert.Len(t, entries(t, path), 1)
}

func entries(t *testing.T, path string) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	return all
}

func TestFileThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	path := filepath.Join(file, "x.yaml")
	c := open(t, path, Options{Transport: echo()})
	mustCall(t, c, "a")
	write(t, file, "no directory")
	err := c.Close(true)
	assert.ErrorContains(t, err, path+" was not written")
	assert.ErrorContains(t, err, "not a directory")
}
