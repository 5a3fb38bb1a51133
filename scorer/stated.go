package scorer

import (
	"github.com/evaltest/go-evaltest/scorer/internal/evidence"
	"github.com/evaltest/go-evaltest/scorer/internal/facts"
	"github.com/evaltest/go-evaltest/scorer/internal/text"
)

// stated looks up what a context and its question state in numbers and names.
type stated struct {
	context  *evidence.Context
	question string
	sources  []*facts.Source // once they are needed
}

// lacking gives the numbers and names of a claim that neither states. What is
// quoted of the context is looked at first: as a rule it has them all, and the
// context need not be read for it.
func (s *stated) lacking(claim string, quoted []string) []facts.Fact {
	if len(facts.Lacks(claim, facts.New(append(quoted, s.question)...))) == 0 {
		return nil
	}
	if s.sources == nil {
		s.sources = []*facts.Source{facts.New(s.context.Passages()...), facts.New(s.question)}
	}
	return facts.Lacks(claim, s.sources...)
}

// unstated lists what the claims of a result state and context and question
// do not. A claim of absence names what is not there.
func (s *stated) unstated(r *Result) (list []Unstated) {
	for i, claim := range r.Claims {
		if lackingIn(claim.Text) != "" {
			continue
		}
		for _, fact := range s.lacking(claim.Text, textsOf(r.Verdicts[i].Evidence)) {
			list = append(list, Unstated{claim.Number, string(fact.Kind), fact.Text})
		}
	}
	return list
}

// isProof reports whether a number that is not stated, and does not follow
// from the evidence, speaks against a verdict by itself: of Chinese text any
// number does, otherwise a precise one.
func isProof(claim string, fact facts.Fact, quoted []string) bool {
	return fact.Kind == facts.Number && (fact.Precise || isChinese(claim)) && !fact.Follows(quoted...)
}

func isChinese(s string) bool { return text.Script(s) == text.Script("数") }

func textsOf(quotes []Quote) (list []string) {
	for _, q := range quotes {
		list = append(list, q.Text)
	}
	return list
}
