package scorer

import (
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func all(data iter.Seq2[Item, error]) (items []Item, errs []error) {
	for item, err := range data {
		items, errs = append(items, item), append(errs, err)
	}
	return items, errs
}

func TestJSONLinesReadTheUsualNames(t *testing.T) {
	for line, want := range map[string]Item{
		`{"id":"a","input":"Q?","output":"A.","context":["c","d"],"metadata":{"k":1},"label":true}`: {
			ID: "a", Input: "Q?", Metadata: map[string]any{"k": 1., "label": true},
			Run: Run{Input: TextRun("Q?", "A.").Input, Output: TextRun("", "A.").Output, Context: []string{"c", "d"}},
		},
		`{"id":7,"question":"Q?","answer":"A.","contexts":"c"}`:                             {ID: "7", Input: "Q?", Run: Run{Input: TextRun("Q?", "").Input, Output: TextRun("", "A.").Output, Context: []string{"c"}}},
		`{"query":"Q?","response":"A.","retrieved_contexts":[]}`:                            {ID: "line 1", Input: "Q?", Run: Run{Input: TextRun("Q?", "").Input, Output: TextRun("", "A.").Output, Context: []string{}}},
		`{"output":"A.","context":null}`:                                                    {ID: "line 1", Run: TextRun("", "A.")},
		`{"messages":[{"role":"user","content":"Q?"},{"role":"assistant","content":"A."}]}`: {ID: "line 1", Input: "Q?", Run: TextRun("Q?", "A.")},
	} {
		for _, text := range []string{line, "\ufeff" + line + "\r\n\n"} {
			items, errs := all(JSONLines(strings.NewReader(text)))
			require.Equal(t, []error{nil}, errs, line)
			want.Run.Metadata = want.Metadata
			assert.Equal(t, []Item{want}, items, line)
		}
	}
}

func TestOneBadLineIsOneItemWithAnError(t *testing.T) {
	for line, want := range map[string]string{
		`{"output":`:                   "line 2: it is no JSON object",
		`[1]`:                          "line 2: it is no JSON object",
		`null`:                         "line 2: it is no JSON object",
		`{"id":{}}`:                    "line 2: id: it must be a string",
		`{"input":[1]}`:                "line 2: input: it must be a string",
		`{"output":{}}`:                "line 2: output: it must be a string",
		`{"output":"a","context":[1]}`: "line 2: context: it must be a string or a list",
		`{"messages":[{}]}`:            "line 2: message list: messages[0]",
		`{"metadata":1}`:               "line 2: metadata: it must be an object",
	} {
		items, errs := all(JSONLines(strings.NewReader("{\"output\":\"a\"}\n" + line + "\n{\"output\":\"c\"}")))
		require.Len(t, errs, 3, line)
		assert.NoError(t, errors.Join(errs[0], errs[2]), line)
		assert.ErrorContains(t, errs[1], want)
		assert.NotErrorIs(t, errs[1], ErrData)
		assert.Equal(t, "line 2", items[1].ID)
		assert.Equal(t, "c", items[2].Run.output())
	}
}

func TestABrokenFileIsNoShortFile(t *testing.T) {
	broken := errors.New("the disk is gone")
	for name, read := range map[string]func(io.Reader) iter.Seq2[Item, error]{"JSON Lines": JSONLines, "CSV": CSV} {
		for _, start := range []string{"", "output\n", "output\na\n"} {
			_, errs := all(read(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken))))
			require.NotEmpty(t, errs, name)
			last := errs[len(errs)-1]
			assert.ErrorIs(t, last, ErrData, name)
			assert.ErrorIs(t, last, broken, name)
		}
	}
}

func TestCSVReadsTheUsualColumns(t *testing.T) {
	items, errs := all(CSV(strings.NewReader("\ufeffID, Question ,answer,context,context_2,label\n" +
		"a,Q?,\"A,\nB.\",c,d,yes\n" +
		",Q?,A.,\"[\"\"c\"\",\"\"d\"\"]\",,no\n" +
		"b,Q?,A.,,,\n")))
	require.Equal(t, []error{nil, nil, nil}, errs)
	var contexts [][]string
	for _, item := range items {
		contexts = append(contexts, item.Run.Context)
	}
	assert.Equal(t, [][]string{{"c", "d"}, {"c", "d"}, {}}, contexts, "an empty cell is an empty context")
	assert.Equal(t, []string{"a", "line 4", "b"}, []string{items[0].ID, items[1].ID, items[2].ID})
	assert.Equal(t, "A,\nB.", items[0].Run.output())
	assert.Equal(t, "Q?", items[0].Input)
	assert.Equal(t, map[string]any{"label": "yes"}, items[0].Metadata)

	items, _ = all(CSV(strings.NewReader("output\nA.\n")))
	assert.Nil(t, items[0].Run.Context, "without a column the scorer's own context counts")
	items, _ = all(CSV(strings.NewReader("")))
	assert.Empty(t, items)
}

func TestOneBadRowOfCSVIsOneItemWithAnError(t *testing.T) {
	items, errs := all(CSV(strings.NewReader("id,output\na,A.\nb\nc,C.,x\nd,a\"b\ne,E.\n")))
	require.Len(t, errs, 5)
	assert.NoError(t, errors.Join(errs[0], errs[4]))
	for i := 1; i < 4; i++ {
		assert.Error(t, errs[i])
		assert.NotErrorIs(t, errs[i], ErrData)
	}
	assert.Equal(t, "line 3", items[1].ID)
	assert.Equal(t, "e", items[4].ID)

	_, errs = all(CSV(strings.NewReader("name,value\n1,2\n")))
	assert.ErrorContains(t, errors.Join(errs...), "neither an input nor an output")
}

func TestReadingStopsWhereItIsStopped(t *testing.T) {
	for _, data := range []iter.Seq2[Item, error]{
		JSONLines(strings.NewReader("{\"output\":\"1\"}\n{\"output\":\"2\"}\n")),
		CSV(strings.NewReader("output\n1\n2\n")),
	} {
		n := 0
		for _, err := range data {
			assert.NoError(t, err)
			n++
			break
		}
		assert.Equal(t, 1, n)
	}
}

func FuzzRowsAreItemsOrErrors(f *testing.F) {
	f.Add("{\"id\":\"a\",\"output\":\"b\"}\n{")
	f.Add("output,context\na,b\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		for item, err := range JSONLines(strings.NewReader(text)) {
			assert.NotEmpty(t, item.ID)
			_ = err
		}
		for item, err := range CSV(strings.NewReader(text)) {
			assert.True(t, item.ID != "" || errors.Is(err, ErrData))
		}
	})
}
