//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cassettes

import (
	"os"
	"syscall"
)

// tempName is that of the file that is written: there is one writer at a time.
func tempName(base string) string { return "." + base + ".recording.yaml" }

// lock waits until no other process, and no other cassette of this one, writes
// in a folder of root, and gives what ends that. A file system that knows no
// locks goes without; then a change that falls between check and rename is lost.
func lock(root *os.Root, folder string) (unlock func()) {
	d, err := root.Open(folder)
	if err != nil {
		return func() {}
	}
	for syscall.Flock(int(d.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
	return func() { d.Close() }
}
