package scorer

import "unicode/utf8"

// shownOutput is what a call shows of the output: all of it, or, where that
// would take more than a quarter of the judge's window, the part that the
// claims stand in.
func (v *judgeVerifier) shownOutput(r VerifyRequest, claims []Claim) string {
	var spans []Span
	for _, c := range claims {
		spans = append(spans, c.Span)
	}
	return partOf(r.Output, spans, v.calls.window()/4)
}

// partOf is output, or what stands around the spans in it where all of it
// would take more than most tokens. With most 0 it is all of it.
func partOf(output string, spans []Span, most int) string {
	if most <= 0 || len(output) <= most || len(spans) == 0 || len(output) <= 4*most && estimate(output) <= most {
		return output
	}
	from, to := spans[0].Start, spans[0].End
	for _, s := range spans {
		from, to = min(from, s.Start), max(to, s.End)
	}
	margin := max(most-estimate(output[from:to]), 0) // a token has two bytes at least
	from, to = max(from-margin, 0), min(to+margin, len(output))
	for from > 0 && !utf8.RuneStart(output[from]) {
		from--
	}
	for to < len(output) && !utf8.RuneStart(output[to]) {
		to++
	}
	return output[from:to]
}
