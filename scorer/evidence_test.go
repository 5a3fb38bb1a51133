package scorer

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rule 3: what counts as evidence, in the forms that contexts come in.
func TestEvidenceIsFoundInEveryFormOfContext(t *testing.T) {
	const table = "Fees of the Nordic Bank\n\n| Account | Yearly fee | Cards |\n|---|---|---|\n| Basic | 9.50 euros | 1 |\n| Premium | 120 euros | 5 |"
	const tool = `{"tool":"orders","result":[{"order":"A-17","status":"shipped","carrier":"DHL","pieces":5},{"order":"B-18","status":"cancelled","carrier":null,"pieces":1}]}`
	for _, c := range []struct {
		name, question, claim string
		quotes                []string
		context               []string
		kind                  Kind
		evidence              string // the first one, widened
	}{
		{"a row", "", "The Premium account costs 120 euros a year.", []string{"| Premium | 120 euros | 5 |"}, []string{table}, Supported, "| Premium | 120 euros | 5 |"},
		{"part of a row", "", "The Premium account costs 120 euros a year.", []string{"Premium | 120 euros"}, []string{table}, Supported, "| Premium | 120 euros | 5 |"},
		{"a cell of the claim's row", "", "The Premium account costs 120 euros a year.", []string{"120 euros"}, []string{table}, Supported, "| Premium | 120 euros | 5 |"},
		{"a row that shares only its header", "", "Each account has cards.", []string{"| Basic | 9.50 euros | 1 |"}, []string{table}, Supported, "| Basic | 9.50 euros | 1 |"},
		{"a row that shares only its title", "", "Nordic Bank asks for money.", []string{"| Basic | 9.50 euros | 1 |"}, []string{table}, Supported, "| Basic | 9.50 euros | 1 |"},
		{"a digit", "", "The Premium account has 5 cards.", []string{"5"}, []string{table}, Unsupported, ""},
		{"a digit of a sentence", "", "It takes 5 days.", []string{"5"}, []string{"Refunds take 5 days."}, Unsupported, ""},
		{"a list's number", "", "There is 1 plan.", []string{"1"}, []string{"1. There are plans.\n2. There are fees."}, Unsupported, ""},
		{"a cell without anything else of the claim", "", "It is 120 euros.", []string{"120 euros"}, []string{"| Tax | 120 euros |"}, Unsupported, ""},
		{"a field of a tool's result", "", "Order A-17 was shipped with DHL.", []string{`"status":"shipped","carrier":"DHL"`}, []string{tool}, Supported, `{"tool":"orders","result":[{"order":"A-17","status":"shipped","carrier":"DHL","pieces":5},`},
		{"a value of a tool's result", "", "Order B-18 was cancelled.", []string{"cancelled"}, []string{tool}, Supported, `{"order":"B-18","status":"cancelled","carrier":null,"pieces":1}]}`},
		{"a value of another record", "", "Order C-19 was lost.", []string{"cancelled"}, []string{`[{"n":"A-17","status":"cancelled"}]`}, Unsupported, ""},
		{"a value with the claim's order", "", "Order B-18 was cancelled.", []string{`"order":"B-18","status":"cancelled"`}, []string{tool}, Supported, `{"order":"B-18","status":"cancelled","carrier":null,"pieces":1}]}`},
		{"two passages", "", "The museum in Bergen opens at nine.", []string{"The museum is in Bergen.", "The museum opens at nine."}, []string{"The museum is in Bergen.", "The museum opens at nine."}, Supported, "The museum opens at nine."},
		{"two passages in one quote", "", "The museum in Bergen opens at nine.", []string{"The museum is in Bergen. The museum opens at nine."}, []string{"The museum is in Bergen.", "The museum opens at nine."}, Supported, "The museum opens at nine."},
		{"the passage's title", "", "Aspirin must not be given to children.", []string{"It must not be used below the age of twelve."}, []string{"Aspirin for children\nIt must not be used below the age of twelve."}, Supported, "It must not be used below the age of twelve."},
		{"a heading", "", "Aspirin is risky.", []string{"It must not be used below the age of twelve."}, []string{"## Aspirin\n\nIt must not be used below the age of twelve."}, Supported, "It must not be used below the age of twelve."},
		{"paraphrase", "", "Customers have their money within two weeks.", []string{"Refunds reach customers in at most 14 days."}, []string{"Refunds reach customers in at most 14 days."}, Supported, "Refunds reach customers in at most 14 days."},
		{"Chinese output, English context", "", "退款会在十四天内发放。", []string{refundClaim}, []string{refundContext}, Supported, refundClaim},
		{"English output, Chinese context", "", refundClaim, []string{"退款会在十四天内发放。"}, []string{"退款会在十四天内发放。运费为五欧元。"}, Supported, "退款会在十四天内发放。"},
		{"translated quote", "", "退款会在十四天内发放。", []string{"退款会在十四天内发放。"}, []string{refundContext}, Unsupported, ""},
		{"a bare yes", "Is shipping free in Norway?", "Yes.", []string{"Shipping is free in Norway."}, []string{"Shipping is free in Norway."}, Supported, "Shipping is free in Norway."},
		{"a bare yes, quote on something else", "Is shipping free in Norway?", "Yes.", []string{"Refunds take 14 days."}, []string{"Refunds take 14 days."}, Unsupported, ""},
		{"a bare no in Chinese", "挪威包邮吗？", "不包。", []string{"挪威的运费为五欧元。"}, []string{"挪威的运费为五欧元。"}, Supported, "挪威的运费为五欧元。"},
		{"a bare number", "How many days do refunds take?", "14", []string{refundClaim}, []string{refundContext}, Supported, refundClaim},
		{"a bare name", "Who runs the shop?", "Nilsen", []string{"The shop is run by Nilsen."}, []string{"The shop is run by Nilsen."}, Supported, "The shop is run by Nilsen."},
		{"a quote from the question", "Is it true that the premium plan is free?", "The premium plan is free.", []string{"the premium plan is free"}, []string{refundContext}, Unsupported, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &seeing{see: func(int, string, string) (string, []string) { return "supported", escaped(c.quotes) }}
			r := mustScore(t, j, perSentence, c.question, c.claim, c.context...)
			require.Len(t, r.Verdicts, 1)
			v := r.Verdicts[0]
			assert.Equal(t, c.kind, v.Kind, v.Reason)
			if c.evidence != "" {
				require.NotEmpty(t, v.Evidence)
				assert.Equal(t, c.evidence, v.Evidence[0].Text)
			}
			for _, q := range v.Evidence {
				assert.Equal(t, q.Text, r.Context[q.Passage][q.Span.Start:q.Span.End])
			}
		})
	}
}

func escaped(quotes []string) []string {
	var list []string
	for _, q := range quotes {
		list = append(list, strings.ReplaceAll(q, `"`, `\"`))
	}
	return list
}

// A bare answer is read with its question.
func TestBareAnswerIsAskedAboutWithItsQuestion(t *testing.T) {
	for _, answer := range []string{"14", "Paris", "Yes.", "巴黎", "$5", "1999"} {
		j := &seeing{see: func(int, string, string) (string, []string) { return "unsupported", nil }}
		r := mustScore(t, j, perSentence, "How long, and where?", answer, refundContext)
		assert.Equal(t, 1.0, r.Score, answer)
		assert.Equal(t, answer, r.Claims[0].Text)
		assert.Contains(t, j.sent[0].User, "How long, and where?")
	}
}

// A premise of the question is judged where the answer repeats it.
func TestPremiseOfTheQuestionIsJudgedWhereItIsRepeated(t *testing.T) {
	j := &seeing{see: func(int, string, string) (string, []string) { return "supported", []string{"Why is shipping free"} }}
	r := mustScore(t, j, perSentence, "Why is shipping free?", "Shipping is free because of our partners. Here's why shipping is free:", refundContext)
	assert.Equal(t, 1.0, r.Score)
	assert.Len(t, r.Claims, 2)
}

// Nothing learnt in one score changes the next.
func TestScoresDoNotDependOnThoseBefore(t *testing.T) {
	h := NewHallucination(&seeing{window: 2048, see: finds(refundClaim)}, perSentence)
	run := TextRun("", refundClaim)
	run.Context = []string{padding(30_000) + refundClaim}
	first, err := h.Score(context.Background(), run)
	require.NoError(t, err)
	other := TextRun("", freeClaim)
	other.Context = run.Context
	_, err = h.Score(context.Background(), other)
	require.NoError(t, err)
	again, err := h.Score(context.Background(), run)
	require.NoError(t, err)
	assert.Equal(t, first, again)
}
