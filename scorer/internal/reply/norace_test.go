//go:build !race

package reply

const huge = 10 << 20
