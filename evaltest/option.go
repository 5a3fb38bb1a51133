package evaltest

import (
	"context"
	"net/http"
	"regexp"

	"github.com/evaltest/go-evaltest/scorer"
)

// Option changes one call, or, given to Main, all calls of a package.
type Option interface {
	apply(*settings)
	name() string
	reach() reach
}

// reach says what an option acts on, so that one which cannot act where it is
// given is refused.
type reach int

const (
	onModel     reach = 1 << iota // which judge is asked
	onCassette                    // which file is used
	onRecording                   // how calls are recorded and replayed
	onScorer                      // what counts as bad
	onRelevancy                   // what counts as an answer
	onRun                         // what is judged
)

type option struct {
	called string
	on     reach
	set    func(*settings)
}

func (o option) apply(s *settings) { o.set(s) }
func (o option) name() string      { return o.called }
func (o option) reach() reach      { return o.on }

// WithModel names the judge's model: "llama3.2", or with its provider
// "ollama:llama3.2" or "openai:gpt-4o-mini". A provider openai is any server
// that speaks OpenAI's chat completions: OPENAI_BASE_URL names it, and
// OPENAI_API_KEY its key.
func WithModel(name string) Option {
	return option{"WithModel", onModel, func(s *settings) { s.model = given{name, "WithModel"} }}
}

// WithJudge makes the judge from the client whose calls are recorded. A judge
// that makes no HTTP calls ignores the client.
func WithJudge(build func(*http.Client) (scorer.Judge, error)) Option {
	return option{"WithJudge", onModel, func(s *settings) { s.judge = build }}
}

// WithInput gives the question that the output answers.
func WithInput(question string) Option {
	return option{"WithInput", onRun, func(s *settings) { s.input = question }}
}

// WithScale sets the highest score, which is 1 otherwise.
func WithScale(scale float64) Option {
	return option{"WithScale", onScorer | onRelevancy, func(s *settings) {
		s.scorer = append(s.scorer, func(o *scorer.HallucinationOptions) { o.Scale = scale })
		s.relevancy.Scale = scale
	}}
}

// WithUncertaintyWeight sets what a statement counts for AssertRelevant that
// may or may not answer, from 0 to 1; it is 0.3 otherwise.
func WithUncertaintyWeight(weight float64) Option {
	return option{"WithUncertaintyWeight", onRelevancy, func(s *settings) { s.relevancy.UncertaintyWeight = &weight }}
}

// WithContextFunc finds the context when the output is judged. It wins over
// the context that the assertion is called with.
func WithContextFunc(find func(context.Context, scorer.Run) ([]string, error)) Option {
	return scorerOption("WithContextFunc", func(o *scorer.HallucinationOptions) { o.GetContext = find })
}

// WithScorerOptions sets any option of the scorer of hallucinations or of
// faithfulness. Options that stand after
// it see what it set.
func WithScorerOptions(change func(*scorer.HallucinationOptions)) Option {
	return scorerOption("WithScorerOptions", change)
}

// WithNoClaim names further sentences that state nothing and are not judged.
func WithNoClaim(stateNothing func(sentence string) bool) Option {
	return scorerOption("WithNoClaim", func(o *scorer.HallucinationOptions) { o.NoClaim = stateNothing })
}

// WithMinClaims fails an output that makes fewer than n claims.
func WithMinClaims(n int) Option {
	return scorerOption("WithMinClaims", func(o *scorer.HallucinationOptions) { o.MinClaims = n })
}

// WithAbstain says what an output that only declines to answer means.
func WithAbstain(a scorer.Abstention) Option {
	return scorerOption("WithAbstain", func(o *scorer.HallucinationOptions) { o.Abstain = a })
}

// WithAllow accepts claims that match pattern though the context does not
// support them. They are counted, and shown with why.
func WithAllow(pattern *regexp.Regexp, why string) Option {
	return scorerOption("WithAllow", func(o *scorer.HallucinationOptions) {
		o.Allow = append(o.Allow, scorer.Allowance{Pattern: pattern, Why: why})
	})
}

func scorerOption(name string, change func(*scorer.HallucinationOptions)) Option {
	return option{name, onScorer, func(s *settings) { s.scorer = append(s.scorer, change) }}
}

// WithNumberCheck says what a number means that a claim states and neither
// context nor question does: scorer.Strict, Hint or Off.
func WithNumberCheck(check scorer.NumberCheck) Option {
	return scorerOption("WithNumberCheck", func(o *scorer.HallucinationOptions) { o.Numbers = check })
}

// WithVotes has the judge give its verdicts up to n times, an odd number, with
// different seeds; a claim that more than half do not agree on is inconclusive,
// which counts as bad.
func WithVotes(n int) Option {
	return scorerOption("WithVotes", func(o *scorer.HallucinationOptions) { o.Votes = n })
}

// WithMode sets the mode, whatever EVALTEST_MODE says.
func WithMode(mode Mode) Option {
	return option{"WithMode", onRecording, func(s *settings) { s.mode = given{string(mode), "WithMode"} }}
}

// WithCassette names the cassette's file, which is the test's name otherwise.
func WithCassette(name string) Option {
	return option{"WithCassette", onCassette, func(s *settings) { s.cassette = name }}
}

// WithCassetteDir sets the directory of cassettes, which is
// testdata/cassettes otherwise, relative to the package's directory.
func WithCassetteDir(dir string) Option {
	return option{"WithCassetteDir", onRecording, func(s *settings) { s.dir = dir }}
}

// WithTransport sets what a recording goes out through, which is
// http.DefaultTransport otherwise. A replay does not use it.
func WithTransport(transport http.RoundTripper) Option {
	return option{"WithTransport", onRecording, func(s *settings) { s.transport = transport }}
}

// WithStatuses lets a recording keep answers of these statuses, beside 2xx.
func WithStatuses(statuses ...int) Option {
	return option{"WithStatuses", onRecording, func(s *settings) { s.statuses = statuses }}
}

// WithRedact takes out of a text what a recording must not keep, beside the
// credentials that are always taken out. It sees copies of what is sent and
// received, before a call is looked up; see cassettes.Options.Redact.
func WithRedact(redact func(text string) string) Option {
	return option{"WithRedact", onRecording, func(s *settings) { s.redact = redact }}
}

// WithIgnore lists what calls are not looked up by, as it differs with every
// run: members of a JSON body by their path, "metadata.request_id", and query
// parameters as "?session".
func WithIgnore(paths ...string) Option {
	return option{"WithIgnore", onRecording, func(s *settings) { s.ignore = paths }}
}
