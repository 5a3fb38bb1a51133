package evaltest

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/evaltest/go-evaltest/cassettes"
)

// recording is the cassette of one test, shared by whatever asks in it.
type recording struct {
	*cassettes.Cassette
	test    string // whose cassette it is
	shown   string // its path as a reader would type it
	options cassettes.Options
	set     settings
	holders int // cleanups that are still to come
}

// recordings are the open cassettes by absolute path, and the test that each
// path belongs to for as long as the process runs.
var recordings = struct {
	sync.Mutex
	open  map[string]*recording
	owner map[string]string
}{open: map[string]*recording{}, owner: map[string]string{}}

// workingDir is resolved once: a test that changes directory still finds its
// cassette.
var workingDir = sync.OnceValues(os.Getwd)

// record opens the test's cassette, or joins it where it is open, until the
// test's cleanup.
func record(t TestingT, s settings) (*recording, error) {
	wd, err := workingDir()
	if err != nil {
		return nil, fmt.Errorf("the working directory is gone: %w", err)
	}
	name := s.cassette
	if name == "" {
		name = t.Name()
	}
	shown := filepath.Join(s.dir, filepath.FromSlash(cassettes.FileName(name)))
	path, dir := absolute(wd, shown), absolute(wd, s.dir)
	o := cassettes.Options{
		Mode: Mode(s.mode.value), Test: t.Name(), Dir: dir, Transport: outgoing{s.transport}, Statuses: s.statuses,
		Repeat: repeats(t), Partial: runsAPart(t.Name()), Redact: s.redact, Ignore: s.ignore,
	}

	recordings.Lock()
	defer recordings.Unlock()
	if owner, taken := recordings.owner[path]; taken && owner != t.Name() {
		return nil, fmt.Errorf("cassette %s belongs to %s in this run: two tests cannot share one; leave WithCassette out or give another name", shown, owner)
	}
	r := recordings.open[path]
	if r == nil {
		c, err := cassettes.Open(path, o)
		if err != nil {
			return nil, err
		}
		r = &recording{Cassette: c, test: t.Name(), shown: filepath.ToSlash(shown), options: o, set: s}
		recordings.open[path], recordings.owner[path] = r, t.Name()
	} else if !same(r.options, o) {
		return nil, fmt.Errorf("cassette %s is open already with other options: give WithMode, WithTransport, WithStatuses, WithRedact and WithIgnore alike in all calls of one test", shown)
	}
	r.holders++
	t.Cleanup(func() { r.release(t, path) })
	return r, nil
}

func absolute(wd, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(wd, path)
}

// runsAPart reports whether go test was told to run some of a test's subtests
// and not others, so that the test makes a part of its calls.
func runsAPart(test string) bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && selectsWithin(test, f.Value.String()) {
			return true
		}
	}
	return false
}

// selectsWithin reports whether a pattern of go test has a part for subtests
// of a test.
func selectsWithin(test, pattern string) bool {
	return strings.Count(pattern, "/") > strings.Count(test, "/")
}

// release closes the cassette when the last holder lets go of it.
func (r *recording) release(t TestingT, path string) {
	t.Helper()
	recordings.Lock()
	r.holders--
	last := r.holders == 0
	if last {
		delete(recordings.open, path)
	}
	recordings.Unlock()
	if !last {
		return
	}
	before := r.Recorded()
	failed := t.Failed()
	switch err := r.Close(!failed); {
	case err != nil && failed: // the test has said why; a second failure would bury it
		t.Logf("evaltest: nothing was recorded: %v", err)
		return
	case err != nil:
		fail(t, report{first: "the recording was not written: " + err.Error(), foot: footOf(t, r)}.String())
		return
	}
	if before == "" && r.Recorded() != "" && !r.Replaying() {
		t.Logf("evaltest: recorded %s: commit it", r.shown)
	}
}

func same(a, b cassettes.Options) bool {
	return a.Mode == b.Mode && slices.Equal(a.Statuses, b.Statuses) && slices.Equal(a.Ignore, b.Ignore) &&
		(a.Redact == nil) == (b.Redact == nil) && sameTransport(a.Transport, b.Transport)
}

// sameTransport takes two of a type that cannot be compared, such as
// functions, for the same.
func sameTransport(a, b http.RoundTripper) bool {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if !va.IsValid() || !vb.IsValid() || va.Type() != vb.Type() {
		return va.IsValid() == vb.IsValid() && !va.IsValid()
	}
	return !va.Comparable() || va.Equal(vb)
}

// repeats: a benchmark asks the same thing many times.
func repeats(t TestingT) bool {
	_, ok := t.(interface{ Loop() bool })
	return ok
}

type recordingKey struct{}

// RoundTrip makes a call through the cassette that the call's context carries,
// an item's of a batch, or else through this one.
func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	if of, ok := req.Context().Value(recordingKey{}).(*recording); ok {
		return of.Cassette.RoundTrip(req)
	}
	return r.Cassette.RoundTrip(req)
}

// client makes its calls through the cassette.
func (r *recording) client() *http.Client { return &http.Client{Transport: r} }

// host is the server of the judge's calls: nil for the one that the
// environment names. A replay needs none and does not look.
func (r *recording) host() *url.URL {
	if r.Replaying() && r.options.Mode != Update {
		return &url.URL{Scheme: "http", Host: "recorded.invalid"}
	}
	return nil
}

// recordingOf finds the open cassette that a test's calls went through: its
// own, or that of the test it is a part of.
func recordingOf(test string) *recording {
	recordings.Lock()
	defer recordings.Unlock()
	var found *recording
	for _, r := range recordings.open {
		if (r.test == test || strings.HasPrefix(test, r.test+"/")) && (found == nil || len(r.test) > len(found.test)) {
			found = r
		}
	}
	return found
}

// Client returns a client whose calls this test records and replays, for the
// calls that the system under test makes itself.
func Client(t TestingT, opts ...Option) *http.Client {
	t.Helper()
	s, err := resolve("Client", onCassette|onRecording, opts)
	if err == nil {
		var r *recording
		if r, err = record(t, s); err == nil {
			return &http.Client{Transport: advising{r, t}}
		}
	}
	fail(t, noScore("Client", err, t, nil))
	t.FailNow()
	return &http.Client{Transport: broken{err}} // for a FailNow that returns
}

// advising ends the error of a call that is not recorded with the commands
// that record it: what a test prints of the error is all that its reader sees.
type advising struct {
	*recording
	t TestingT
}

func (a advising) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := a.recording.RoundTrip(req)
	var miss *cassettes.MissError
	if errors.As(err, &miss) || errors.Is(err, cassettes.ErrNoCassette) {
		err = fmt.Errorf("%w\nupdate     %s\nre-record  %s", err, a.recordAs(Update, a.t), a.recordAs(Record, a.t))
	}
	return resp, err
}

// broken fails every call: a test that goes on after FailNow makes none.
type broken struct{ err error }

func (b broken) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.Join(errors.New("evaltest: no client was made"), b.err)
}
