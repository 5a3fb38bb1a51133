package cassettes

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

func TestReplacementThatFailsLeavesTheOldFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	write(t, path, "old")
	p := placeOf(t, path)
	p.name = filepath.Join("absent", "x.yaml")
	assert.Error(t, p.replace([]byte("new")))
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
	assert.NoError(t, load().verify([]byte(read(t, path))))
	f := load()
	f.Interactions[1].Response.Body = "{ }"
	assert.ErrorContains(t, f.verify([]byte(read(t, path))), "POST /api/chat does not load as it was")
	f = load()
	f.Interactions = f.Interactions[:1]
	assert.ErrorContains(t, f.verify([]byte(read(t, path))), "loads with 2 calls instead of 1")
	write(t, path, "version: [")
	assert.ErrorContains(t, f.verify([]byte(read(t, path))), "does not load again")
}

// The test runs itself in a process that is killed while it writes.
func TestKilledProcessLeavesTheOldFileWhole(t *testing.T) {
	const victim = "CASSETTES_TEST_VICTIM"
	if path := os.Getenv(victim); path != "" {
		require.NoError(t, placeOf(t, path).write([]byte("new")))
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		require.NoError(t, self.Kill())
		select {}
	}
	path := record(t, always("{}"), "a")
	before := read(t, path)
	out, err := again(t, victim, path).CombinedOutput()
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

func TestRecordingIsNotWrittenOutsideOfItsDirectory(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.Mkdir(outside, 0o755))
	secret := filepath.Join(outside, "x.yaml")
	whole := read(t, record(t, always("{}"), "a"))
	write(t, secret, whole)

	tests := map[string]struct {
		links map[string]string // name to target
		path  string
		says  string
	}{
		"a folder that leads out": {map[string]string{"sub": outside}, "sub/x.yaml", "escapes"},
		"a file that leads out":   {map[string]string{"x.yaml": secret}, "x.yaml", "is a symbolic link"},
		"a file that leads on":    {map[string]string{"x.yaml": "y.yaml"}, "x.yaml", "is a symbolic link"},
		"a path that leads out":   {nil, "../outside/x.yaml", "it is not in"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(filepath.Dir(outside), t.Name())
			require.NoError(t, os.MkdirAll(dir, 0o755))
			for name, target := range tt.links {
				require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
			}
			dirOf, path := dir, filepath.Join(dir, tt.path)
			if tt.links == nil {
				path = secret
			}
			c := open(t, path, Options{Mode: Record, Dir: dirOf, Transport: always(`{"n":1}`)})
			mustCall(t, c, "a")
			assert.ErrorContains(t, c.Close(true), tt.says)
			assert.Equal(t, whole, read(t, secret))
			assert.Len(t, entries(t, secret), 1)
		})
	}
}

func TestLinkThatKillsLeftIsNotFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "precious")
	require.NoError(t, os.Symlink(victim, filepath.Join(filepath.Dir(path), placeOf(t, path).temp)))
	c := open(t, path, Options{Mode: Record, Transport: always("{}")})
	mustCall(t, c, "a")
	require.NoError(t, c.Close(true))
	assert.Equal(t, "precious", read(t, victim))
}

func TestCassettesAreReadThroughLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.Symlink(record(t, always("{}"), "a"), path))
	c := open(t, path, Options{Mode: Replay, Transport: never{t}})
	mustCall(t, c, "a")
	assert.NoError(t, c.Close(true), "as build systems lay out a test's files")
}

// again runs the test once more in another process, which finds the variable.
func again(t *testing.T, variable, value string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"="+value)
	return child
}

// The test runs itself in processes that record again and again, and that are
// killed at any moment.
func TestProcessKilledAtAnyMomentLeavesAWholeFile(t *testing.T) {
	const variable = "CASSETTES_TEST_RECORDS"
	if path := os.Getenv(variable); path != "" {
		for n := 0; ; n++ {
			c := open(t, path, Options{Mode: Record, Transport: always(fmt.Sprintf(`{"n":%d,"text":%q}`, n, strings.Repeat("x", 1<<12)))})
			for _, body := range []string{"a", "b", "c"} {
				mustCall(t, c, body)
			}
			require.NoError(t, c.Close(true))
			fmt.Println("written")
		}
	}
	path := record(t, always(`{"n":-1}`), "a", "b", "c")
	random := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		child := again(t, variable, path)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		lines := bufio.NewScanner(out)
		for range random.IntN(4) {
			lines.Scan()
		}
		for range random.IntN(1 << 22) { // some of the time that a recording takes
			runtime.KeepAlive(lines)
		}
		require.NoError(t, child.Process.Kill())
		assert.Error(t, child.Wait())

		c := open(t, path, Options{Mode: Replay})
		first := mustCall(t, c, "a")
		assert.Equal(t, []string{first, first}, []string{mustCall(t, c, "b"), mustCall(t, c, "c")}, "all of one run")
	}
}

// The test runs itself in processes that record one file at once.
func TestProcessesThatRecordOneFileLoseNothingSilently(t *testing.T) {
	const variable = "CASSETTES_TEST_SHARES"
	if path := os.Getenv(variable); path != "" {
		c := open(t, path, Options{Mode: Record, Transport: always(fmt.Sprintf(`{"by":%d}`, os.Getpid()))})
		mustCall(t, c, "a")
		fmt.Println("recorded")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // all close together
		err := c.Close(true)
		if errors.Is(err, ErrChanged) {
			fmt.Println("refused")
		} else {
			require.NoError(t, err)
			fmt.Println("wrote", os.Getpid())
		}
		return
	}
	for name, old := range map[string]bool{"a new file": false, "an old file": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.yaml")
			if old {
				write(t, path, read(t, record(t, always("{}"), "a")))
			}
			const n = 4
			var children []*exec.Cmd
			var ins []io.Writer
			var outs []*bufio.Scanner
			for range n {
				child := exec.Command(os.Args[0], "-test.run=^TestProcessesThatRecordOneFileLoseNothingSilently$")
				child.Env = append(os.Environ(), variable+"="+path)
				in, err := child.StdinPipe()
				require.NoError(t, err)
				out, err := child.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, child.Start())
				lines := bufio.NewScanner(out)
				require.True(t, lines.Scan())
				require.Equal(t, "recorded", lines.Text())
				children, ins, outs = append(children, child), append(ins, in), append(outs, lines)
			}
			for _, in := range ins {
				_, err := io.WriteString(in, "\n")
				require.NoError(t, err)
			}
			var wrote []string
			for i, lines := range outs {
				require.True(t, lines.Scan())
				if pid, ok := strings.CutPrefix(lines.Text(), "wrote "); ok {
					wrote = append(wrote, pid)
				} else {
					assert.Equal(t, "refused", lines.Text())
				}
				for lines.Scan() {
				}
				assert.NoError(t, children[i].Wait())
			}
			require.Len(t, wrote, 1, "one wrote, and the others said that they did not")
			assert.Equal(t, `{"by":`+wrote[0]+`}`, mustCall(t, open(t, path, Options{Mode: Replay}), "a"))
			assert.Len(t, entries(t, path), 1)
		})
	}
}
