package evaltest_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/evaltest/go-evaltest/evaltest"
	"github.com/evaltest/go-evaltest/scorer"
)

func ExampleAssertFaithful() {
	t := newT("TestRefund")
	evaltest.AssertFaithful(t, "Refunds are issued within 14 days. Shipping is free.", policy, 0.9, evaltest.WithJudge(cautious))
	// Output: faithfulness score 0.50 < 0.9: 1 of 2 claims is bad
}

func ExampleRequireFaithful() {
	t := newT("TestRefund")
	evaltest.RequireFaithful(t, "", policy, 0.9, evaltest.WithJudge(cautious))
	// Output:
	// faithfulness score 0.00 < 0.9: the output is empty: nothing to score
	// the test ends here
}

// onTopic is a judge of relevancy that finds that all but what is said of
// shipping answers.
func onTopic(*http.Client) (scorer.Judge, error) { return topical{}, nil }

type topical struct{}

func (topical) Model() string { return "topical" }

func (topical) Generate(_ context.Context, p scorer.Prompt) (scorer.Reply, error) {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^(sentence|statement) (\d+): (.*)$`).FindAllStringSubmatch(p.User, -1) {
		if p.Step == "relevancy/statements@1" {
			list = append(list, fmt.Sprintf(`{"sentence":%s,"statement":%q}`, m[2], m[3]))
			continue
		}
		verdict := "yes"
		if strings.Contains(m[3], "Shipping") {
			verdict = "no"
		}
		list = append(list, fmt.Sprintf(`{"statement":%s,"reason":"","verdict":%q}`, m[2], verdict))
	}
	return scorer.Reply{Text: fmt.Sprintf(`{%q:[%s]}`, map[bool]string{true: "statements", false: "verdicts"}[p.Step == "relevancy/statements@1"], strings.Join(list, ","))}, nil
}

func ExampleAssertRelevant() {
	t := newT("TestRefund")
	fmt.Println(evaltest.AssertRelevant(t, "How long do refunds take?", "Refunds take 14 days.", 1, evaltest.WithJudge(onTopic)))
	evaltest.AssertRelevant(t, "How long do refunds take?", "Refunds take 14 days. Shipping is free.", 0.9, evaltest.WithJudge(onTopic))
	// Output:
	// true
	// answer-relevancy score 0.50 < 0.9: 1 of 2 statements does not answer the question
}

func ExampleRequireRelevant() {
	t := newT("TestRefund")
	evaltest.RequireRelevant(t, "How long do refunds take?", "I don't know.", 0.5, evaltest.WithJudge(onTopic))
	// Output:
	// answer-relevancy score 0.00 < 0.5: 1 of 1 statement does not answer the question
	// the test ends here
}

func ExampleWithUncertaintyWeight() {
	t := newT("TestRefund")
	fmt.Println(evaltest.AssertRelevant(t, "How long do refunds take?", "Refunds take 14 days.", 1,
		evaltest.WithUncertaintyWeight(0.5), evaltest.WithJudge(onTopic)))
	// Output: true
}
