package cassettes

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func placeOf(t *testing.T, path string) *place {
	t.Helper()
	p, err := (&Cassette{path: path}).locate()
	require.NoError(t, err)
	t.Cleanup(func() { p.root.Close() })
	return p
}

func TestRefusedReplacementLeavesTheOldFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	write(t, path, "old")
	refused := errors.New("refused")
	p := placeOf(t, path)
	err := p.replace([]byte("new"), func() error {
		assert.Equal(t, "new", read(t, filepath.Join(filepath.Dir(path), p.temp)))
		return refused
	})
	assert.ErrorIs(t, err, refused)
	assert.Equal(t, "old", read(t, path))
	assert.Len(t, entries(t, path), 1)
}

func TestRecordingThatDoesNotLoadAsItWasIsRefused(t *testing.T) {
	path := record(t, always("{}"), "a", "b")
	load := func() *file {
		f, err := decode([]byte(read(t, path)), rules{})
		require.NoError(t, err)
		return f
	}
	assert.NoError(t, load().verify(path))
	f := load()
	f.Interactions[1].Response.Body = "{ }"
	assert.ErrorContains(t, f.verify(path), "POST /api/chat does not load as it was")
	f = load()
	f.Interactions = f.Interactions[:1]
	assert.ErrorContains(t, f.verify(path), "loads with 2 calls instead of 1")
	write(t, path, "version: [")
	assert.ErrorContains(t, f.verify(path), "does not load again")
}

// The test runs itself in a process that is killed while it writes.
func TestKilledProcessLeavesTheOldFileWhole(t *testing.T) {
	const victim = "CASSETTES_TEST_VICTIM"
	if path := os.Getenv(victim); path != "" {
		err := placeOf(t, path).replace([]byte("new"), func() error {
			self, err := os.FindProcess(os.Getpid())
			require.NoError(t, err)
			require.NoError(t, self.Kill())
			select {}
		})
		t.Fatal("not killed", err)
	}
	path := record(t, always("{}"), "a")
	before := read(t, path)
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), victim+"="+path)
	out, err := child.CombinedOutput()
	require.Error(t, err)
	assert.Empty(t, out)
	assert.Equal(t, before, read(t, path))
	assert.Len(t, entries(t, path), 2, "the other file was being written")
	mustCall(t, open(t, path, Options{Mode: Replay}), "a")

	c := open(t, path, Options{Mode: Record, Transport: always("{\"a\":1}")})
	mustCall(t, c, "a")
	require.NoError(t, c.Close(true))
	assert.Len(t, entries(t, path), 1, "the next recording clears it away")
}
