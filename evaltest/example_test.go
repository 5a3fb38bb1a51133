package evaltest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/evaltest/go-evaltest/evaltest"
	"github.com/evaltest/go-evaltest/scorer"
)

// printing is a test that prints its failures, the first line of each, and no
// place in a file: an example has no *testing.T.
type printing struct {
	evaltest.TestingT // nil: what is not used here
	name              string
	cleanups          []func()
}

func newT(name string) *printing { return &printing{name: name} }

func (p *printing) Helper()                  {}
func (p *printing) Name() string             { return p.name }
func (p *printing) Failed() bool             { return false }
func (p *printing) FailNow()                 { fmt.Println("the test ends here") }
func (p *printing) Logf(string, ...any)      {}
func (p *printing) Cleanup(f func())         { p.cleanups = append(p.cleanups, f) }
func (p *printing) Context() context.Context { return context.Background() }

func (p *printing) Errorf(format string, args ...any) {
	_, message, _ := strings.Cut(fmt.Sprintf(format, args...), "Error:      \t")
	first, _, _ := strings.Cut(message, "\n")
	fmt.Println(first)
}

// cautious is a judge that finds support for what the context has word for
// word. It makes no HTTP calls and ignores the client.
func cautious(*http.Client) (scorer.Judge, error) { return wordForWord{}, nil }

type wordForWord struct{}

func (wordForWord) Model() string { return "word for word" }

var asked = regexp.MustCompile(`(?m)^(sentence|claim) (\d+): (.*)$`)

func (wordForWord) Generate(_ context.Context, p scorer.Prompt) (scorer.Reply, error) {
	var claims, verdicts []string
	texts, _, _ := strings.Cut(p.User, "Check these claims")
	for _, m := range asked.FindAllStringSubmatch(p.User, -1) {
		claims = append(claims, fmt.Sprintf(`{"sentence":%s,"claim":%q}`, m[2], m[3]))
		verdict := "unsupported"
		if strings.Contains(texts, m[3]) {
			verdict = "supported"
		}
		verdicts = append(verdicts, fmt.Sprintf(`{"claim":%s,"evidence":[%q],"reason":"","verdict":%q}`, m[2], m[3], verdict))
	}
	if p.Step == "hallucination/claims@1" {
		return scorer.Reply{Text: `{"claims":[` + strings.Join(claims, ",") + `],"no_claim":[]}`}, nil
	}
	return scorer.Reply{Text: `{"verdicts":[` + strings.Join(verdicts, ",") + `]}`}, nil
}

var policy = []string{"Refunds are issued within 14 days."}

func ExampleAssertNoHallucination() {
	t := newT("TestRefund")
	evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days. Shipping is free.", policy, 0,
		evaltest.WithJudge(cautious))
	// Output: hallucination score 0.50 > 0: 1 of 2 claims is bad
}

func ExampleRequireNoHallucination() {
	t := newT("TestRefund")
	evaltest.RequireNoHallucination(t, "Shipping is free.", policy, 0.2, evaltest.WithJudge(cautious))
	// Output:
	// hallucination score 1.00 > 0.2: 1 of 1 claim is bad
	// the test ends here
}

func ExampleAssert() {
	t := newT("TestRefund")
	s := scorer.NewHallucination(evaltest.Judge(t, evaltest.WithJudge(cautious)), scorer.HallucinationOptions{Context: policy})
	fmt.Println(evaltest.Assert(t, s, scorer.TextRun("", "Refunds are issued within 14 days."), evaltest.Max(0)))
	// Output: true
}

func ExampleRequire() {
	t := newT("TestRefund")
	s := scorer.NewHallucination(evaltest.Judge(t, evaltest.WithJudge(cautious)), scorer.HallucinationOptions{Context: policy})
	evaltest.Require(t, s, scorer.TextRun("", "Shipping is free."), evaltest.Max(0))
	// Output:
	// hallucination score 1.00 > 0: 1 of 1 claim is bad
	// the test ends here
}

func ExampleMax() {
	fmt.Println(evaltest.Max(0.1), evaltest.Max(0.1).Holds(0.1), evaltest.Max(0.1).Holds(0.2))
	// Output: <= 0.1 true false
}

func ExampleMin() {
	fmt.Println(evaltest.Min(0.9), evaltest.Min(0.9).Holds(0.95), evaltest.Min(0.9).Holds(0.8))
	// Output: >= 0.9 true false
}

func ExampleJudge() {
	judge := evaltest.Judge(newT("TestRefund"), evaltest.WithModel("qwen3:8b"))
	fmt.Println(judge.Model())
	// Output: qwen3:8b
}

// roundTrip stands for a server.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// greeting plays a test that makes one call, and its cleanup.
func greeting(name string, opts ...evaltest.Option) {
	get(name, "http://llm.example/greeting", opts...)
}

func get(name, url string, opts ...evaltest.Option) {
	t := newT(name)
	resp, err := evaltest.Client(t, opts...).Get(url)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(resp.Status, string(text))
	for _, f := range t.cleanups {
		f()
	}
}

// answering is a transport that stands for a server, which counts its calls.
func answering(status int, text string, calls *int) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		*calls++
		return &http.Response{Status: fmt.Sprint(status, " ", http.StatusText(status)), StatusCode: status, Request: r, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
	})
}

// scratch is a directory for an example's recordings.
func scratch() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "cassettes")
	if err != nil {
		panic(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

func ExampleClient() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	for range 3 { // three runs of one test
		greeting("TestGreeting", evaltest.WithCassetteDir(dir), evaltest.WithTransport(answering(200, "Hello", &calls)))
	}
	fmt.Println("calls:", calls)
	// Output:
	// 200 OK Hello
	// 200 OK Hello
	// 200 OK Hello
	// calls: 1
}

func ExampleWithTransport() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	greeting("TestGateway", evaltest.WithCassetteDir(dir), evaltest.WithTransport(answering(200, "Hello from the gateway", &calls)))
	// Output: 200 OK Hello from the gateway
}

func ExampleWithStatuses() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	for range 2 {
		greeting("TestAbsent", evaltest.WithCassetteDir(dir), evaltest.WithStatuses(404), evaltest.WithTransport(answering(404, "no such model", &calls)))
	}
	fmt.Println("calls:", calls)
	// Output:
	// 404 Not Found no such model
	// 404 Not Found no such model
	// calls: 1
}

func ExampleWithRedact() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	withoutNames := func(text string) string { return strings.ReplaceAll(text, "Ms Smith", "CUSTOMER") }
	for range 2 {
		greeting("TestLetter", evaltest.WithCassetteDir(dir), evaltest.WithRedact(withoutNames),
			evaltest.WithTransport(answering(200, "Dear Ms Smith", &calls)))
	}
	fmt.Println("calls:", calls)
	// Output:
	// 200 OK Dear Ms Smith
	// 200 OK Dear CUSTOMER
	// calls: 1
}

func ExampleWithIgnore() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	for n := range 2 {
		session := fmt.Sprintf("http://llm.example/greeting?session=%d", n)
		get("TestSession", session, evaltest.WithCassetteDir(dir), evaltest.WithIgnore("?session"),
			evaltest.WithTransport(answering(200, "Hello", &calls)))
	}
	fmt.Println("calls:", calls)
	// Output:
	// 200 OK Hello
	// 200 OK Hello
	// calls: 1
}

func ExampleWithMode() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	for range 2 {
		greeting("TestFresh", evaltest.WithCassetteDir(dir), evaltest.WithMode(evaltest.Live), evaltest.WithTransport(answering(200, "Hello", &calls)))
	}
	fmt.Println("calls:", calls)
	// Output:
	// 200 OK Hello
	// 200 OK Hello
	// calls: 2
}

func ExampleWithCassette() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	greeting("TestNamed", evaltest.WithCassetteDir(dir), evaltest.WithCassette("greeting"), evaltest.WithTransport(answering(200, "Hello", &calls)))
	files, _ := os.ReadDir(dir)
	fmt.Println(files[0].Name())
	// Output:
	// 200 OK Hello
	// greeting.yaml
}

func ExampleWithCassetteDir() {
	dir, remove := scratch()
	defer remove()
	calls := 0
	greeting("TestPlaced", evaltest.WithCassetteDir(dir), evaltest.WithTransport(answering(200, "Hello", &calls)))
	files, _ := os.ReadDir(dir)
	fmt.Println(files[0].Name())
	// Output:
	// 200 OK Hello
	// TestPlaced.yaml
}

func ExampleWithModel() {
	fmt.Println(evaltest.Judge(newT("TestRefund"), evaltest.WithModel("ollama:qwen3:8b")).Model())
	// Output: qwen3:8b
}

func ExampleWithJudge() {
	fmt.Println(evaltest.Judge(newT("TestRefund"), evaltest.WithJudge(cautious)).Model())
	// Output: word for word
}

func ExampleWithInput() {
	t := newT("TestRefund")
	fmt.Println(evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days.", policy, 0,
		evaltest.WithInput("How long do refunds take?"), evaltest.WithJudge(cautious)))
	// Output: true
}

func ExampleWithScale() {
	t := newT("TestRefund")
	evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days. Shipping is free.", policy, 2,
		evaltest.WithScale(10), evaltest.WithJudge(cautious))
	// Output: hallucination score 5.00 > 2: 1 of 2 claims is bad
}

func ExampleWithContextFunc() {
	t := newT("TestRefund")
	fromStore := func(_ context.Context, run scorer.Run) ([]string, error) { return policy, nil }
	fmt.Println(evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days.", nil, 0,
		evaltest.WithContextFunc(fromStore), evaltest.WithJudge(cautious)))
	// Output: true
}

func ExampleWithScorerOptions() {
	t := newT("TestRefund")
	fmt.Println(evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days.", policy, 0,
		evaltest.WithScorerOptions(func(o *scorer.HallucinationOptions) { o.Claims = scorer.PerSentence }),
		evaltest.WithJudge(cautious)))
	// Output: true
}

func ExampleWithNoClaim() {
	t := newT("TestRefund")
	slogan := func(sentence string) bool { return sentence == "Happy shopping with Acme!" }
	fmt.Println(evaltest.AssertNoHallucination(t, "Refunds are issued within 14 days. Happy shopping with Acme!", policy, 0,
		evaltest.WithNoClaim(slogan), evaltest.WithJudge(cautious)))
	// Output: true
}

func ExampleWithMinClaims() {
	t := newT("TestRefund")
	evaltest.AssertNoHallucination(t, "Hello!", policy, 0, evaltest.WithMinClaims(1), evaltest.WithJudge(cautious))
	// Output: AssertNoHallucination: no score: hallucination: output makes too few claims: 0, at least 1 were required: "Hello!"
}

func ExampleWithAbstain() {
	t := newT("TestRefund")
	evaltest.AssertNoHallucination(t, "I don't know.", policy, 0, evaltest.WithAbstain(scorer.AbstainForbid), evaltest.WithJudge(cautious))
	// Output: AssertNoHallucination: no score: hallucination: output only declines to answer: "I don't know."
}

func ExampleWithNumberCheck() {
	says := "Refunds are issued within 140 days."
	gullible := func(*http.Client) (scorer.Judge, error) { return yesMan{}, nil }
	fmt.Println(evaltest.AssertNoHallucination(newT("TestRefund"), says, policy, 0, evaltest.WithNumberCheck(scorer.Hint), evaltest.WithJudge(gullible)))
	fmt.Println(evaltest.AssertNoHallucination(newT("TestRefund"), says, policy, 0, evaltest.WithJudge(gullible)))
	// Output:
	// true
	// hallucination score 1.00 > 0: 1 of 1 claim is bad (1 inconclusive)
	// false
}

// yesMan is a judge that finds support for every claim in the policy.
type yesMan struct{ wordForWord }

func (y yesMan) Generate(ctx context.Context, p scorer.Prompt) (scorer.Reply, error) {
	if p.Step == "hallucination/verdicts@1" {
		return scorer.Reply{Text: fmt.Sprintf(`{"verdicts":[{"claim":1,"evidence":%q,"reason":"","verdict":"supported"}]}`, policy[0])}, nil
	}
	return y.wordForWord.Generate(ctx, p)
}

func ExampleWithVotes() {
	unsure := func(*http.Client) (scorer.Judge, error) { return wavering{}, nil }
	fmt.Println(evaltest.AssertNoHallucination(newT("TestRefund"), policy[0], policy, 0, evaltest.WithVotes(3), evaltest.WithJudge(unsure)))
	// Output:
	// hallucination score 1.00 > 0: 1 of 1 claim is bad (1 inconclusive)
	// false
}

// wavering is a judge whose verdict hangs on the seed.
type wavering struct{ wordForWord }

func (w wavering) Generate(ctx context.Context, p scorer.Prompt) (scorer.Reply, error) {
	if p.Step == "hallucination/verdicts@1" {
		verdict := []string{"supported", "contradicted", "unsupported"}[p.Seed-1]
		return scorer.Reply{Text: fmt.Sprintf(`{"verdicts":[{"claim":1,"evidence":%q,"reason":"","verdict":%q}]}`, policy[0], verdict)}, nil
	}
	return w.wordForWord.Generate(ctx, p)
}

func ExampleWithAllow() {
	t := newT("TestRefund")
	fmt.Println(evaltest.AssertNoHallucination(t, "Shipping is free.", policy, 0,
		evaltest.WithAllow(regexp.MustCompile(`^Shipping is free`), "the price list is tested elsewhere"), evaltest.WithJudge(cautious)))
	// Output: true
}
