package reply

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const supported = `{"verdict":"supported"}`

// filled is text, again and again, up to a huge length.
func filled(text string) string { return strings.Repeat(text, huge/len(text)) }

func manyAnswers() string {
	var b strings.Builder
	for n := 0; b.Len() < huge; n++ {
		fmt.Fprintf(&b, `{"verdict":"supported","note":"%d"} `, n)
	}
	return b.String()
}

func TestHugeRepliesAreReadInTime(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 9000)
	for name, c := range map[string]struct {
		text string
		fine bool
	}{
		"prose":                               {filled("It is supported. "), false},
		"prose, then the answer":              {filled("Is it supported? ") + supported, true},
		"braces":                              {filled("{"), false},
		"braces, then the answer":             {filled("{ ") + supported, true},
		"braces and quotes":                   {filled(`{"`), false},
		"objects that break off":              {filled(`{"a" `), false},
		"arrays, nested":                      {filled("["), false},
		"arrays, nested and closed":           {strings.Repeat("[", huge/2) + strings.Repeat("]", huge/2), false},
		"objects, nested":                     {filled(`{"a":`), false},
		"objects and arrays, nested":          {filled(`{"a":[`), false},
		"objects around much that breaks off": {deep + `"` + filled("x") + `" x`, false},
		"objects with many that break off":    {`{"a":[` + filled(`{"b":1},`) + `x`, false},
		"small objects":                       {filled("{}"), false},
		"small objects in prose":              {filled(`So {"a":1} `), false},
		"one answer, again and again":         {filled(supported), false},
		"many answers":                        {manyAnswers(), false},
		"one string":                          {`{"verdict":"supported","note":"` + filled("x") + `"}`, true},
		"one string of escapes":               {`{"verdict":"supported","note":"` + filled(`\u0041`) + `"}`, true},
		"one string that is no verdict":       {`{"verdict":"` + filled("x") + `"}`, false},
		"one key":                             {`{"` + filled("x") + `":1,"` + filled("x") + `":1}`, false},
		"one number":                          {`{"verdict":"supported","note":` + filled("1") + `}`, false},
		"marks that open":                     {filled("<think>"), false},
		"marks that close":                    {filled("</think>") + supported, true},
		"marks that open and close":           {filled("<think>x</think>") + supported, true},
		"marks that are none":                 {filled("<thinker") + supported, true},
		"white space":                         {filled(" \n") + supported, true},
		"NUL bytes":                           {filled("\x00"), false},
		"bytes that are no UTF-8":             {filled("\xff"), false},
	} {
		t.Run(name, func(t *testing.T) {
			var got answer
			start := time.Now()
			err := Parse(c.text, schema, &got)
			// A second is plenty; a busy machine takes more, what is
			// quadratic takes hours.
			assert.Less(t, time.Since(start), 30*time.Second)
			if c.fine {
				require.NoError(t, err)
				assert.Equal(t, "supported", got.Verdict)
				return
			}
			require.ErrorIs(t, err, ErrBad)
			assert.Less(t, len(err.Error()), 1000, "an error stays short")
		})
	}
}

func TestManyPiecesBeforeTheAnswerAreNoHindrance(t *testing.T) {
	var got answer
	require.NoError(t, Parse(strings.Repeat(`{"a": or {"b":1} or `, 200)+supported, schema, &got))
	assert.Equal(t, "supported", got.Verdict)
}

// What is thinking was once told by three expressions, slower but plain.
func FuzzWithoutThinking(f *testing.F) {
	const words = `(think|thinking|thought|reasoning)`
	pair := regexp.MustCompile(`(?is)<` + words + `>.*?</` + words + `>`)
	opened := regexp.MustCompile(`(?is)<` + words + `>.*$`)
	closed := regexp.MustCompile(`(?is)^.*</` + words + `>`)
	for _, text := range []string{
		"a<think>b</think>c", "a</thought>b</Think>c<reasoning>d", "<think><think>a</think>b</think>c",
		"<think>a", "<<think>>a</think>", "</think", "<thinking", "a<think>b</think>c</think>d<think>e</think>f",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if json.Valid([]byte(strings.TrimSpace(text))) || strings.ContainsRune(text, '\u212a') {
			return // not searched, or a k that the expressions alone know
		}
		parts := pair.Split(text, -1)
		if strings.ContainsAny(strings.Join(parts, ""), "<>") && len(parts) > 1 {
			return // what is left may come together to a new mark
		}
		want := closed.ReplaceAllString(opened.ReplaceAllString(strings.Join(parts, ""), ""), "")
		assert.Equal(t, want, withoutThinking(text))
	})
}
