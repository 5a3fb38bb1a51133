package scorer

import (
	"fmt"
	"math"
	"strconv"
)

// Bound is the limit that a score is held to. Its zero value holds no score.
type Bound struct {
	kind  string // "max" or "min"
	limit float64
}

// Max is a Bound that holds scores of at most x.
func Max(x float64) Bound { return Bound{"max", x} }

// Min is a Bound that holds scores of at least x.
func Min(x float64) Bound { return Bound{"min", x} }

// Holds reports whether score, unrounded, is within the bound. NaN never is.
func (b Bound) Holds(score float64) bool {
	switch b.kind {
	case "max":
		return score <= b.limit
	case "min":
		return score >= b.limit
	}
	return false
}

// IsMin reports whether the bound was made with Min: higher scores are better.
func (b Bound) IsMin() bool { return b.kind == "min" }

// Limit is the number that the bound was made with.
func (b Bound) Limit() float64 { return b.limit }

// Check reports, as an error, a limit that no score from 0 to scale can be
// held to in earnest: NaN, below 0 or above scale.
func (b Bound) Check(scale float64) error {
	switch {
	case b.kind == "":
		return fmt.Errorf("the bound is empty: make it with Max or Min")
	case math.IsNaN(b.limit):
		return fmt.Errorf("%s bound is NaN: give a number from 0 to %s", b.kind, number(scale))
	case b.limit < 0 || b.limit > scale:
		return fmt.Errorf("%s bound %s is outside the scorer's scale: give a number from 0 to %s", b.kind, number(b.limit), number(scale))
	}
	return nil
}

// String gives the bound as a condition: "<= 0.1".
func (b Bound) String() string {
	switch b.kind {
	case "max":
		return "<= " + number(b.limit)
	case "min":
		return ">= " + number(b.limit)
	}
	return "no bound"
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
