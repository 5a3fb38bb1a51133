package ollama

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/evaltest/go-evaltest/scorer"
)

// fields are those of a fine answer.
var fields = []struct{ name, value string }{
	{"model", `"m"`},
	{"created_at", `"2026-12-01T00:00:00Z"`},
	{"message", `{"role":"assistant","content":"{\"a\":1}"}`},
	{"done", `true`},
	{"done_reason", `"stop"`},
	{"prompt_eval_count", `12`},
	{"eval_count", `4`},
	{"error", `""`},
	{"logprobs", `[]`},
}

// with is the fine answer with other members in the place of a field.
func with(name string, members ...string) string {
	var all []string
	for _, f := range fields {
		if f.name != name {
			all = append(all, `"`+f.name+`":`+f.value)
		}
	}
	return "{" + strings.Join(append(all, members...), ",") + "}"
}

func TestFieldsThatAreOddGiveAnErrorOrTheSameReply(t *testing.T) {
	odd := []string{`null`, `false`, `"yes"`, `-1`, `1.5`, `1e99`, `99999999999999999999`, `[]`, `["a"]`, `{}`, `{"a":1}`, `""`}
	for _, f := range fields {
		answers200 := map[string]string{
			"missing":                with(f.name),
			"twice":                  with("", `"`+f.name+`":`+f.value),
			"twice, in another case": with("", `"`+strings.ToUpper(f.name)+`":`+f.value),
		}
		for _, value := range odd {
			answers200[value] = with(f.name, `"`+f.name+`":`+value)
			answers200["first "+value] = with(f.name, `"`+f.name+`":`+value, `"`+f.name+`":`+f.value)
			answers200["then "+value] = with(f.name, `"`+f.name+`":`+f.value, `"`+f.name+`":`+value)
		}
		for name, body := range answers200 {
			t.Run(f.name+" "+name, func(t *testing.T) {
				reply, err := judgeOf(t, answers(200, body), Options{}).Generate(t.Context(), prompt)
				if err != nil {
					require.True(t, isSentinel(err), "%v", err)
					assert.Zero(t, reply)
					return
				}
				want := fineReply
				if reply.Usage.PromptTokens == 0 { // a server may leave its counts out
					want.Usage.PromptTokens = 0
				}
				if reply.Usage.OutputTokens == 0 {
					want.Usage.OutputTokens = 0
				}
				assert.Equal(t, want, reply)
			})
		}
	}
}

func TestFieldsThatCountAreCheckedAndOthersAreNot(t *testing.T) {
	content := func(value string) string { return with("message", `"message":{"content":`+value+`}`) }
	for name, c := range map[string]struct {
		body string
		is   error // nil for the same reply
		says string
	}{
		"no message":                 {with("message"), scorer.ErrBadReply, "no message.content"},
		"a message of null":          {with("message", `"message":null`), scorer.ErrBadReply, "no message.content"},
		"a message of text":          {with("message", `"message":"hi"`), scorer.ErrBadReply, `"message" is a string`},
		"no content":                 {with("message", `"message":{}`), scorer.ErrBadReply, "no message.content"},
		"a content of null":          {content(`null`), scorer.ErrBadReply, "no message.content"},
		"a content of a number":      {content(`7`), scorer.ErrBadReply, `"message.content" is a number`},
		"a content of an object":     {content(`{"a":1}`), scorer.ErrBadReply, `"message.content" is a object`},
		"a content twice":            {content(`"x","content":"y"`), scorer.ErrBadReply, `"content" stands twice`},
		"not done":                   {with("done"), scorer.ErrReplyCut, "before the server says"},
		"done is text":               {with("done", `"done":"yes"`), scorer.ErrBadReply, `"done" is a string`},
		"done is null":               {with("done", `"done":null`), scorer.ErrReplyCut, "before the server says"},
		"done twice":                 {with("done", `"done":false`, `"done":true`), scorer.ErrBadReply, `"done" stands twice`},
		"only loaded":                {with("done_reason", `"done_reason":"load"`), scorer.ErrBadReply, `"load"`},
		"unloaded":                   {with("done_reason", `"done_reason":"unload"`), scorer.ErrBadReply, `"unload"`},
		"a negative prompt count":    {with("prompt_eval_count", `"prompt_eval_count":-1`), scorer.ErrBadReply, "-1 tokens"},
		"a negative output count":    {with("eval_count", `"eval_count":-4`), scorer.ErrBadReply, "-4 of output"},
		"a count beyond all":         {with("eval_count", `"eval_count":1e99`), scorer.ErrBadReply, `"eval_count"`},
		"no reason":                  {with("done_reason"), nil, ""},
		"a reason of null":           {with("done_reason", `"done_reason":null`), nil, ""},
		"a time that is none":        {with("created_at", `"created_at":"yesterday"`), nil, ""},
		"a time that is a number":    {with("created_at", `"created_at":7`), nil, ""},
		"durations below zero":       {with("", `"total_duration":-1`, `"eval_duration":1e99`), nil, ""},
		"an error of null":           {with("error", `"error":null`), nil, ""},
		"an error that is an object": {with("error", `"error":{"message":"x"}`), scorer.ErrBadReply, `"error" is a object`},
		"fields of other makers":     {with("", `"x":{"y":[1,2]}`, `"tool_calls":7`), nil, ""},
		"logprobs of null":           {with("logprobs", `"logprobs":null`), nil, ""},
		"logprobs of text":           {with("logprobs", `"logprobs":"x"`), scorer.ErrBadReply, `"logprobs" is a string`},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := judgeOf(t, answers(200, c.body), Options{}).Generate(t.Context(), prompt)
			if c.is == nil {
				require.NoError(t, err)
				assert.Equal(t, fineReply, reply)
				return
			}
			require.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, reply)
		})
	}
}

func TestMissingCountsAreZero(t *testing.T) {
	reply, err := judgeOf(t, answers(200, with("prompt_eval_count")), Options{}).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, scorer.Usage{OutputTokens: 4}, reply.Usage)
}
