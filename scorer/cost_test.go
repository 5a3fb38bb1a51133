package scorer

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/evaltest/go-evaltest/fixtures"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// billing is a judge that finds support for what the context has word for
// word, and counts a token for four bytes.
type billing struct{}

func (billing) Model() string      { return "billing" }
func (billing) ContextTokens() int { return 8192 }

func (billing) Generate(_ context.Context, p Prompt) (Reply, error) {
	reply := everySentence(p)
	if p.Step == stepVerdicts {
		context, _, _ := strings.Cut(p.User, "[answer")
		context, _, _ = strings.Cut(context, "Check these claims")
		reply, _ = verdictsOf(p, func(claim string) (string, string) {
			if strings.Contains(context, claim) {
				return "supported", claim
			}
			return "unsupported", ""
		})
	}
	return billed(p, reply), nil
}

func billed(p Prompt, reply string) Reply {
	return Reply{Text: reply, Usage: Usage{PromptTokens: (len(p.System) + len(p.User)) / 4, OutputTokens: len(reply) / 4}}
}

// verdictsOf is the reply that gives each claim of a prompt its verdict.
func verdictsOf(p Prompt, see func(claim string) (verdict, quote string)) (string, error) {
	var verdicts []string
	for _, m := range askedLine.FindAllStringSubmatch(p.User, -1) {
		var n int
		if _, err := fmt.Sscan(m[2], &n); err != nil {
			return "", err
		}
		verdict, quote := see(m[3])
		verdicts = append(verdicts, opinionText(n, verdict, quote, "so it seems"))
	}
	return verdictsText(verdicts...), nil
}

// locker is a sentence of some 60 bytes, another for each n.
func locker(n int) string {
	return fmt.Sprintf("Locker %d is painted green and stands in the northern hall.", n)
}

func lockers(n int) string {
	var all []string
	for i := range n {
		all = append(all, locker(100+i))
	}
	return strings.Join(all, " ")
}

// The table of costs in the package's documentation is what scores cost.
func TestCostsAreThoseOfTheDocumentation(t *testing.T) {
	source, err := os.ReadFile("scorer.go")
	require.NoError(t, err)
	const bad = " Locker 110 was stolen by a gang of thieves."
	short, long := lockers(20), lockers(3600)
	for _, c := range []struct{ name, output, context string }{
		{"clean: 5 sentences, context of 1 kB", lockers(5), short},
		{"failing: one of them is bad", lockers(4) + bad, short},
		{"long: 40 clean sentences, context of 4 kB", lockers(40), lockers(70)},
		{"long and failing: one of them is bad", lockers(39) + bad, lockers(70)},
		{"long context: 5 clean sentences, 210 kB", lockers(5), long},
		{"long context and failing: one of them is bad", lockers(4) + bad, long},
	} {
		row := fmt.Sprintf("//\t%-46s", c.name)
		for _, o := range []HallucinationOptions{{}, {Claims: PerSentence}, {Claims: PerSentence, NoSecondLook: true}} {
			r := mustScore(t, billing{}, o, "", c.output, c.context)
			assert.Len(t, r.Bad(), strings.Count(c.output, "stolen"))
			row += fmt.Sprintf("%6d %7d", r.Calls, (r.Usage.PromptTokens+50)/100*100)
		}
		assert.Contains(t, string(source), strings.TrimRight(row, " ")+"\n")
		t.Log(row)
	}
}

// paid is a judge that costs what billing does.
type paid struct{ Judge }

func (paid) ContextTokens() int { return 8192 }

func (j paid) Generate(ctx context.Context, p Prompt) (Reply, error) {
	reply, err := j.Judge.Generate(ctx, p)
	return billed(p, reply.Text), err
}

func TestCostOfTheFixturesIsThatOfTheDocumentation(t *testing.T) {
	source, err := os.ReadFile("scorer.go")
	require.NoError(t, err)
	row := fmt.Sprintf("//\t%-46s", "the labelled cases of package fixtures")
	all := fixtures.All()
	for _, o := range []HallucinationOptions{{}, {NoSecondLook: true}} {
		calls, tokens := 0, 0
		for _, c := range all {
			run, judge := labelled(c)
			r, err := NewHallucination(paid{judge}, o).Score(t.Context(), run)
			require.NoError(t, err, c.Name)
			calls, tokens = calls+r.Calls, tokens+r.Usage.PromptTokens
		}
		n := float64(len(all))
		row += fmt.Sprintf("%6.1f %7.0f", float64(calls)/n, 10*math.Round(float64(tokens)/n/10))
	}
	assert.Contains(t, string(source), strings.TrimRight(row, " ")+"\n")
	t.Log(row)
}
