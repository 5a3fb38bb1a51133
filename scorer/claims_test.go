package scorer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func claimsText(claims ...string) string {
	return `{"claims":[` + strings.Join(claims, ",") + `],"no_claim":[]}`
}

func claimText(sentence int, claim string) string {
	return fmt.Sprintf(`{"sentence":%d,"claim":%q}`, sentence, claim)
}

// Rule 2: nothing that the output states goes unjudged.
func TestEverySentenceCounts(t *testing.T) {
	const two = "Refunds are issued within 14 days and cost 5 euros. Shipping is free worldwide."
	for _, c := range []struct {
		name, output, reply string
		claims, replaced    []string
	}{
		{
			"split by the judge", two,
			claimsText(claimText(1, "Refunds are issued within 14 days."), claimText(1, "Refunds cost 5 euros."), claimText(2, "Shipping is free worldwide.")),
			[]string{"Refunds are issued within 14 days.", "Refunds cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"out of order", two,
			claimsText(claimText(2, "Shipping is free worldwide."), claimText(1, "Refunds are issued within 14 days and cost 5 euros.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"a forgotten sentence", two,
			claimsText(claimText(1, "Refunds are issued within 14 days and cost 5 euros.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"all called no claim", two,
			`{"claims":[],"no_claim":[1,2]}`,
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"a number left out", two,
			claimsText(claimText(1, "Refunds are issued within 14 days."), claimText(2, "Shipping is free worldwide.")),
			[]string{"Refunds are issued within 14 days.", "Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"one number alone left out", "The northern depot stores copper wire, green paint and 14 ladders.",
			claimsText(claimText(1, "The northern depot stores copper wire, green paint and ladders.")),
			[]string{"The northern depot stores copper wire, green paint and ladders.", "The northern depot stores copper wire, green paint and 14 ladders."}, nil,
		},
		{
			"a foreign number beside a good claim", "The northern depot stores copper wire and green paint daily.",
			claimsText(claimText(1, "The northern depot stores copper wire and green paint."), claimText(1, "The depot stores paint in 30 halls.")),
			[]string{"The northern depot stores copper wire and green paint.", "The northern depot stores copper wire and green paint daily."},
			[]string{"The depot stores paint in 30 halls."},
		},
		{
			"a foreign number", two,
			claimsText(claimText(1, "Refunds are issued within 30 days and cost 5 euros."), claimText(2, "Shipping is free worldwide.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."},
			[]string{"Refunds are issued within 30 days and cost 5 euros."},
		},
		{
			"a foreign name", two,
			claimsText(claimText(1, "Refunds are issued within 14 days and cost 5 euros."), claimText(2, "Shipping is free worldwide with DHL.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."},
			[]string{"Shipping is free worldwide with DHL."},
		},
		{
			"a claim on something else", two,
			claimsText(claimText(1, "Refunds are issued within 14 days and cost 5 euros."), claimText(2, "The museum has a cafe.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."},
			[]string{"The museum has a cafe."},
		},
		{
			"said twice", two,
			claimsText(claimText(1, "Refunds are issued within 14 days and cost 5 euros."), claimText(2, "Shipping is free worldwide."), claimText(2, "shipping is free worldwide")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"worded like its sentence", two,
			claimsText(claimText(1, "Refunds cost 5 euros and are issued within 14 days"), claimText(2, "Free shipping worldwide")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"a piece of another claim", two,
			claimsText(claimText(1, "Refunds"), claimText(1, "Refunds are issued within 14 days and cost 5 euros."), claimText(2, "Shipping is free worldwide."), claimText(2, "Shipping is free")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."}, nil,
		},
		{
			"in another language", two,
			claimsText(claimText(1, "退款在14天内发放，费用为5欧元。"), claimText(2, "Shipping is free worldwide.")),
			[]string{"Refunds are issued within 14 days and cost 5 euros.", "Shipping is free worldwide."},
			[]string{"退款在14天内发放，费用为5欧元。"},
		},
		{
			"a half left out", "Refunds are issued within 14 days and shipping is free.",
			claimsText(claimText(1, "Refunds are issued within 14 days.")),
			[]string{"Refunds are issued within 14 days.", "Refunds are issued within 14 days and shipping is free."}, nil,
		},
		{
			"a not left out", "Sale items are not refunded.",
			claimsText(claimText(1, "Sale items are refunded.")),
			[]string{"Sale items are not refunded."}, nil,
		},
		{
			"a not left out of other words", "The shop doesn't refund sale items bought online.",
			claimsText(claimText(1, "The shop refunds sale items which were bought online by customers.")),
			[]string{"The shop doesn't refund sale items bought online."}, []string{"The shop refunds sale items which were bought online by customers."},
		},
		{
			"a not put in", "Sale items are refunded within 14 days.",
			claimsText(claimText(1, "Sale items are never refunded within 14 days.")),
			[]string{"Sale items are refunded within 14 days."}, []string{"Sale items are never refunded within 14 days."},
		},
		{
			"an only left out", "Only the director may approve large expenses.",
			claimsText(claimText(1, "The director may approve large expenses, which are approved.")),
			[]string{"Only the director may approve large expenses."}, nil,
		},
		{
			"a not left out in Chinese", "周一不开放。",
			claimsText(claimText(1, "周一开放。")),
			[]string{"周一不开放。"}, []string{"周一开放。"},
		},
		{
			"a pronoun filled in from the answer", "Steve Jobs led Apple. He introduced the iPhone.",
			claimsText(claimText(1, "Steve Jobs led Apple."), claimText(2, "Steve Jobs introduced the iPhone.")),
			[]string{"Steve Jobs led Apple.", "Steve Jobs introduced the iPhone."}, nil,
		},
		{
			"more than the sentence", "Steve Jobs led Apple. He introduced the iPhone.",
			claimsText(claimText(1, "Steve Jobs led Apple. This is a part of the claim."), claimText(2, "He introduced the iPhone.")),
			[]string{"Steve Jobs led Apple.", "He introduced the iPhone."}, []string{"Steve Jobs led Apple. This is a part of the claim."},
		},
		{
			"more than the sentence, from the answer", "In the EU shipping is free. Refunds take 14 days.",
			claimsText(claimText(1, "In the EU shipping is free."), claimText(2, "Refunds take 14 days in the EU.")),
			[]string{"In the EU shipping is free.", "Refunds take 14 days in the EU."}, nil,
		},
		{
			"Chinese", "退款会在14天内发放。全球免运费。",
			claimsText(claimText(1, "退款会在14天内发放。")),
			[]string{"退款会在14天内发放。", "全球免运费。"}, nil,
		},
		{
			"no final full stop", "Refunds are issued within 14 days",
			claimsText(),
			[]string{"Refunds are issued within 14 days"}, nil,
		},
		{
			"a bare name", "Paris",
			claimsText(),
			[]string{"Paris"}, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &scripted{claims: []string{c.reply}}
			calls := &calls{judge: j}
			list := stating(sentencesOf(c.output), "", nil)
			claims, _, err := askClaims(t.Context(), calls, claimsStep, "", c.output, list)
			require.NoError(t, err)
			settled, replaced := settle(claims, list, "", c.output)
			assert.Equal(t, c.claims, texts(settled))
			assert.Equal(t, c.replaced, texts(replaced))
			for i, claim := range settled {
				assert.Equal(t, i+1, claim.Number)
				assert.NotEmpty(t, c.output[claim.Span.Start:claim.Span.End])
			}
		})
	}
}

func texts(claims []Claim) []string {
	var list []string
	for _, c := range claims {
		list = append(list, c.Text)
	}
	return list
}

func TestSentencesThatStateNothingAreNotAskedAbout(t *testing.T) {
	j := judging(func(_ int, claim string) (string, string) { return "supported", claim })
	w := &windowed{judging: j}
	r := mustScore(t, w, HallucinationOptions{}, "", "Hello! Refunds are issued within 14 days. Is there anything else I can help you with?", refundContext)
	assert.Equal(t, []string{refundClaim}, texts(r.Claims))
	assert.Equal(t, []int{2}, asked(w.sent[0]))
}

func TestClaimsStepDoesNotSeeTheContext(t *testing.T) {
	w := &windowed{judging: judging(func(_ int, claim string) (string, string) { return "supported", claim })}
	mustScore(t, w, HallucinationOptions{}, "When do refunds come?", refundClaim, refundContext)
	assert.Equal(t, stepClaims, w.sent[0].Step)
	assert.NotContains(t, w.sent[0].User, "5 euros")
	assert.Contains(t, w.sent[0].User, "When do refunds come?")
	assert.Contains(t, w.sent[1].User, "5 euros")
}

func TestUnusableClaimsReplyIsNoScore(t *testing.T) {
	for name, reply := range map[string]string{
		"no JSON":             "Refunds take 14 days.",
		"claims as a string":  `{"claims":"Refunds"}`,
		"empty object":        `{}`,
		"list of strings":     `{"claims":["Refunds are issued within 14 days."]}`,
		"an unknown sentence": claimsText(claimText(7, refundClaim)),
		"an empty claim":      claimsText(claimText(1, "")),
		"cut":                 `{"claims":[{"sentence":1,"claim":"Refu`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := score(t, &scripted{claims: []string{reply}}, HallucinationOptions{}, "", refundClaim, refundContext)
			assert.ErrorIs(t, err, ErrBadReply)
			assert.ErrorContains(t, err, "hallucination/claims@1")
		})
	}
}

func TestManySentencesAreAskedAboutInSeveralCalls(t *testing.T) {
	var output strings.Builder
	for i := range 45 {
		fmt.Fprintf(&output, "Locker number %d is painted green. ", 100+i)
	}
	w := &windowed{judging: judging(func(_ int, claim string) (string, string) { return "supported", claim })}
	r := mustScore(t, w, HallucinationOptions{}, "", output.String(), output.String())
	assert.Len(t, r.Claims, 45)
	assert.Equal(t, 3+5, r.Calls)
}

func TestSentenceTakenAsClaimIsJudgedBesideTheWholeOutput(t *testing.T) {
	w := &windowed{judging: judging(func(_ int, claim string) (string, string) { return "supported", claim })}
	mustScore(t, w, HallucinationOptions{Claims: PerSentence}, "", "Refunds are issued within 14 days. It costs 5 euros.", refundContext)
	assert.Contains(t, w.sent[0].User, "Answer that the claims are taken from")

	w.sent = nil
	mustScore(t, w, HallucinationOptions{Claims: PerSentence}, "", refundClaim, refundContext)
	assert.NotContains(t, w.sent[0].User, "Answer that the claims are taken from", "one sentence is the whole output")
}
