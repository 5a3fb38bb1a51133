package evaltest

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/evaltest/go-evaltest/cassettes"
	"github.com/evaltest/go-evaltest/scorer"
)

// Mode says where the answers to recorded calls come from.
type Mode = cassettes.Mode

// The modes. Auto is the default, Replay where the environment variable CI is
// set and not 0 or false.
const (
	Auto   = cassettes.Auto   // replay the cassette; record where there is none
	Replay = cassettes.Replay // replay the cassette and never make a call
	Record = cassettes.Record // make every call and replace the cassette
	Update = cassettes.Update // replay what is recorded, make and add what is not
	Live   = cassettes.Live   // make every call and write nothing
)

const (
	defaultModel = "llama3.2"
	defaultDir   = "testdata/cassettes"
)

// settings is what the options of one call come to.
type settings struct {
	mode, model given
	judge       func(*http.Client) (scorer.Judge, error)
	input       string
	scorer      []func(*scorer.HallucinationOptions)
	relevancy   scorer.AnswerRelevancyOptions
	cassette    string
	dir         string
	transport   http.RoundTripper
	statuses    []int
	redact      func(string) string
	ignore      []string
}

// given is a value and where it was set.
type given struct{ value, by string }

// defaults are Main's options.
var defaults struct {
	sync.Mutex
	options []Option
}

// resolve applies Main's options, the environment and the call's options, the
// later winning. The environment is read here, in each call: go test's cache
// sees only what a test reads while it runs.
func resolve(caller string, can reach, options []Option) (settings, error) {
	s := settings{mode: given{string(builtInMode()), "built in"}, model: given{defaultModel, "built in"}, dir: defaultDir}
	defaults.Lock()
	shared := slices.Clone(defaults.options)
	defaults.Unlock()
	for _, o := range shared {
		o.apply(&s)
	}
	if mode := os.Getenv("EVALTEST_MODE"); mode != "" {
		s.mode = given{mode, "EVALTEST_MODE"}
	}
	if model := os.Getenv("EVALTEST_MODEL"); model != "" {
		s.model = given{model, "EVALTEST_MODEL"}
	}
	if err := refuse(caller, can, options); err != nil {
		return s, err
	}
	for _, o := range options {
		o.apply(&s)
	}
	if _, err := cassettes.ParseMode(s.mode.value); err != nil {
		return s, fmt.Errorf("%s: %w", s.mode.by, err)
	}
	return s, nil
}

// refuse names an option that cannot act where it is given.
func refuse(caller string, can reach, options []Option) error {
	judge, model := false, false
	for _, o := range options {
		if o == nil {
			return fmt.Errorf("%s: an option is nil", caller)
		}
		if o.reach()&can == 0 {
			return fmt.Errorf("%s cannot act in %s: %s", o.name(), caller, instead(o.reach()))
		}
		judge, model = judge || o.name() == "WithJudge", model || o.name() == "WithModel"
	}
	if judge && model {
		return fmt.Errorf("WithModel cannot act in %s beside WithJudge: the judge brings its model", caller)
	}
	return nil
}

func instead(on reach) string {
	switch on {
	case onModel, onRecording:
		return "give it to Judge or Client, where the calls are made, or to Main"
	case onCassette:
		return "give it to Judge, Client or an assertion: each test has a cassette of its own"
	case onScorer, onRelevancy, onScorer | onRelevancy:
		return "set it on the scorer that it is for"
	}
	return "put it into the run"
}

func builtInMode() Mode {
	if ci := strings.ToLower(os.Getenv("CI")); ci != "" && ci != "0" && ci != "false" {
		return Replay
	}
	return Auto
}

// provider splits a model's name into provider and model. A name may hold
// colons itself, so only known providers are split off.
func provider(name string) (string, string) {
	for _, known := range []string{"ollama", "openai"} {
		if model, ok := strings.CutPrefix(name, known+":"); ok {
			return known, model
		}
	}
	return "ollama", name
}

func (s settings) hallucination(passages []string) scorer.HallucinationOptions {
	o := scorer.HallucinationOptions{Context: passages}
	for _, change := range s.scorer {
		change(&o)
	}
	return o
}
