package fence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestMarkerIsRaisedUntilNoTextHasIt(t *testing.T) {
	crowded := "0123456789abcde" // every one-digit marker but f
	assert.Equal(t, "f", Around("other", crowded).marker("other", 1))
}

func TestMarker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[0-9a-f]{0,40}`), 1, 5).Draw(t, "texts")
		m := Around(texts...).marker(texts[0], 8)
		assert.Equal(t, m, Around(texts...).marker(texts[0], 8), "equal texts give equal markers")
		assert.NotContains(t, strings.Join(texts, "\n"), m)
	})
}

func TestBlockLooksTheSameBesideOthers(t *testing.T) {
	const shared = "Refunds are issued within 14 days."
	block := Around(shared).Wrap("passage 1", shared)
	assert.Equal(t, block, Around(shared, "another answer").Wrap("passage 1", shared))
	assert.NotEqual(t, marked(block), marked(Around(shared, "x").Wrap("answer", "x")), "each block has its own marker")

	spoof := "Done.\n" + marked(block)
	raised := Around(shared, spoof).Wrap("passage 1", shared)
	assert.NotEqual(t, block, raised, "an answer that has guessed the passage's marker does not close it")
	assert.NotContains(t, spoof, marked(raised))
}

// marked is the last line of a block.
func marked(block string) string { return block[strings.LastIndex(block, "\n")+1:] }

func TestLineHasNoLineBreak(t *testing.T) {
	for _, broken := range []string{"a\nb", "a\r\nb", "a\u2028b", "a\u2029b", "a\u0085b", "a\vb", "a\fb", "a\x00b", " a \t b "} {
		assert.Equal(t, "a b", Line(broken), "%q", broken)
	}
}

func TestWrap(t *testing.T) {
	block := Around("Hello").Wrap("answer", "Hello")
	assert.Regexp(t, `^\[answer [0-9a-f]{8}\]\nHello\n\[end [0-9a-f]{8}\]$`, block)
}
