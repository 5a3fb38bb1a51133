package text_test

import (
	"strings"
	"testing"

	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// megabyte repeats a piece of text to about 1 MB.
func megabyte(piece string) string { return strings.Repeat(piece, 1<<20/len(piece)) }

var megabytes = map[string]string{
	"English":  megabyte("Refunds are issued within 14 days of the purchase date, e.g. by the Bank of England. Shipping is free.\n"),
	"Chinese":  megabyte("退款需要十四天，运费免费。百分之四十五的人在2024年有３万元。"),
	"one line": megabyte("refunds take "),
	"spaces":   "." + strings.Repeat(" ", 1<<20) + "A",
	"brackets": megabyte("《"),
	"stars":    megabyte("*"),
	"names":    megabyte("Ab "),
}

func BenchmarkMegabyte(b *testing.B) {
	for what, use := range map[string]func(string){
		"Sentences": func(s string) { text.Sentences(s) },
		"Numbers":   func(s string) { text.Numbers(s) },
		"Names":     func(s string) { text.Names(s) },
		"Words":     func(s string) { text.Words(s) },
		"FoldMap":   func(s string) { text.FoldMap(s) },
	} {
		for name, s := range megabytes {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					use(s)
				}
			})
		}
	}
}
