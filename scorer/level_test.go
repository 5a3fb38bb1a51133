package scorer

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLevelNamesTheSeedsBandsAndWhatLiesBetween(t *testing.T) {
	for score, want := range map[float64]Level{
		0: LevelNone, 0.004: LevelLow, 0.3: LevelLow, 0.4: LevelLow, 0.449: LevelLow,
		0.45: LevelModerate, 0.5: LevelModerate, 0.6: LevelModerate,
		0.65: LevelHigh, 0.7: LevelHigh, 0.8: LevelHigh,
		0.85: LevelComplete, 0.9: LevelComplete, 1: LevelComplete,
	} {
		assert.Equal(t, want, (&Result{Score: score}).Level(), "%v", score)
		assert.Equal(t, want, (&Result{Score: score * 10, Scale: 10}).Level(), "%v of 10", score)
	}
}

func TestBoundHoldsNothingThatIsNoScore(t *testing.T) {
	assert.False(t, Max(1).Holds(math.NaN()))
	assert.False(t, Min(0).Holds(math.NaN()))
	assert.False(t, Bound{}.Holds(0))
	assert.Error(t, Bound{}.Check(1))
	assert.NoError(t, Max(0).Check(1))
	assert.NoError(t, Min(1).Check(1))
	assert.Error(t, Max(math.Inf(1)).Check(1))
	assert.Equal(t, "no bound", Bound{}.String())
}
