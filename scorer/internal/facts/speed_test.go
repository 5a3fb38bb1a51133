package facts

import (
	"strings"
	"testing"
)

// BenchmarkNew makes a long context ready, a megabyte an operation.
func BenchmarkNew(b *testing.B) {
	const sentence = "Warehouse 1234 of the World Health Organization stores 45% of the copper wire since March 14, 2024. "
	long := strings.Repeat(sentence, 1<<20/len(sentence))
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		New(long)
	}
}

// BenchmarkLacks looks up the facts of a claim in it.
func BenchmarkLacks(b *testing.B) {
	s := New(strings.Repeat("Warehouse 1234 stores 45% of the copper wire since March 14, 2024. ", 15000))
	for b.Loop() {
		Lacks("The Nokia depot of Berlin paid 750 euros.", s)
	}
}
