package reply

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var schema = json.RawMessage(`{"type":"object","properties":{"verdict":{"enum":["supported","unsupported"]},"note":{"type":"string"}},"required":["verdict"]}`)

type answer struct {
	Verdict, Note string
}

func TestParseFindsTheAnswer(t *testing.T) {
	for name, text := range map[string]string{
		"plain":                        `{"verdict":"supported"}`,
		"white space and BOM":          "\ufeff \n{\"verdict\": \"supported\"}\n\n\t ",
		"a code fence":                 "```json\n{\"verdict\":\"supported\"}\n```",
		"prose around":                 `Sure! Here it is: {"verdict":"supported"} Anything else?`,
		"braces in the prose":          `In {curly} form: {"verdict":"supported"}`,
		"thinking before":              `<think>{"verdict":"unsupported"}</think>{"verdict":"supported"}`,
		"thinking after":               `{"verdict":"supported"}<think>or {"verdict":"unsupported"}?</think>`,
		"thinking, only its end":       `{"verdict":"unsupported"} hm</think> {"verdict":"supported"}`,
		"the same answer twice":        `{"verdict":"supported"} so {"verdict": "supported"}`,
		"another object beside it":     `{"note":"first"} {"verdict":"supported"}`,
		"a mark of thinking in a text": `{"note":"</think>","verdict":"supported"}`,
	} {
		t.Run(name, func(t *testing.T) {
			var got answer
			require.NoError(t, Parse(text, schema, &got))
			assert.Equal(t, "supported", got.Verdict)
		})
	}
}

func TestParseRefusesWhatIsNotOneClearAnswer(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"empty":                      {"", "empty"},
		"white space":                {" \n", "empty"},
		"prose":                      {"It is supported.", "no complete JSON object"},
		"cut":                        {`{"verdict":"supp`, "no complete JSON object"},
		"cut after a nested object":  {`{"verdicts":[{"verdict":"supported"},`, "no complete JSON object"},
		"an empty object":            {`{}`, "verdict"},
		"null":                       {`null`, "no complete JSON object"},
		"a list":                     {`["supported"]`, "no complete JSON object"},
		"another word":               {`{"verdict":"yes"}`, "schema"},
		"another case":               {`{"verdict":"Supported"}`, "schema"},
		"two different answers":      {`{"verdict":"supported"} or {"verdict":"unsupported"}`, "2 different answers"},
		"only thinking":              {`<think>{"verdict":"supported"}</think>`, "empty"},
		"thinking that never ends":   {`<think>hm {"verdict":"supported"}`, "empty"},
		"a key twice":                {`{"verdict":"unsupported","verdict":"supported"}`, "stands twice"},
		"a key twice, in other case": {`{"verdict":"unsupported","Verdict":"supported"}`, "stands twice"},
		"a key twice, deeper":        {`{"verdict":"supported","x":[{"a":1,"a":2}]}`, "stands twice"},
		"a key twice, with a long s": {`{"verdict":"supported","verdicts":1,"verdictſ":2}`, "stands twice"},
		"a key twice, with a Kelvin": {`{"verdict":"supported","kind":1,"\u212aind":2}`, "stands twice"},
		"a key twice, once escaped":  {`{"verdict":"supported","v\u0065rdict":"unsupported"}`, "stands twice"},
		"a field of another type":    {`{"verdict":"supported","note":7}`, "schema"},
	} {
		t.Run(name, func(t *testing.T) {
			var got answer
			err := Parse(c.text, schema, &got)
			require.ErrorIs(t, err, ErrBad)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got)
		})
	}
}

func TestErrorsStayShort(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = 'x'
	}
	err := Parse(string(long), schema, &answer{})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 300)
}

func TestBadSchemaIsNotTheRepliesFault(t *testing.T) {
	err := Parse(`{}`, json.RawMessage(`{`), &answer{})
	require.Error(t, err)
	assert.NotErrorIs(t, err, ErrBad)
}

func TestDoubledTakesKeysForEqualAsDecodersDo(t *testing.T) {
	for key, other := range map[string]string{"s": "ſ", "k": "K", "K": "K", "é": "É", "σ": "ς", "ß": "ẞ", "a": "A", "i": "İ", "-": "_", "ÿ": "þ"} {
		object := []byte(`{"` + key + `":1,"` + other + `":2}`)
		equal := bytes.EqualFold([]byte(key), []byte(other)) || key == "\xff" // both are U+FFFD once decoded
		assert.Equal(t, equal, Doubled(object) != "", "%q and %q", key, other)
	}
	for _, fine := range []string{`{}`, `[]`, `"a"`, `7`, `{"a":"a","b":["a","a",{"a":{"a":1}},{"a":2}],"c":"\"a\\"}`, `[{"a":1},{"a":1}]`} {
		assert.Empty(t, Doubled([]byte(fine)), fine)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("Sure: ", `14 "days"`, " ok")
	f.Add("```json\n", "退款", "\n```")
	f.Add(`{"verdict":"supported","`, `note`, `":"x"}</think>`)
	f.Add(`{"{"verdict":"supported"`, ``, `}`)
	f.Add("<THINK>", "</thought>", `{"verdict":"unsupported"}`)
	form, err := compiled(schema)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, before, note, after string) {
		var raw json.RawMessage
		if Parse(before+note+after, schema, &raw) == nil { // and it never panics
			var anew any
			require.NoError(t, json.Unmarshal(raw, &anew))
			require.NoError(t, form.Validate(anew))
			assert.Empty(t, Doubled(raw))
		}

		var got answer
		object, err := json.Marshal(map[string]string{"verdict": "supported", "note": note})
		require.NoError(t, err)
		require.NoError(t, Parse(string(object), schema, &got))
		var fenced answer
		require.NoError(t, Parse("```json\n"+string(object)+"\n```\n", schema, &fenced))
		assert.Equal(t, got, fenced)
	})
}
