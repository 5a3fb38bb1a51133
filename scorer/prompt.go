package scorer

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"
)

// The steps of the scorers. A changed prompt or schema gets the
// next number, so that recordings of the old one say what they are.
const (
	stepClaims   = "hallucination/claims@1"
	stepVerdicts = "hallucination/verdicts@1"
	stepReason   = "hallucination/reason@1"

	stepStatements = "relevancy/statements@1"
	stepRelevancy  = "relevancy/verdicts@1"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// promptText holds each step's template file, parsed once.
var promptText = map[string]*template.Template{
	stepClaims:   parsePrompt("prompts/claims.txt"),
	stepVerdicts: parsePrompt("prompts/verdicts.txt"),
	stepReason:   parsePrompt("prompts/reason.txt"),

	stepStatements: parsePrompt("prompts/statements.txt"),
	stepRelevancy:  parsePrompt("prompts/relevancy.txt"),
}

func parsePrompt(file string) *template.Template {
	return template.Must(template.ParseFS(promptFiles, file))
}

// prompt fills a step's template: the rules go into the system message, the
// texts and what is asked about them into the user's.
func prompt(step string, data any, schema json.RawMessage, maxTokens int) Prompt {
	return Prompt{
		Step:      step,
		System:    section(step, "system", nil),
		User:      section(step, "user", data),
		Schema:    schema,
		MaxTokens: maxTokens,
		Seed:      1,
	}
}

func section(step, name string, data any) string {
	var b strings.Builder
	if err := promptText[step].ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the templates are ours and are tested
	}
	return strings.TrimSpace(b.String())
}

// tokens estimates how many tokens a text has: a Latin word piece is about
// four bytes, other scripts take about a token a character.
func tokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return ascii/4 + other + 1
}
