//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cassettes

import (
	"fmt"
	"os"
)

// tempName is that of the file that is written, one for each process.
func tempName(base string) string { return fmt.Sprintf(".%s.%d.recording.yaml", base, os.Getpid()) }

// lock does nothing where folders cannot be locked: a change that falls
// between check and rename is lost.
func lock(*os.Root, string) (unlock func()) { return func() {} }
