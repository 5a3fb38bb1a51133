package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A block is a fenced block of README.md that CI acts on.
type block struct {
	line  int    // of the opening fence, from 1
	place place  // where its commands run; of a file: consumer
	file  string // the path that the text is written to; "" for commands
	text  string
}

// A place is where a block's commands run.
type place string

const (
	inClone    place = "clone"    // the root of a clone, offline
	inConsumer place = "consumer" // a module that uses this one, offline
	withOllama place = "ollama"   // the same module, with a real Ollama
)

var (
	directive = regexp.MustCompile(`^<!-- ci: (\S+)(?: (\S+))? -->$`)
	fence     = regexp.MustCompile("^```([a-z]*)$")
	output    = []string{"text", "yaml", "json"} // fences that show something and run nothing
)

// parse gives the blocks of a README in order. What it does not know is an
// error: no command in the README may stay unchecked.
func parse(readme string) ([]block, error) {
	var (
		blocks []block
		mark   []string // the directive that the next line's fence must take
		lang   string
		open   *block
	)
	lines := bufio.NewScanner(strings.NewReader(readme))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if open != nil {
			if line != "```" {
				open.text += line + "\n"
				continue
			}
			b, err := classify(*open, lang, mark)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", open.line, err)
			}
			if b.place != "" {
				blocks = append(blocks, b)
			}
			open, mark = nil, nil
			continue
		}
		if m := fence.FindStringSubmatch(line); m != nil {
			open, lang = &block{line: n}, m[1]
			continue
		}
		if mark != nil {
			return nil, fmt.Errorf("line %d: a ci comment must stand directly before a fence", n-1)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			return nil, fmt.Errorf("line %d: write a fence at the start of the line, as ``` and a language", n)
		}
		if mark = directive.FindStringSubmatch(line); mark == nil && strings.Contains(line, "<!-- ci:") {
			return nil, fmt.Errorf("line %d: not a ci comment that is known: %s", n, line)
		}
	}
	switch {
	case lines.Err() != nil:
		return nil, lines.Err()
	case open != nil:
		return nil, fmt.Errorf("line %d: the fence is never closed", open.line)
	case mark != nil:
		return nil, fmt.Errorf("a ci comment stands at the end, with no fence after it")
	case !slices.ContainsFunc(blocks, func(b block) bool { return b.file == "" }):
		return nil, fmt.Errorf("no sh fence: nothing to run")
	}
	return blocks, nil
}

// classify says what is done with a fence of the language, given the directive
// before it, if any. A fence that only shows something has no place.
func classify(b block, lang string, mark []string) (block, error) {
	var name, arg string
	if mark != nil {
		name, arg = mark[1], mark[2]
	}
	switch {
	case name == "file":
		if !filepath.IsLocal(arg) {
			return b, fmt.Errorf("%q is not a path inside the consumer's module", arg)
		}
		b.place, b.file = inConsumer, arg
	case lang == "go":
		return b, fmt.Errorf("a go fence needs <!-- ci: file NAME.go --> before it")
	case lang == "sh" && name == "":
		b.place = inClone
	case lang == "sh" && (name == string(inConsumer) || name == string(withOllama)) && arg == "":
		b.place = place(name)
	case name != "":
		return b, fmt.Errorf("<!-- ci: %s --> does not fit a %q fence", strings.TrimSpace(name+" "+arg), lang)
	case !slices.Contains(output, lang):
		return b, fmt.Errorf("fence of language %q: use sh for commands, go for code, or one of %v", lang, output)
	}
	return b, nil
}
