//go:build automaxprocs

package main

// GOMAXPROCS is the CPU limit rounded down, at least 1, unless the environment says another.
import _ "go.uber.org/automaxprocs"
