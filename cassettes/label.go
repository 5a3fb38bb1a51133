package cassettes

import "context"

type labelKey struct{}

// WithLabel gives the calls made with the returned context a label, which
// the file keeps beside each of them: the step that a call is for and the
// version of its prompt, such as "hallucination/verdicts@1". A label is no
// part of what a call is looked up by; it explains a miss and orders the file.
func WithLabel(ctx context.Context, label string) context.Context {
	return context.WithValue(ctx, labelKey{}, label)
}

func labelOf(ctx context.Context) string {
	label, _ := ctx.Value(labelKey{}).(string)
	return label
}
