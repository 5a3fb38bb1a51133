package fence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestMarkerIsRaisedUntilNoTextHasIt(t *testing.T) {
	crowded := "0123456789abcde" // every one-digit marker but f
	assert.Equal(t, "f", marker(1, []string{crowded}))
}

func TestMarker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.StringMatching(`[0-9a-f]{0,40}`)).Draw(t, "texts")
		m := Marker(texts...)
		assert.Equal(t, m, Marker(texts...), "equal texts give equal markers")
		assert.NotContains(t, strings.Join(texts, "\n"), m)
	})
	assert.NotEqual(t, Marker("ab", "c"), Marker("a", "bc"))
}

func TestLineHasNoLineBreak(t *testing.T) {
	for _, broken := range []string{"a\nb", "a\r\nb", "a\u2028b", "a\u2029b", "a\u0085b", "a\vb", "a\fb", "a\x00b", " a \t b "} {
		assert.Equal(t, "a b", Line(broken), "%q", broken)
	}
}

func TestWrap(t *testing.T) {
	assert.Equal(t, "[answer 12ab]\nHello\n[end 12ab]", Wrap("12ab", "answer", "Hello"))
}
