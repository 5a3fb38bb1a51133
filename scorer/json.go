package scorer

import "encoding/json"

// The originals' results hold what their steps gave under these names.
type (
	preprocessJSON struct {
		Claims     []string `json:"claims"`
		Statements []string `json:"statements,omitempty"`
	}
	analyzeJSON struct {
		Verdicts []verdictJSON `json:"verdicts"`
		Results  []answerJSON  `json:"results,omitempty"`
	}
	verdictJSON struct {
		Statement string   `json:"statement"`
		Verdict   string   `json:"verdict"`
		Reason    string   `json:"reason"`
		Kind      Kind     `json:"kind"`
		Evidence  []string `json:"evidence,omitempty"`
		Source    string   `json:"source,omitempty"`
		Agreement float64  `json:"agreement,omitempty"`
	}
	answerJSON struct {
		Result string `json:"result"`
		Reason string `json:"reason"`
	}
)

// MarshalJSON gives the field names of the original scorers' results, for
// tools that read those, and beside them what is new here. A statement's
// verdict is "yes" where it counts as a hallucination and "no" otherwise; in
// faithfulness it is "yes" where it is supported, and in answer relevancy
// "yes", "unsure" or "no", which that scorer's original lists as results of
// statements. The kind tells contradicted, unsupported and inconclusive apart.
// Of a Custom scorer, the step results are what its steps gave.
func (r *Result) MarshalJSON() ([]byte, error) {
	out := struct {
		RunID                string     `json:"runId,omitempty"`
		Scorer               string     `json:"scorer,omitempty"`
		Model                string     `json:"model,omitempty"`
		PreprocessStepResult any        `json:"preprocessStepResult"`
		PreprocessPrompt     string     `json:"preprocessPrompt,omitempty"`
		AnalyzeStepResult    any        `json:"analyzeStepResult"`
		AnalyzePrompt        string     `json:"analyzePrompt,omitempty"`
		Score                float64    `json:"score"`
		Scale                float64    `json:"scale"`
		HigherIsBetter       bool       `json:"higherIsBetter,omitempty"`
		Level                Level      `json:"level"`
		Reason               string     `json:"reason"`
		GenerateReasonPrompt string     `json:"generateReasonPrompt,omitempty"`
		NothingToCheck       string     `json:"nothingToCheck,omitempty"`
		Abstained            bool       `json:"abstained,omitempty"`
		Replaced             []string   `json:"replaced,omitempty"`
		Unstated             []Unstated `json:"unstated,omitempty"`
		Withheld             []string   `json:"withheld,omitempty"`
		Usage                Usage      `json:"usage"`
		Calls                int        `json:"calls"`
	}{
		RunID: r.RunID, Scorer: r.Scorer, Model: r.Model,
		PreprocessStepResult: r.preprocessed(), PreprocessPrompt: r.Prompts.Claims,
		AnalyzeStepResult: r.analyzed(), AnalyzePrompt: r.Prompts.Verdicts,
		Score: r.Score, Scale: r.Scale, HigherIsBetter: r.HigherIsBetter, Level: r.Level(),
		Reason: r.Reason, GenerateReasonPrompt: r.Prompts.Reason,
		NothingToCheck: r.NothingToCheck, Abstained: r.Abstained, Replaced: textsOfClaims(r.Replaced),
		Unstated: r.Unstated, Withheld: textsOf(r.Withheld), Usage: r.Usage, Calls: r.Calls,
	}
	return json.Marshal(out)
}

func (r *Result) preprocessed() any {
	if r.Preprocessed != nil {
		return r.Preprocessed
	}
	out := preprocessJSON{Claims: append([]string{}, textsOfClaims(r.Claims)...)}
	if r.isRelevancy() {
		out.Statements = out.Claims
	}
	return out
}

func (r *Result) analyzed() any {
	if r.Analyzed != nil {
		return r.Analyzed
	}
	out := analyzeJSON{Verdicts: []verdictJSON{}}
	for _, v := range r.Verdicts {
		out.Verdicts = append(out.Verdicts, verdictJSON{
			Statement: r.Claim(v.Claim).Text, Verdict: r.word(v), Reason: v.Reason, Kind: v.Kind,
			Evidence: textsOf(v.Evidence), Source: v.Source, Agreement: v.Agreement,
		})
		if r.isRelevancy() {
			out.Results = append(out.Results, answerJSON{r.word(v), v.Reason})
		}
	}
	return out
}

// isRelevancy: the verdicts say whether statements answer.
func (r *Result) isRelevancy() bool {
	for _, v := range r.Verdicts {
		if v.Kind == Relevant || v.Kind == Unsure || v.Kind == Irrelevant {
			return true
		}
	}
	return false
}

// word is a verdict as the original words it.
func (r *Result) word(v Verdict) string {
	switch {
	case v.Kind == Unsure:
		return "unsure"
	case v.Bad() != r.HigherIsBetter:
		return "yes"
	}
	return "no"
}

func textsOfClaims(claims []Claim) (list []string) {
	for _, c := range claims {
		list = append(list, c.Text)
	}
	return list
}
