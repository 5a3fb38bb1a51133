package cassettes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRewordKeepsTheTextAndWhatDidNotChange(t *testing.T) {
	tests := map[string]struct {
		pieces []string
		is     string
		want   []string
	}{
		"the same":           {[]string{"a", "b"}, "ab", []string{"a", "b"}},
		"within one":         {[]string{"a", "bXc", "d"}, "abYcd", []string{"a", "bYc", "d"}},
		"over two":           {[]string{"aX", "Xb"}, "aYb", []string{"aY", "b"}},
		"over three":         {[]string{"aX", "X", "Xb"}, "aYb", []string{"aY", "", "b"}},
		"only more":          {[]string{"a", "b"}, "aYb", []string{"aY", "b"}},
		"more at the end":    {[]string{"a", "b"}, "abY", []string{"a", "bY"}},
		"more at the start":  {[]string{"", "b"}, "Yb", []string{"Y", "b"}},
		"gone":               {[]string{"a", "X", "b"}, "ab", []string{"a", "", "b"}},
		"all":                {[]string{"X", "X"}, "YY", []string{"YY", ""}},
		"half a rune shared": {[]string{"é"}, "è", []string{"è"}},
		"runes":              {[]string{"中", "文文"}, "中国文", []string{"中", "国文"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := strand{}
			was := strings.Join(tt.pieces, "")
			for n, piece := range tt.pieces {
				s.pieces = append(s.pieces, edit{start: n, old: piece})
			}
			got := append([]string(nil), tt.pieces...)
			for _, e := range s.reword(was, tt.is) {
				got[e.start] = unquote(e.new)
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func FuzzReword(f *testing.F) {
	f.Add("a", "secret", "b", "aREDACTEDb")
	f.Add("é", "\u4e2d", "", "è")
	f.Fuzz(func(t *testing.T, a, b, c, is string) {
		is = strings.ToValidUTF8(is, "")
		s := strand{}
		var got []string
		for n, piece := range []string{a, b, c} {
			piece = strings.ToValidUTF8(piece, "")
			s.pieces = append(s.pieces, edit{start: n, old: piece})
			got = append(got, piece)
		}
		for _, e := range s.reword(strings.Join(got, ""), is) {
			got[e.start] = unquote(e.new)
		}
		assert.Equal(t, is, strings.Join(got, ""))
	})
}
