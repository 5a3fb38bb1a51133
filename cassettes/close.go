package cassettes

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
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
	if c.file != nil && f.Test == "" {
		f.Test = c.file.Test
	}
	if len(calls) == 0 {
		f.Recorded = c.file.Recorded
	}
	for _, i := range f.Interactions {
		i.clean()
	}
	f.sort()
	return f, f.checkSecrets()
}

// kept gives the calls of the old file that an update keeps, and how many it
// drops: what was no longer asked for, if the test passed and made calls.
func (c *Cassette) kept(passed bool) (kept []*interaction, dropped int) {
	if c.options.Mode != Update || c.file == nil {
		return nil, 0
	}
	for _, i := range c.file.Interactions {
		if passed && c.count > 0 && !i.used {
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
				Method: c.ask.method, Headers: c.request,
			},
			Response: cassette.Response{
				Code: c.code, Status: c.status, Headers: c.response, Body: c.body.String(),
			},
		},
	}
}

// save writes the file unless what is there differs in the date alone.
func (c *Cassette) save(f *file) error {
	now, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there, err := decode(now); err == nil {
		if same, err := f.encode(there.Recorded); err == nil && bytes.Equal(same, now) {
			c.date = there.Recorded
			return nil
		}
	}
	data, err := f.encode(f.Recorded)
	if err != nil {
		return err
	}
	err = replace(c.path, data, c.opened == nil, func(temp string) error {
		if err := verify(temp, f); err != nil {
			return err
		}
		if now, err := os.ReadFile(c.path); err == nil && !bytes.Equal(now, c.opened) {
			return fs.ErrExist
		}
		return nil
	})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: another process wrote it while this one recorded; run one at a time", ErrChanged)
	}
	if err == nil {
		c.date = f.Recorded
	}
	return err
}

// verify loads the file as go-vcr does and compares it with what was recorded.
func verify(path string, f *file) error {
	loaded, err := cassette.Load(strings.TrimSuffix(path, ".yaml"))
	if err != nil {
		return fmt.Errorf("the recording does not load again: %w", err)
	}
	if len(loaded.Interactions) != len(f.Interactions) {
		return fmt.Errorf("the recording loads with %d calls instead of %d", len(loaded.Interactions), len(f.Interactions))
	}
	for n, i := range f.Interactions {
		l := loaded.Interactions[n]
		if l.Request.Method != i.Request.Method || l.Request.URL != i.Request.URL || l.Request.Body != i.Request.Body ||
			l.Response.Code != i.Response.Code || l.Response.Body != i.Response.Body {
			return fmt.Errorf("the recording of %s does not load as it was", i.ask.name(i.Label))
		}
	}
	return nil
}
