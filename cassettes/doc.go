// Package cassettes records HTTP calls in a file and replays them from it.
//
// A Cassette is an http.RoundTripper: put it in an http.Client, and the calls
// of that client are answered from the file, or go out and are recorded in
// it, as the Mode says. The file is a cassette of gopkg.in/dnaeon/go-vcr.v3,
// which go-vcr itself can load. Beyond go-vcr, calls are looked up through an
// index on what they ask, so that neither the host nor the order matters; a
// call that the file lacks is explained, with the nearest one that it has;
// streamed answers arrive while they are recorded, and are replayed piece by
// piece; and the file is written once, whole, without secrets.
//
// # Secrets
//
// What is recorded is a copy, from which these are taken out before a call is
// looked up: the host, the user info and all headers but a few; query
// parameters, form fields and JSON members that are named as secrets, also in
// JSON that a string holds; and the credentials that a call carries wherever
// its texts and its answer's repeat them, also split over the events of a
// stream, or compressed. Options.Redact takes out more. What still has the
// shape of a known kind of key is not written at all: see ErrSecret.
//
// The package knows nothing of testing: package evaltest opens and closes
// the cassette of a test.
package cassettes
