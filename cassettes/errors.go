package cassettes

import "errors"

// What the errors of a Cassette can be told apart by, with errors.Is. A call
// that the file lacks is a *MissError, found with errors.As.
var (
	// ErrNoCassette: a call in mode Replay, and there is no file.
	ErrNoCassette = errors.New("no cassette")
	// ErrNotCassette: the file exists but cannot be read as a cassette.
	ErrNotCassette = errors.New("not a cassette")
	// ErrOtherTest: the file says that it belongs to another test.
	ErrOtherTest = errors.New("cassette of another test")
	// ErrClosed: a call after Close.
	ErrClosed = errors.New("cassette is closed")
	// ErrIncomplete: nothing was written, as a call did not end complete.
	ErrIncomplete = errors.New("recording is incomplete")
	// ErrStatus: nothing was written, as an answer's status is not 2xx and
	// not one of Options.Statuses.
	ErrStatus = errors.New("recording has an answer that is not 2xx")
	// ErrSecret: nothing was written, as the recording holds what looks like
	// a secret.
	ErrSecret = errors.New("recording holds a secret")
	// ErrChanged: nothing was written, as the file changed after it was
	// opened: another process recorded it too.
	ErrChanged = errors.New("cassette was changed meanwhile")
)
