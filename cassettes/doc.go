// Package cassettes records HTTP calls in a file and replays them from it.
//
// A Cassette is an http.RoundTripper: put it in an http.Client, and the calls
// of that client are answered from the file, or go out and are recorded in
// it, as the Mode says. The file is a cassette of gopkg.in/dnaeon/go-vcr.v3,
// which go-vcr itself can load. Beyond go-vcr, calls are looked up through an
// index on what they ask, so that neither the host nor the order matters; a
// call that the file lacks is explained, with the nearest one that it has;
// streamed answers arrive while they are recorded; and the file is written
// once, whole, without secrets.
//
// The package knows nothing of testing: package evaltest opens and closes
// the cassette of a test.
package cassettes
