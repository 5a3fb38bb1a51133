package scorer

import "encoding/json"

// MarshalJSON gives the field names of the original scorer's result, for
// tools that read those, and beside them what is new here. A statement's
// verdict is "yes" where it counts as a hallucination and "no" otherwise;
// its kind tells contradicted, unsupported and inconclusive apart.
func (r *Result) MarshalJSON() ([]byte, error) {
	type statement struct {
		Statement string   `json:"statement"`
		Verdict   string   `json:"verdict"`
		Reason    string   `json:"reason"`
		Kind      Kind     `json:"kind"`
		Evidence  []string `json:"evidence,omitempty"`
		Source    string   `json:"source,omitempty"`
		Agreement float64  `json:"agreement,omitempty"`
	}
	type claims struct {
		Claims []string `json:"claims"`
	}
	type verdicts struct {
		Verdicts []statement `json:"verdicts"`
	}
	out := struct {
		RunID                string     `json:"runId,omitempty"`
		Scorer               string     `json:"scorer,omitempty"`
		Model                string     `json:"model,omitempty"`
		PreprocessStepResult claims     `json:"preprocessStepResult"`
		PreprocessPrompt     string     `json:"preprocessPrompt,omitempty"`
		AnalyzeStepResult    verdicts   `json:"analyzeStepResult"`
		AnalyzePrompt        string     `json:"analyzePrompt,omitempty"`
		Score                float64    `json:"score"`
		Scale                float64    `json:"scale"`
		Level                Level      `json:"level"`
		Reason               string     `json:"reason"`
		GenerateReasonPrompt string     `json:"generateReasonPrompt,omitempty"`
		Abstained            bool       `json:"abstained,omitempty"`
		Replaced             []string   `json:"replaced,omitempty"`
		Unstated             []Unstated `json:"unstated,omitempty"`
		Withheld             []string   `json:"withheld,omitempty"`
		Usage                Usage      `json:"usage"`
		Calls                int        `json:"calls"`
	}{
		RunID: r.RunID, Scorer: r.Scorer, Model: r.Model,
		PreprocessStepResult: claims{[]string{}}, PreprocessPrompt: r.Prompts.Claims,
		AnalyzeStepResult: verdicts{[]statement{}}, AnalyzePrompt: r.Prompts.Verdicts,
		Score: r.Score, Scale: r.Scale, Level: r.Level(),
		Reason: r.Reason, GenerateReasonPrompt: r.Prompts.Reason,
		Abstained: r.Abstained, Unstated: r.Unstated, Withheld: textsOf(r.Withheld), Usage: r.Usage, Calls: r.Calls,
	}
	for _, c := range r.Claims {
		out.PreprocessStepResult.Claims = append(out.PreprocessStepResult.Claims, c.Text)
	}
	for _, v := range r.Verdicts {
		s := statement{Statement: r.Claim(v.Claim).Text, Verdict: "no", Reason: v.Reason, Kind: v.Kind, Source: v.Source, Agreement: v.Agreement}
		if v.Bad() {
			s.Verdict = "yes"
		}
		for _, q := range v.Evidence {
			s.Evidence = append(s.Evidence, q.Text)
		}
		out.AnalyzeStepResult.Verdicts = append(out.AnalyzeStepResult.Verdicts, s)
	}
	for _, c := range r.Replaced {
		out.Replaced = append(out.Replaced, c.Text)
	}
	return json.Marshal(out)
}
