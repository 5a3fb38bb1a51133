//go:build race

package reply

// The race detector makes encoding/json twenty times slower.
const huge = 1 << 20
