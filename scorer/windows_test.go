package scorer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seeing is a judge with a window, made of a function that gives a verdict by
// what the prompt shows. It refuses prompts that do not fit, as a server does.
type seeing struct {
	window int
	see    func(n int, claim, shown string) (verdict string, quotes []string)
	counts func(string) int // tokens; nil: a quarter of the bytes
	sent   []Prompt
}

func (*seeing) Model() string        { return "seeing" }
func (j *seeing) ContextTokens() int { return j.window }

func (j *seeing) Generate(_ context.Context, p Prompt) (Reply, error) {
	counts := func(s string) int { return len(s) / 4 }
	if j.counts != nil {
		counts = j.counts
	}
	n := counts(p.System + p.User)
	if j.window > 0 && n+16 > j.window {
		return Reply{}, fmt.Errorf("%w: %d tokens", ErrPromptTooLong, n)
	}
	j.sent = append(j.sent, p)
	shown, ask, _ := strings.Cut(p.User, "Check these claims against the context:")
	var verdicts []string
	for _, m := range askedLine.FindAllStringSubmatch(ask, -1) {
		var number int
		_, _ = fmt.Sscan(m[2], &number)
		verdict, quotes := j.see(number, m[3], shown)
		text := opinionText(number, verdict, "", "so it seems")
		if len(quotes) > 0 {
			text = strings.Replace(text, `"evidence":[]`, `"evidence":["`+strings.Join(quotes, `","`)+`"]`, 1)
		}
		verdicts = append(verdicts, text)
	}
	return Reply{Text: verdictsText(verdicts...), Usage: Usage{PromptTokens: n}}, nil
}

// finds supports a claim where one of the sentences is shown, and quotes it.
func finds(sentences ...string) func(int, string, string) (string, []string) {
	return func(_ int, _, shown string) (string, []string) {
		for _, s := range sentences {
			if strings.Contains(shown, s) {
				return "supported", []string{s}
			}
		}
		return "unsupported", nil
	}
}

// padding is about n bytes of sentences on another matter.
func padding(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Warehouse %d stores copper wire and green paint for the northern district. ", 1000+i)
	}
	return b.String()
}

// decoys are sentences that share more words with a claim than its evidence.
func decoys(sentence string) string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "Note %d: %s ", 500+i, sentence)
	}
	return b.String()
}

var perSentence = HallucinationOptions{Claims: PerSentence}

// Rule 6: padding of any size and place does not hide a fact.
func TestPaddingHidesNoFact(t *testing.T) {
	for _, size := range []int{2_000, 20_000, 200_000, 1_000_000} {
		half := padding(size / 2)
		for place, passages := range map[string][]string{
			"in front":      {padding(size) + refundClaim},
			"behind":        {refundClaim + " " + padding(size)},
			"around":        {half + refundClaim + " " + half},
			"in a passage":  {half, refundClaim, half},
			"without a dot": {strings.ReplaceAll(half, ". ", " ") + "\n\n" + refundClaim + "\n\n" + half},
		} {
			t.Run(fmt.Sprint(size, " ", place), func(t *testing.T) {
				j := &seeing{window: 4096, see: finds(refundClaim)}
				r := mustScore(t, j, perSentence, "", refundClaim, passages...)
				assert.Zero(t, r.Score)
				assert.Equal(t, 1, r.Calls)
				assert.Equal(t, refundClaim, r.Verdicts[0].Evidence[0].Text)
			})
		}
	}
}

// What words cannot find, the windows do: all of the context is shown.
func TestFactThatNoWordsLeadToIsFoundInAWindow(t *testing.T) {
	const claim, fact = "Customers get refunds in two weeks.", "Money is paid back to customers after 14 days."
	near := decoys("Customers get two refunds in weeks, say some.")
	for name, c := range map[string]struct{ claim, fact string }{
		"nearer sentences say nothing": {claim, fact},
		"another script":               {"退款会在14天内发放。", refundClaim},
	} {
		t.Run(name, func(t *testing.T) {
			for _, passages := range [][]string{{near + padding(60_000) + c.fact}, {near + c.fact + " " + padding(60_000)}, {near + padding(30_000) + c.fact + " " + padding(30_000)}} {
				j := &seeing{window: 4096, see: finds(c.fact)}
				r := mustScore(t, j, perSentence, "", c.claim, passages...)
				assert.Zero(t, r.Score)
				assert.Equal(t, "settled", r.Verdicts[0].Source, "a window's find is confirmed")
				last := j.sent[len(j.sent)-1].User
				assert.Contains(t, last, c.fact)
				assert.Less(t, len(last), 2000, "the quote with its neighbours")
			}
		})
	}
}

func TestWindowsShowEverythingInOrderAndOverlap(t *testing.T) {
	passages := []string{padding(30_000), "| Plan | Fee |\n|---|---|\n" + strings.Repeat("| Basic | 9.50 |\n", 900), padding(5_000)}
	j := &seeing{window: 4096, see: finds("nothing")}
	mustScore(t, j, perSentence, "", "退款很快。", passages...)
	var windows []string
	for _, p := range j.sent {
		windows = append(windows, p.User)
	}
	at := 0
	for i := range 390 {
		want := fmt.Sprintf("Warehouse %d stores", 1000+i)
		for at < len(windows) && !strings.Contains(windows[at], want) {
			at++
		}
		require.Less(t, at, len(windows), "%s is shown, after what stands before it", want)
	}
	overlaps := 0
	for i := 1; i < len(windows); i++ {
		if strings.Contains(windows[i], "| Basic") {
			assert.Contains(t, windows[i], "| Plan | Fee |\n|---|---|\n| Basic", "rows stand under their header")
		}
		for k := range 390 {
			if s := fmt.Sprintf("Warehouse %d stores", 1000+k); strings.Contains(windows[i-1], s) && strings.Contains(windows[i], s) {
				overlaps++
				break
			}
		}
	}
	assert.GreaterOrEqual(t, overlaps, 2)
}

// Many windows are many chances to err: what one of them finds is confirmed.
func TestSixteenWindowsDoNotAddUpToFalseSupport(t *testing.T) {
	const runs = 60
	passed, windows := 0, 0
	for seed := range uint64(runs) {
		random := rand.New(rand.NewPCG(seed, 1))
		j := &seeing{window: 2048, see: func(_ int, _, shown string) (string, []string) {
			if random.Float64() < 0.05 {
				_, padded, _ := strings.Cut(shown, "Warehouse")
				return "supported", []string{padded[:60]}
			}
			return "unsupported", nil
		}}
		r := mustScore(t, j, perSentence, "", "Warehouse nine is open to all visitors on Sundays.", padding(80_000))
		windows += r.Calls
		if r.Score == 0 {
			passed++
		}
	}
	assert.Greater(t, windows, 16*runs)
	assert.LessOrEqual(t, passed, 8, "of %d runs: about what one call errs in, not sixteen", runs)
}

func TestEvidenceThatIsSplitOverWindowsIsGathered(t *testing.T) {
	const claim = "The Oslo shop of the Nilsen family closes at noon on Sundays."
	first, second := "The Nilsen family runs the Oslo shop.", "All shops in Oslo close at noon on Sundays."
	for name, quotes := range map[string]bool{"the windows quoted their parts": true, "they quoted nothing": false} {
		t.Run(name, func(t *testing.T) {
			j := &seeing{window: 2048, see: func(_ int, _, shown string) (string, []string) {
				a, b := strings.Contains(shown, first), strings.Contains(shown, second)
				switch {
				case a && b:
					return "supported", []string{first, second}
				case a && quotes:
					return "unsupported", []string{first}
				case b && quotes:
					return "unsupported", []string{second}
				}
				return "unsupported", nil
			}}
			near := ""
			if quotes {
				near = decoys("The Oslo shop of the Nilsen family is open on Sundays at noon, some say, but it closes.")
			}
			r := mustScore(t, j, perSentence, "", claim, near+padding(20_000)+first+" "+padding(20_000)+second+" "+padding(20_000))
			assert.Zero(t, r.Score)
			assert.Len(t, r.Verdicts[0].Evidence, 2)
		})
	}
}

// Support in one place and contradiction in another: one call sees both.
func TestSupersededStatementAndItsSuccessorEndInconclusive(t *testing.T) {
	const claim, old, successor = "The annual fee is 50 euros.", "The annual fee is 50 euros.", "Since May, members pay 70 euros as annual fee."
	near := decoys("What the annual fee is in euros is often asked, 50 times a day.")
	for name, c := range map[string]struct {
		passages []string
		weighs   bool // the judge, shown both, quotes both
		kind     Kind
	}{
		"far apart":            {[]string{near + padding(30_000) + old + " " + padding(30_000) + successor + " " + padding(30_000)}, false, Inconclusive},
		"the other way round":  {[]string{near + padding(30_000) + successor + " " + padding(30_000) + old + " " + padding(30_000)}, false, Inconclusive},
		"far apart, weighed":   {[]string{near + padding(30_000) + old + " " + padding(30_000) + successor}, true, Contradicted},
		"only the statement":   {[]string{near + padding(30_000) + old + " " + padding(30_000)}, false, Supported},
		"only the successor":   {[]string{near + padding(30_000) + successor + " " + padding(30_000)}, false, Contradicted},
		"in passages far away": {[]string{near, padding(30_000), old, padding(30_000), successor}, false, Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			j := &seeing{window: 4096, see: func(_ int, _, shown string) (string, []string) {
				isOld, isNew := strings.Contains(shown, old), strings.Contains(shown, successor)
				switch {
				case isOld && isNew && c.weighs:
					return "contradicted", []string{old, successor}
				case isOld:
					return "supported", []string{old}
				case isNew:
					return "contradicted", []string{successor}
				}
				return "unsupported", nil
			}}
			r := mustScore(t, j, perSentence, "", claim, c.passages...)
			assert.Equal(t, c.kind, r.Verdicts[0].Kind, "%+v", r.Verdicts[0])
		})
	}
}

func TestClaimsAboutAllOfTheContextNeedEveryWindow(t *testing.T) {
	exception := "Sale items are refunded after 90 days, by way of exception."
	context := refundClaim + " " + padding(60_000) + exception + " " + padding(3_000)
	see := func(_ int, _, shown string) (string, []string) {
		switch {
		case strings.Contains(shown, exception):
			return "contradicted", []string{exception}
		case strings.Contains(shown, refundClaim):
			return "supported", []string{refundClaim}
		}
		return "unsupported", nil
	}
	for claim, bad := range map[string]bool{
		"All refunds are issued within 14 days.":        true,
		"Refunds are only issued within 14 days.":       true,
		"Refunds are never issued later than 14 days.":  true,
		"Refunds are issued within 14 days, every one.": true,
		"Refunds are issued within 14 days.":            false, // the nearest sentences have settled it
	} {
		t.Run(claim, func(t *testing.T) {
			// The exception shares too little to be among the nearest.
			near := decoys("Refunds of all kinds are issued within 14 days only, and never later.")
			j := &seeing{window: 4096, see: see}
			r := mustScore(t, j, perSentence, "", claim, context+near)
			assert.Equal(t, bad, r.Verdicts[0].Bad())
		})
	}
}

func TestAbsenceIsSoughtInEveryWindow(t *testing.T) {
	claim := "The context does not mention gift cards."
	hidden := "A voucher may be given to a friend." // shares no word
	for name, c := range map[string]struct {
		context string
		kind    Kind
	}{
		"not there":         {padding(60_000), Supported},
		"in the last":       {padding(60_000) + "Gift vouchers in the form of cards are sold at the desk.", Contradicted},
		"in other words":    {padding(30_000) + hidden + " " + padding(30_000), Supported}, // a quote must share a word
		"named, overlooked": {padding(30_000) + "They sell gift cards. " + padding(30_000), Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			j := &seeing{window: 4096, see: finds("Gift vouchers in the form of cards are sold at the desk.", hidden)}
			r := mustScore(t, j, perSentence, "", claim, c.context)
			assert.Equal(t, c.kind, r.Verdicts[0].Kind, "%+v", r.Verdicts[0])
		})
	}
}

// A server counts tokens its own way: a prompt that it refuses is made smaller.
func TestPromptThatTheServerFindsTooLongIsHalved(t *testing.T) {
	dense := func(s string) int { return len(s) / 2 } // twice as many as estimated
	for name, j := range map[string]*seeing{
		"a window that is known":     {window: 4096, counts: dense},
		"a window that is not known": {window: 0},
		"a context just too long":    {window: 4096, counts: func(s string) int { return len(s) * 10 / 37 }},
	} {
		t.Run(name, func(t *testing.T) {
			j.see = finds(refundClaim)
			var judge Judge = j
			size := 60_000
			switch name {
			case "a window that is not known":
				judge = &limited{j, 8000}
			case "a context just too long":
				size = 12_500
			}
			for _, claim := range []string{refundClaim, "退款会在14天内发放。"} {
				r := mustScore(t, judge, perSentence, "", claim, padding(size)+refundClaim)
				assert.Zero(t, r.Score)
			}
		})
	}
	j := &seeing{window: 4096, see: finds(refundClaim), counts: func(string) int { return 9999 }}
	_, err := score(t, j, perSentence, "", refundClaim, padding(20_000))
	assert.ErrorIs(t, err, ErrPromptTooLong)
	_, err = score(t, &limited{&seeing{see: finds("")}, 10}, perSentence, "", refundClaim, padding(20_000))
	assert.ErrorIs(t, err, ErrPromptTooLong)
	_, err = score(t, &seeing{window: 4096, see: finds("")}, perSentence, padding(20_000), refundClaim, refundContext)
	assert.ErrorIs(t, err, ErrPromptTooLong, "a question that leaves no room")
}

// limited is a judge that does not tell its window.
type limited struct {
	judge *seeing
	bytes int
}

func (*limited) Model() string { return "limited" }

func (l *limited) Generate(ctx context.Context, p Prompt) (Reply, error) {
	if len(p.User) > l.bytes {
		return Reply{}, ErrPromptTooLong
	}
	return l.judge.Generate(ctx, p)
}

func TestLongOutputIsShownInParts(t *testing.T) {
	var output []string
	for i := range 400 {
		output = append(output, fmt.Sprintf("Locker number %d is painted green and it has a lock.", 100+i))
	}
	j := &seeing{window: 4096, see: func(_ int, claim, shown string) (string, []string) { return "supported", []string{claim} }}
	r := mustScore(t, j, perSentence, "", strings.Join(output, " "), strings.Join(output, " "))
	assert.Zero(t, r.Score)
	assert.Len(t, r.Claims, 400)
	for _, p := range j.sent {
		context, rest, ok := strings.Cut(p.User, "[answer")
		_, ask, ok2 := strings.Cut(rest, "Check these claims")
		require.True(t, ok && ok2)
		for _, m := range askedLine.FindAllStringSubmatch(ask, -1) {
			assert.Equal(t, 2, strings.Count(p.User, strings.TrimSuffix(m[3], "."))-strings.Count(context, m[3]), "in the answer's part and in the list")
		}
	}
}

func TestLongContextIsReadTheSameWayEachTime(t *testing.T) {
	var first []Prompt
	for range 3 {
		j := &seeing{window: 2048, see: finds("nothing")}
		mustScore(t, j, perSentence, "Is it so?", refundClaim+" Shipping is free in Norway. 退款很快。", padding(30_000), refundContext, padding(9_000))
		if first == nil {
			first = j.sent
		}
		require.True(t, slices.EqualFunc(first, j.sent, func(a, b Prompt) bool { return a.User == b.User && string(a.Schema) == string(b.Schema) }))
	}
}
