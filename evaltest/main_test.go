package evaltest

import (
	"os"
	"testing"
)

// TestMain keeps a reader's own environment out of all tests and examples.
func TestMain(m *testing.M) {
	for _, name := range []string{"EVALTEST_MODE", "EVALTEST_MODEL", "OLLAMA_HOST", "CI"} {
		os.Unsetenv(name)
	}
	os.Exit(m.Run())
}
