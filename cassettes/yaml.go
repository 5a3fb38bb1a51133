package cassettes

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const indent = 2

// marshal writes a node as a YAML document.
func marshal(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(indent)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// text gives s as a scalar that loads as s, byte for byte: the most readable
// of the forms that prove it. yaml.v3 writes some texts so that they load
// otherwise, or not at all: some that start with a line break, a tab or U+2028.
func text(s string) *yaml.Node {
	if utf8.ValidString(s) {
		forms := []yaml.Style{0, yaml.DoubleQuotedStyle}
		if strings.Contains(s, "\n") {
			forms[0] = yaml.LiteralStyle
		}
		for _, form := range forms {
			n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: form}
			if loadsAs(n, s) {
				return n
			}
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!binary", Value: base64.StdEncoding.EncodeToString([]byte(s))}
}

// loadsAs writes n as deep as the body of a call stands in a cassette, with
// text after it, and reads it back.
func loadsAs(n *yaml.Node, s string) bool {
	if n.Style == 0 && isPlain(s) {
		return true
	}
	data, err := marshal(mapping("list", list(mapping("call", mapping("text", n, "next", number(1))))))
	if err != nil {
		return false
	}
	var back struct {
		List []struct {
			Call struct {
				Text string
				Next int
			}
		}
	}
	err = yaml.Unmarshal(data, &back)
	return err == nil && len(back.List) == 1 && back.List[0].Call.Text == s && back.List[0].Call.Next == 1
}

// isPlain reports whether s is a word or path that needs no proof.
func isPlain(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-@") == ""
}

func number(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(n)}
}

func list(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// mapping gives a mapping of names and nodes, in their order.
func mapping(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(pairs); i += 2 {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: pairs[i].(string)}, pairs[i+1].(*yaml.Node))
	}
	return n
}
