package cassettes

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"gopkg.in/dnaeon/go-vcr.v3/cassette"
)

// Close ends the recording and writes the file, where there is something to
// write. passed says whether the test passed: in mode Update, calls that are
// no longer made are dropped only then. A file that would differ in its date
// alone is not touched.
//
// On an error the file stays as it was: errors wrap ErrIncomplete, ErrStatus,
// ErrSecret or ErrChanged, or are those of the file system. A second Close
// does nothing.
func (c *Cassette) Close(passed bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	f, err := c.recording(passed)
	if err == nil && f != nil {
		err = c.save(f)
	}
	if err != nil {
		return fmt.Errorf("cassettes: %s was not written: %w", c.path, err)
	}
	return nil
}

// recording gives the file that this run makes; nil where it makes none.
func (c *Cassette) recording(passed bool) (*file, error) {
	calls, err := c.recorded()
	if err != nil {
		return nil, err
	}
	kept, dropped := c.kept(passed)
	if len(calls) == 0 && dropped == 0 {
		return nil, nil
	}
	f := &file{
		Test:         c.options.Test,
		Recorded:     time.Now().UTC().Format(time.DateOnly),
		Interactions: append(kept, calls...),
	}
	if c.old != nil && f.Test == "" {
		f.Test = c.old.Test
	}
	if len(calls) == 0 {
		f.Recorded = c.old.Recorded
	}
	half := len(f.Interactions) / 2
	err = both(
		func() error { return clean(f.Interactions[:half], c.options.rules()) },
		func() error { return clean(f.Interactions[half:], c.options.rules()) },
	)
	f.sort()
	return f, err
}

// kept gives the calls of the old file that stay in it, and how many go: an
// update drops what was no longer asked for, if the test passed and made all
// its calls, and a recording everything that it could have made anew.
func (c *Cassette) kept(passed bool) (kept []*interaction, dropped int) {
	if c.old == nil {
		return nil, 0
	}
	for _, i := range c.old.Interactions {
		q := c.index[i.ask.key]
		replaced := c.options.Mode == Record && q != nil && q.asked > 0
		unused := c.options.Mode == Update && !i.used && passed && c.count > 0 && !c.options.Partial
		if replaced || unused {
			dropped++
		} else {
			kept = append(kept, i)
		}
	}
	return kept, dropped
}

// recorded gives the calls of this run that the file will hold. One that
// failed is left out where an equal one later went well: a retry.
func (c *Cassette) recorded() ([]*interaction, error) {
	var calls []*interaction
	var errs []error
	for n, out := range c.calls {
		retry := func(later *call) bool { return later.ask.key == out.ask.key && later.fine() }
		switch {
		case out.fine():
			calls = append(calls, out.interaction())
		case out.pending() || !slices.ContainsFunc(c.calls[n+1:], retry):
			errs = append(errs, out.problem())
		}
	}
	return calls, errors.Join(errs...)
}

// interaction gives the call in the form of the file, still to be cleaned.
func (c *call) interaction() *interaction {
	return &interaction{
		Label: c.label,
		ask:   c.ask,
		Interaction: cassette.Interaction{
			Request: cassette.Request{
				Method: c.ask.method, URL: c.url.String(), Headers: c.sent, Body: c.asked,
			},
			Response: cassette.Response{
				Code: c.code, Status: c.status, Headers: c.received, Body: c.body.String(),
			},
		},
	}
}
