package cassettes

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replace writes the file at path as a whole or not at all: into another file
// beside it, which check may still refuse, and which then takes its name. A
// killed process leaves the old file, at worst with the other beside it. A
// fresh file replaces none: if there is one by now, the error is fs.ErrExist.
func replace(path string, data []byte, fresh bool, check func(temp string) error) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".recording-*.yaml")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(data)
	if err = cmp.Or(err, temp.Chmod(0o644), temp.Sync()); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := check(temp.Name()); err != nil {
		return err
	}
	if err := move(temp.Name(), path, fresh); err != nil {
		return err
	}
	// The name is safe on the disk once the directory is; not all systems can
	// do that, and the content is whole either way.
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}

// move gives a file another name. A link, unlike a rename, never replaces
// what another process has just put there; but not every file system has links.
func move(from, to string, fresh bool) error {
	if fresh {
		err := os.Link(from, to)
		if err == nil {
			return os.Remove(from)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Rename(from, to)
}
