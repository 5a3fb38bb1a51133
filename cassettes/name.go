package cassettes

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
)

const maxSegment = 100 // bytes

var (
	goodSegment = regexp.MustCompile(`^[A-Za-z0-9._#-]+$`)
	badRunes    = regexp.MustCompile(`[^A-Za-z0-9_#-]+`)
	// reservedName is what Windows takes for a device, whatever follows the first dot.
	reservedName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

// FileName gives the path of a test's cassette, relative to the directory of
// cassettes and with forward slashes: the test's name and ".yaml", subtests
// in folders. A part of the name that is no safe file name is cleaned and
// gets 8 hex digits of the full name's SHA-256, so that no two tests share a
// file. The path never leads out of the directory.
func FileName(test string) string {
	segments := strings.Split(test, "/")
	for i, s := range segments {
		if !safeSegment(s) {
			clean := cmp.Or(badRunes.ReplaceAllString(s, "_"), "_")
			sum := sha256.Sum256([]byte(test))
			segments[i] = fmt.Sprintf("%.*s-%x", maxSegment-9, clean, sum[:4])
		}
	}
	return strings.Join(segments, "/") + ".yaml"
}

// safeSegment reports whether every file system takes s as a name, and none
// mistakes it for a cassette, which the folder of a subtest must not look like.
func safeSegment(s string) bool {
	return len(s) <= maxSegment && goodSegment.MatchString(s) && !reservedName.MatchString(s) &&
		!strings.HasSuffix(s, ".") && !strings.HasSuffix(strings.ToLower(s), ".yaml")
}
