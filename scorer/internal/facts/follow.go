package facts

import "math"

// mostOperands is how many numbers of the evidence are tried with each other.
const mostOperands = 12

// Follows reports whether a number follows from those of texts by one step:
// the sum, the difference or the product of two, one as a share of another or
// as a change from it, the sum of all, or the years or days between two dates.
func (f Fact) Follows(texts ...string) bool {
	var values []float64
	var dates []date
	for _, t := range texts {
		for _, q := range stated(t) {
			if len(q.readings) > 0 && len(values) < mostOperands {
				values = append(values, q.readings[0])
			}
		}
		dates = append(dates, datesOf(t)...)
	}
	total := 0.
	for i, a := range values {
		total += a
		for _, b := range values[i+1:] {
			if f.isOneOf(a+b, a-b, a*b, 100*a/b, 100*b/a, a/b, b/a, 100*(a-b)/b, 100*(b-a)/a) {
				return true
			}
		}
	}
	if len(values) > 2 && f.isOneOf(total, total/float64(len(values))) {
		return true
	}
	for i, a := range dates {
		for _, b := range dates[i+1:] {
			if a.year > 0 && b.year > 0 && f.isOneOf(float64(a.year-b.year), math.Round(a.days()-b.days())) {
				return true
			}
		}
	}
	return false
}

func (f Fact) isOneOf(values ...float64) bool {
	for _, v := range values {
		for _, own := range f.quantity.readings {
			if !math.IsNaN(v) && !math.IsInf(v, 0) && f.quantity.near(own, v, false) {
				return true
			}
		}
	}
	return false
}
