package evaltest

import (
	"os"
	"testing"
)

// TestMain keeps a reader's own environment out of all tests and examples.
func TestMain(m *testing.M) {
	for _, name := range []string{"EVALTEST_MODE", "EVALTEST_MODEL", "OLLAMA_HOST", "OPENAI_BASE_URL", "OPENAI_API_KEY", "CI"} {
		os.Unsetenv(name)
	}
	os.Exit(m.Run())
}
