package cassettes

import (
	"context"
	"slices"
	"sync"
)

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

type keepKey struct{}

// keeping lists the calls of a context whose answers may be kept.
type keeping struct {
	mu    sync.Mutex
	calls []keepable
}

type keepable struct {
	of   *Cassette
	call *call
}

// WithKeep returns a context and a function for a caller that learns only from
// an answer whether it is of use: keep lets recordings hold what the calls made
// with the context were answered, whatever the status. A model's server that
// refuses a prompt as too long, which is then sent in parts, is an example. A call that
// was made again, and then answered 2xx, is left out.
func WithKeep(ctx context.Context) (_ context.Context, keep func()) {
	k := &keeping{}
	return context.WithValue(ctx, keepKey{}, k), k.keep
}

func (k *keeping) keep() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, c := range k.calls {
		c.of.mu.Lock()
		again := slices.ContainsFunc(k.calls[i+1:], func(later keepable) bool {
			return later.of == c.of && later.call.ask.key == c.call.ask.key && later.call.code/100 == 2
		})
		c.call.wanted = c.call.wanted || c.call.answered && !again
		c.of.mu.Unlock()
	}
}

// keepable notes a call that the caller may want to be kept.
func (c *Cassette) keepable(ctx context.Context, out *call) {
	if k, ok := ctx.Value(keepKey{}).(*keeping); ok {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.calls = append(k.calls, keepable{c, out})
	}
}
