package scorer

// Level is in a word how much of an output is bad.
type Level string

// The levels of a score as a share of its scale. The original scorer names
// the bands 0, 0.3–0.4, 0.5–0.6, 0.7–0.8 and 0.9–1.0 and leaves gaps; here
// each gap belongs to its nearer band, its middle to the worse one, and
// every score above 0 is at least Low.
const (
	LevelNone     Level = "none"     // 0
	LevelLow      Level = "low"      // above 0, below 0.45
	LevelModerate Level = "moderate" // from 0.45, below 0.65
	LevelHigh     Level = "high"     // from 0.65, below 0.85
	LevelComplete Level = "complete" // from 0.85
)

// Level gives the score's band, of what it lacks to the best where higher is
// better. A result without a scale has a scale of 1.
func (r *Result) Level() Level {
	share := r.Score
	if r.Scale > 0 {
		share /= r.Scale
	}
	if r.HigherIsBetter {
		share = 1 - share
	}
	switch {
	case share >= 0.85:
		return LevelComplete
	case share >= 0.65:
		return LevelHigh
	case share >= 0.45:
		return LevelModerate
	case share > 0:
		return LevelLow
	}
	return LevelNone
}
