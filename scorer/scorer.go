// Package scorer judges what a language model wrote. NewHallucination makes
// the scorer that package evaltest asserts with; it can also be used without
// a test. The package knows nothing of testing and nothing of recordings: a
// Judge makes the calls, and what HTTP client it makes them with is its own
// affair.
//
// # What a score costs
//
// In calls, and tokens of their prompts at four bytes each, with a window of
// 8192 tokens: as it is by default, with claims PerSentence, and with
// NoSecondLook too. Claims are judged ten a call. Bad ones and those in doubt
// are looked at once more, in one call. Of a context that does not fit the
// window, the sentences nearest to each claim are shown; the claims that those
// do not settle are taken through all of it.
//
//	                                                     default   PerSentence  NoSecondLook
//	                                               calls  tokens calls  tokens calls  tokens
//	clean: 5 sentences, context of 1 kB                2    1100     1     800     1     800
//	failing: one of them is bad                        3    1600     2    1300     1     800
//	long: 40 clean sentences, context of 4 kB          6    8700     4    8800     4    8800
//	long and failing: one of them is bad               7    9200     5    9800     4    8700
//	long context: 5 clean sentences, 210 kB            2    1000     1     600     1     600
//	long context and failing: one of them is bad      13   66400    12   67100    11   66600
//
// A score on average, where half of the answers are bad and a judge gives the
// right verdicts; the second line was measured once, on 360 items of four
// public data sets. With Votes it costs up to Votes times the verdicts' share.
//
//	                                             second looks       without
//	                                               calls  tokens calls  tokens
//	the labelled cases of package fixtures           2.3     770   1.8     580
//	items in English (300) and Chinese (60)          2.6    1330   2.0    1020
//
// # Numbers and names
//
// Numbers, dates, quantities, units and names of a claim are looked for in
// context and question by code, at the precision they are stated with. On the
// items above, with all claims of an output taken together, what it did not
// find was wrong each time: 43 of 150 bad outputs in English and 8 of 30 in
// Chinese had such a number or name, and none of 180 right ones.
//
// # Hostile text
//
// Output, context and question are data. Each stands in the prompt between
// markers made from its own hash, and text that speaks to a model is not shown
// to the judge at all: orders to ignore instructions or to call claims
// supported, role play, fake turns, verdicts and fences, the tokens of chat
// templates, in English and Chinese, also in look-alike or invisible letters
// and in base64. In the output such a sentence counts as an unsupported claim;
// of context and question it is listed in Result.Withheld. A quote that only
// gives a verdict is no evidence.
//
// What cannot be promised: that orders in other languages, ciphers or pictures,
// or in words that nobody has thought of, are recognised. A judge that obeys
// one must still quote a sentence of the context with a word of the claim, and
// a precise number must be in the context; a false claim that differs from such
// a sentence in other words can then pass. Nor is a lie told as a plain
// statement an attack: a context that says a thing supports it. And a context
// that is about attacks on models, or quotes them, loses those sentences as
// evidence: accept such claims with Allow.
package scorer

import "context"

// Scorer gives a run a score. Func and NewCustom make one of your own.
type Scorer interface {
	// ID names the scorer in reports: "hallucination".
	ID() string
	// Score judges run. An error means that there is no score, never that
	// the score is good or bad.
	Score(ctx context.Context, run Run) (*Result, error)
}

// Verifier gives every claim a verdict against the passages: one for each,
// paired by Verdict.Claim. NewHallucination makes one from its Judge;
// specialist models and checks in code implement it themselves.
type Verifier interface {
	Verify(ctx context.Context, r VerifyRequest) ([]Verdict, error)
}

// VerifyRequest is what a Verifier judges. Where a text speaks to a model it
// has blanks; offsets stay.
type VerifyRequest struct {
	Question, Output string
	Passages         []string
	Claims           []Claim
}
