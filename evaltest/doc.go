// Package evaltest fails a test when an answer of a language model says
// something that its context does not support.
//
//	func TestRefundAnswer(t *testing.T) {
//		answer := support.Answer("How long do refunds take?")
//		evaltest.AssertNoHallucination(t, answer, []string{"Refunds are issued within 14 days."}, 0)
//	}
//
// A judge, which is a language model too, decides. Its calls are recorded in
// testdata/cassettes, one file a test, and replayed from then on: no network,
// no model, the same verdict each time. When the answer changes, so does the
// judge's request; the test then fails, shows the difference and prints the
// command that records anew.
//
// The environment is the switch, so that go test ./... works in packages that
// know nothing of it:
//
//	EVALTEST_MODE   auto, replay, record, update or live; see Mode
//	EVALTEST_MODEL  the judge's model; llama3.2 where it is not set
//	OLLAMA_HOST     the Ollama server, by Ollama's own rules
//
// An option of the call wins over the environment, which wins over what Main
// sets, which wins over what is built in.
package evaltest
