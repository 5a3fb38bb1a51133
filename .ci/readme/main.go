// Command readme does what README.md tells its readers to do, in order, and
// fails where a reader would. CONTRIBUTING.md says how fences are marked.
//
//	go run ./.ci/readme -clone DIR -consumer DIR -ollama HOST:PORT -model NAME
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	module     = "github.com/evaltest/go-evaltest"
	nowhere    = "127.0.0.1:1" // no server listens here
	blockLimit = 10 * time.Minute
)

// A reader follows the README in a clone of the repository and in a module of
// their own.
type reader struct {
	clone, consumer string // directories
	ollama, model   string
	modules         string // the module cache, as a GOPROXY
}

func main() {
	var r reader
	flag.StringVar(&r.clone, "clone", "", "a clone that the commands may write into")
	flag.StringVar(&r.consumer, "consumer", "", "an empty directory for the reader's own module")
	flag.StringVar(&r.ollama, "ollama", "", "host:port of a running Ollama")
	flag.StringVar(&r.model, "model", "", "a model that this Ollama has")
	flag.Parse()
	if err := r.follow(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

func (r *reader) follow(ctx context.Context) error {
	if r.clone == "" || r.consumer == "" || r.ollama == "" || r.model == "" {
		return fmt.Errorf("-clone, -consumer, -ollama and -model are all needed")
	}
	readme, err := os.ReadFile(filepath.Join(r.clone, "README.md"))
	if err != nil {
		return err
	}
	blocks, err := parse(string(readme))
	if err != nil {
		return fmt.Errorf("README.md: %w", err)
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for _, b := range blocks {
		if err := r.do(ctx, b); err != nil {
			return fmt.Errorf("README.md:%d: %w", b.line, err)
		}
	}
	return nil
}

// prepare makes the consumer's module. It requires nothing yet: the README
// must say how. The replacement stands for the published module.
func (r *reader) prepare(ctx context.Context) error {
	cache, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	r.modules = "file://" + filepath.ToSlash(strings.TrimSpace(string(cache))) + "/cache/download"
	return r.bash(ctx, inConsumer, "go mod init example.com/shop/support\ngo mod edit -replace '"+module+"="+r.clone+"'\n")
}

func (r *reader) do(ctx context.Context, b block) error {
	if b.file != "" {
		fmt.Printf("-- README.md:%d  write %s\n", b.line, b.file)
		path := filepath.Join(r.consumer, b.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(b.text), 0o644)
	}
	fmt.Printf("-- README.md:%d  %s:\n%s", b.line, b.place, b.text)
	return r.bash(ctx, b.place, b.text)
}

func (r *reader) bash(ctx context.Context, where place, script string) error {
	ctx, cancel := context.WithTimeout(ctx, blockLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = r.consumer
	if where == inClone {
		cmd.Dir = r.clone
	}
	cmd.Env = append(r.env(where), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the commands failed (%s): %w", where, err)
	}
	return nil
}

// env is a reader's environment: not CI's, no proxy but the modules that are
// here already, and git sees the published repository in the clone.
func (r *reader) env(where place) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "CI=") || strings.HasPrefix(kv, "EVALTEST_") || strings.HasPrefix(kv, "OLLAMA_")
	})
	env = append(env, "GOPROXY="+r.modules, "GOSUMDB=off",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+r.clone+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+module)
	if where == withOllama {
		return append(env, "OLLAMA_HOST="+r.ollama, "EVALTEST_MODEL="+r.model)
	}
	return append(env, "OLLAMA_HOST="+nowhere)
}
