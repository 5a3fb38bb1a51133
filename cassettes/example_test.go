package cassettes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/evaltest/go-evaltest/cassettes"
)

// model stands for the server of a model.
type model struct{}

func (model) RoundTrip(req *http.Request) (*http.Response, error) {
	fmt.Println("the model is called")
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"text/plain"}},
		Body: io.NopCloser(strings.NewReader("within 14 days")), ContentLength: -1,
	}, nil
}

// ask makes one call through a cassette that has or records the answer.
func ask(ctx context.Context, c *cassettes.Cassette, question string) {
	if err := try(ctx, c, question); err != nil {
		panic(err)
	}
}

// try makes one call through a cassette and prints the answer.
func try(ctx context.Context, c *cassettes.Cassette, question string) error {
	req, err := http.NewRequestWithContext(ctx, "POST", "http://localhost:11434/api/chat", strings.NewReader(question))
	if err != nil {
		return err
	}
	client := &http.Client{Transport: c}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	fmt.Printf("%s\n", answer)
	return err
}

// open opens a cassette that cannot fail to open.
func open(path string, o cassettes.Options) *cassettes.Cassette {
	c, err := cassettes.Open(path, o)
	if err != nil {
		panic(err)
	}
	return c
}

func tempDir() string {
	dir, err := os.MkdirTemp("", "cassettes")
	if err != nil {
		panic(err)
	}
	return dir
}

func ExampleOpen() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, cassettes.FileName("TestRefund"))

	for run := range 2 {
		c, err := cassettes.Open(path, cassettes.Options{Test: "TestRefund", Transport: model{}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("run %d replays: %v\n", run+1, c.Replaying())
		ask(context.Background(), c, "How long do refunds take?")
		if err := c.Close(true); err != nil {
			panic(err)
		}
	}
	// Output:
	// run 1 replays: false
	// the model is called
	// within 14 days
	// run 2 replays: true
	// within 14 days
}

func ExampleCassette_RoundTrip() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	c := open(filepath.Join(dir, "x.yaml"), cassettes.Options{Mode: cassettes.Live, Transport: model{}})
	defer c.Close(true)

	client := &http.Client{Transport: c}
	resp, err := client.Get("http://localhost:11434/api/tags")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output:
	// the model is called
	// 200 OK
}

func ExampleCassette_Close() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	c := open(filepath.Join(dir, "x.yaml"), cassettes.Options{Mode: cassettes.Record, Transport: model{}})

	ask(context.Background(), c, "My key is AKIA"+"ABCDEFGH12345678")
	err := c.Close(true)
	fmt.Println("a secret:", errors.Is(err, cassettes.ErrSecret))

	err = try(context.Background(), c, "Are you still there?")
	fmt.Println("closed:", errors.Is(err, cassettes.ErrClosed))
	// Output:
	// the model is called
	// within 14 days
	// a secret: true
	// closed: true
}

func ExampleCassette_Replaying() {
	c := open("testdata/no-such-file.yaml", cassettes.Options{Mode: cassettes.Replay})
	err := try(context.Background(), c, "How long do refunds take?")
	fmt.Println(c.Replaying(), errors.Is(err, cassettes.ErrNoCassette))
	// Output: true true
}

func ExampleCassette_Recorded() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.yaml")
	file := "version: 2\nrecorded: 2026-12-01\ninteractions: []\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		panic(err)
	}
	fmt.Println(open(path, cassettes.Options{}).Recorded())
	// Output: 2026-12-01
}

func ExampleCassette_Path() {
	fmt.Println(open("testdata/x.yaml", cassettes.Options{}).Path())
	// Output: testdata/x.yaml
}

func ExampleWithLabel() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.yaml")
	c := open(path, cassettes.Options{Transport: model{}})
	ask(cassettes.WithLabel(context.Background(), "support/answer@1"), c, "How long do refunds take?")
	if err := c.Close(true); err != nil {
		panic(err)
	}

	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(strings.TrimSpace(line), "label:") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// the model is called
	// within 14 days
	// label: support/answer@1
}

// refusal is a server that refuses what is long.
type refusal struct{}

func (refusal) RoundTrip(req *http.Request) (*http.Response, error) {
	status := http.StatusOK
	if req.ContentLength > 40 {
		status = http.StatusBadRequest
	}
	return &http.Response{StatusCode: status, Body: http.NoBody}, nil
}

func ExampleWithKeep() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	c := open(filepath.Join(dir, "x.yaml"), cassettes.Options{Transport: refusal{}})
	ctx, keep := cassettes.WithKeep(context.Background())
	for _, question := range []string{"How long do refunds take, and what is shipping?", "How long do refunds take?"} {
		body := strings.NewReader(question)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:11434/api/chat", body)
		if err != nil {
			panic(err)
		}
		resp, err := c.RoundTrip(req)
		if err != nil {
			panic(err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusBadRequest {
			keep() // it is asked again, in less words
		}
	}
	fmt.Println(c.Close(true))
	// Output: <nil>
}

func ExampleMissError_Error() {
	dir := tempDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.yaml")
	c := open(path, cassettes.Options{Transport: model{}})
	ask(context.Background(), c, "How long\ndo refunds take?")
	if err := c.Close(true); err != nil {
		panic(err)
	}

	c = open(path, cassettes.Options{Mode: cassettes.Replay})
	err := try(context.Background(), c, "How long\ndo refunds\nfor shoes take?")
	var miss *cassettes.MissError
	if errors.As(err, &miss) {
		lines := strings.Split(miss.Error(), "\n")
		fmt.Println(lines[0])
		fmt.Println(strings.Join(lines[2:], "\n"))
	}
	// Output:
	// the model is called
	// within 14 days
	// call 1 (POST /api/chat) is not in the recording: its body has changed
	// nearest    interaction 0 of 1 (POST /api/chat); - is recorded, + is now
	// body:
	//   @@ -1,2 +1,3 @@
	//    How long
	//   -do refunds take?
	//   +do refunds
	//   +for shoes take?
}

func ExampleParseMode() {
	mode, err := cassettes.ParseMode("replay")
	fmt.Println(mode, err)
	_, err = cassettes.ParseMode("reply")
	fmt.Println(err)
	// Output:
	// replay <nil>
	// unknown mode "reply": the modes are auto, replay, record, update, live
}

func ExampleFileName() {
	fmt.Println(cassettes.FileName("TestRefund/late_delivery#01"))
	fmt.Println(cassettes.FileName("TestRefund/../退款"))
	// Output:
	// TestRefund/late_delivery#01.yaml
	// TestRefund/_-572ff584/_-572ff584.yaml
}
