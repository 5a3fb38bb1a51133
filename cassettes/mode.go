package cassettes

import "fmt"

// Mode says where the answers of a Cassette come from.
type Mode string

// The modes. They differ in what happens to a call that the file has, to one
// that it lacks, and where there is no file.
const (
	// Auto replays where the file exists and records where it does not.
	Auto Mode = "auto"
	// Replay answers from the file alone and opens no connection.
	Replay Mode = "replay"
	// Record makes every call and replaces the file.
	Record Mode = "record"
	// Update replays the calls that the file has, makes and adds the others,
	// and drops those that are no longer made.
	Update Mode = "update"
	// Live makes every call and neither reads nor writes the file.
	Live Mode = "live"
)

const modeNames = "auto, replay, record, update, live"

// ParseMode gives the mode of that name. Names are lower case, without white
// space around them; the error of any other lists them all.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case Auto, Replay, Record, Update, Live:
		return m, nil
	}
	return "", fmt.Errorf("unknown mode %q: the modes are %s", s, modeNames)
}
