package cassettes

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := map[string]string{
		"TestRefund":                       `TestRefund\.yaml`,
		"TestRefund/late#01":               `TestRefund/late#01\.yaml`,
		"TestRefund/a_b-c.d":               `TestRefund/a_b-c\.d\.yaml`,
		"Test" + long[:96]:                 "Test" + long[:96] + `\.yaml`,
		"Test" + long:                      "Test" + long[:87] + `-[0-9a-f]{8}\.yaml`,
		"TestRefund/退款":                    `TestRefund/_-[0-9a-f]{8}\.yaml`,
		"TestRefund/a:b\\c*d":              `TestRefund/a_b_c_d-[0-9a-f]{8}\.yaml`,
		"TestRefund/a//b":                  `TestRefund/a/_-[0-9a-f]{8}/b\.yaml`,
		"TestRefund/../../x":               `TestRefund/_-[0-9a-f]{8}/_-[0-9a-f]{8}/x\.yaml`,
		"/etc/passwd":                      `_-[0-9a-f]{8}/etc/passwd\.yaml`,
		"..":                               `_-[0-9a-f]{8}\.yaml`,
		"":                                 `_-[0-9a-f]{8}\.yaml`,
		"Test/CON":                         `Test/CON-[0-9a-f]{8}\.yaml`,
		"Test/nul.txt":                     `Test/nul_txt-[0-9a-f]{8}\.yaml`,
		"Test/Com1":                        `Test/Com1-[0-9a-f]{8}\.yaml`,
		"Test/console":                     `Test/console\.yaml`,
		"Test/a b":                         `Test/a_b-[0-9a-f]{8}\.yaml`,
		"Test/a\tb":                        `Test/a_b-[0-9a-f]{8}\.yaml`,
		"Test/_":                           `Test/_\.yaml`,
		"Test/🙂":                           `Test/_-[0-9a-f]{8}\.yaml`,
		"Test/é":                           `Test/_-[0-9a-f]{8}\.yaml`,
		"Test/e\u0301":                     `Test/e_-[0-9a-f]{8}\.yaml`,
		"Test/\xff":                        `Test/_-[0-9a-f]{8}\.yaml`,
		"Test/a\x00b":                      `Test/a_b-[0-9a-f]{8}\.yaml`,
		"Test/case":                        `Test/case\.yaml`,
		"Test/Case":                        `Test/Case\.yaml`,
		"Test/" + long + long + long:       "Test/" + long[:91] + `-[0-9a-f]{8}\.yaml`,
		"Test/" + strings.Repeat("退", 300): `Test/_-[0-9a-f]{8}\.yaml`,
		"T/a":                              `T/a\.yaml`,
		"T/a.yaml":                         `T/a_yaml-[0-9a-f]{8}\.yaml`,
		"T/a.yaml/b":                       `T/a_yaml-[0-9a-f]{8}/b\.yaml`,
		"T/a/b":                            `T/a/b\.yaml`,
		"T/.":                              `T/_-[0-9a-f]{8}\.yaml`,
		"T/.hidden":                        `T/\.hidden\.yaml`,
		"T/-run":                           `T/-run\.yaml`,
		"T/#00":                            `T/#00\.yaml`,
		"T/lpt9.x.y":                       `T/lpt9_x_y-[0-9a-f]{8}\.yaml`,
		"T/PRN":                            `T/PRN-[0-9a-f]{8}\.yaml`,
		"T/aux":                            `T/aux-[0-9a-f]{8}\.yaml`,
		"T/com10":                          `T/com10\.yaml`,
		"T/a|b<c>d?e\"f":                   `T/a_b_c_d_e_f-[0-9a-f]{8}\.yaml`,
		"T/$HOME;rm":                       `T/_HOME_rm-[0-9a-f]{8}\.yaml`,
		"T/a/":                             `T/a/_-[0-9a-f]{8}\.yaml`,
		"Test/x.":                          `Test/x_-[0-9a-f]{8}\.yaml`,
		"Test/x.YAML/y":                    `Test/x_YAML-[0-9a-f]{8}/y\.yaml`,
	}
	for test, want := range tests {
		assert.Regexp(t, "^"+want+"$", FileName(test), test)
	}
	assert.NotEqual(t, FileName("Test/a b"), FileName("Test/a:b"))
	assert.NotEqual(t, FileName("Test/a:b/x"), FileName("Test/a:b/y"))
}

func FuzzFileName(f *testing.F) {
	f.Add("TestA/b", "TestA/b ")
	f.Add("../x", "x/../../y")
	f.Add("a.yaml/b", "a")
	f.Add("CON", "con.x")
	f.Add("\xff", "\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		name := FileName(a)
		if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
			t.Fatalf("%q escapes: %q", a, name)
		}
		for segment := range strings.SplitSeq(strings.TrimSuffix(name, ".yaml"), "/") {
			if !safeSegment(segment) {
				t.Fatalf("%q has the unsafe part %q", name, segment)
			}
		}
		if a != b && name == FileName(b) {
			t.Fatalf("%q and %q share %q", a, b, name)
		}
	})
}
