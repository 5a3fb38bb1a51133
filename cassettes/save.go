package cassettes

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/dnaeon/go-vcr.v3/cassette"
	"gopkg.in/yaml.v3"
)

// state tells one content of a file from another; the zero value is that of
// no file.
type state [sha256.Size]byte

func stateOf(data []byte) state {
	if data == nil {
		return state{}
	}
	return sha256.Sum256(data)
}

// save writes the file as a whole or not at all. Nothing is written where what
// is there differs in the date alone.
func (c *Cassette) save(f *file) error {
	place, err := c.locate()
	if err != nil {
		return err
	}
	defer place.root.Close()
	// From here to the end, no other process writes in the folder.
	defer lock(place.root, place.folder)()
	now, err := place.root.ReadFile(place.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if date, same := f.sameAs(now, c.options.rules()); same {
		c.date = date
		return nil
	}
	if stateOf(now) != c.opened {
		return fmt.Errorf("%w: another process wrote it while this one recorded; run one at a time", ErrChanged)
	}
	data := f.encode(f.Recorded)
	err = both(
		func() error { return f.verify(data) },
		func() error { return errors.Join(f.leaks(data), f.verifyKeys(data, c.options.rules())) },
	)
	if err != nil {
		return err
	}
	if err := place.replace(data); err != nil {
		return err
	}
	c.date = f.Recorded
	return nil
}

// both does two things at once: a long recording is worth it.
func both(a, b func() error) error {
	done := make(chan error)
	go func() { done <- a() }()
	return errors.Join(b(), <-done)
}

// sameAs reports whether a content differs from the file in its date alone,
// and what date it has.
func (f *file) sameAs(now []byte, r rules) (date string, same bool) {
	if now == nil {
		return "", false
	}
	there, err := decode(now, r)
	if err != nil {
		return "", false
	}
	return there.Recorded, bytes.Equal(f.encode(there.Recorded), now)
}

// place is where a cassette is written: in a directory that no link and no
// ".." leads out of.
type place struct {
	root               *os.Root
	folder, name, temp string // in root
}

// locate makes the folders of the file and opens its directory.
func (c *Cassette) locate() (*place, error) {
	dir := c.options.Dir
	if dir == "" {
		dir = filepath.Dir(c.path)
	}
	name, err := filepath.Rel(dir, c.path)
	if err != nil {
		return nil, err
	}
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("it is not in %s", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	folder, base := filepath.Split(name)
	p := &place{root: root, folder: filepath.Clean(folder), name: name}
	p.temp = filepath.Join(folder, tempName(strings.TrimSuffix(base, ".yaml")))
	if err := p.prepare(); err != nil {
		root.Close()
		return nil, err
	}
	return p, nil
}

// prepare makes the folder, and refuses a link in place of the file: another
// file would be meant, and the link would be lost.
func (p *place) prepare() error {
	if err := p.root.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	if info, err := p.root.Lstat(p.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link, which a recording would replace: remove it, or record where it points to", p.name)
	}
	return nil
}

// replace writes another file beside the one that is meant, and once it reads
// as what was written, gives it the name. A killed process leaves the old
// file or the new one, at worst with the other file beside it, which the next
// recording writes over.
func (p *place) replace(data []byte) (err error) {
	defer func() {
		if err != nil {
			_ = p.root.Remove(p.temp)
		}
	}()
	if err := p.write(data); err != nil {
		return err
	}
	if written, err := p.root.ReadFile(p.temp); err != nil || !bytes.Equal(written, data) {
		return cmp.Or(err, errors.New("the disk gives back other than what was written"))
	}
	if err := p.root.Rename(p.temp, p.name); err != nil {
		return err
	}
	// The name is safe on the disk once the folder is; not all systems can do
	// that, and the content is whole either way.
	if d, err := p.root.Open(p.folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}

// write puts the data on the disk. What a killed process left goes first: it
// could be a link.
func (p *place) write(data []byte) error {
	_ = p.root.Remove(p.temp)
	f, err := p.root.OpenFile(p.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// verify loads the data as go-vcr loads a file, and compares it with what was
// recorded.
func (f *file) verify(data []byte) error {
	var loaded cassette.Cassette
	if err := yaml.Unmarshal(data, &loaded); err != nil {
		return fmt.Errorf("the recording does not load again: %w", err)
	}
	if len(loaded.Interactions) != len(f.Interactions) {
		return fmt.Errorf("the recording loads with %d calls instead of %d", len(loaded.Interactions), len(f.Interactions))
	}
	for n, i := range f.Interactions {
		l := loaded.Interactions[n]
		if l.Request.Method != i.Request.Method || l.Request.URL != i.Request.URL || l.Request.Body != i.Request.Body ||
			l.Response.Code != i.Response.Code || l.Response.Body != i.Response.Body {
			return fmt.Errorf("the recording of %s does not load as it was", i.ask.name(i.Label))
		}
	}
	return nil
}

// verifyKeys reads the data as Open does, and checks that each call will be
// found again.
func (f *file) verifyKeys(data []byte, r rules) error {
	read, err := decode(data, r)
	if err != nil {
		return fmt.Errorf("the recording does not load again: %w", err)
	}
	for n, i := range f.Interactions {
		if read.Interactions[n].ask.key != i.ask.key {
			return fmt.Errorf("the recording of %s would not be found again: Options.Redact, given its own result, must give that back", i.ask.name(i.Label))
		}
	}
	return nil
}
