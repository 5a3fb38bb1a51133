package injection

import (
	"strings"
	"testing"
)

// BenchmarkFind reads text that speaks to no model: with none of the words
// that such text has, and with many of them.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ name, sentence string }{
		{"far", "Warehouse 1234 of the World Health Organization stores 45% of the copper wire since March 14, 2024. "},
		{"near", "The system supports all models, and the statement of the judge is verified with evidence. "},
	} {
		long := strings.Repeat(c.sentence, 1<<18/len(c.sentence))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(long)))
			for b.Loop() {
				Find(long)
			}
		})
	}
}
