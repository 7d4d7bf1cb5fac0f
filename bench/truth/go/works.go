package main

import "sync/atomic"

// What a server of known cost may do for each request, by its name.
var works = map[string]func(amount int){"spin": spin, "objects": objects}

// Where results end up, so that no compiler can leave the work out.
var (
	state atomic.Uint32
	kept  [8]atomic.Pointer[object]
	place atomic.Uint32
)

// spin is work that takes time in proportion to its number of turns, as ../spin.ts does it.
func spin(turns int) {
	value := state.Load()
	for range turns {
		value = value*1664525 + 1013904223
	}
	state.Store(value)
}

type object struct {
	index int
	name  string
	tags  []int
	next  *object
}

// objects are short-lived.
func objects(amount int) {
	for index := range amount {
		made := &object{index: index, name: "request", tags: []int{index, index + 1}, next: &object{index: index}}
		kept[place.Add(1)&7].Store(made)
	}
}
