// Package lzstring compresses text as npm's lz-string does.
//
// It works on UTF-16 units, as JavaScript's strings do, so that every string has the same bytes in both
// languages; npm's lz-string 1.5 is what it is tested against.
package lzstring

import "unicode/utf16"

const (
	uriSafe     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$"
	bitsPerChar = 6
)

// The codes that are no phrases: a unit of 8 bits follows, one of 16, and the end.
const (
	unit8 = iota
	unit16
	end
	firstPhrase
)

// Not a phrase: no code that is written is the same.
const nothing = 0

// CompressToEncodedURIComponent compresses text into characters that a URL may hold.
func CompressToEncodedURIComponent(text string) string {
	return CompressUnits(utf16.Encode([]rune(text)))
}

// CompressUnits compresses UTF-16 units, lone surrogates too, which no string of Go can hold.
func CompressUnits(units []uint16) string {
	c := compressor{
		// A text of n units has at most 2n phrases, and one of ours about n/2.
		phrases: make(map[uint64]uint32, len(units)),
		unsent:  make(map[uint32]uint16, 64),
		next:    firstPhrase,
		writer:  writer{out: make([]byte, 0, len(units)), width: 2},
		widenIn: 2,
	}
	phrase, length := uint32(nothing), 0
	for at, unit := range units {
		single := c.single(unit)
		if phrase == nothing {
			phrase, length = single, 1
			continue
		}
		key := keyOf(phrase, unit)
		if longer, ok := c.phrases[key]; ok {
			phrase, length = longer, length+1
			continue
		}
		c.send(phrase)
		// A JavaScript object does not take a number as its prototype, so npm's never finds this phrase.
		if length+1 != len(proto) || !isProto(units[at+1-len(proto):at+1]) {
			c.phrases[key] = c.next
		}
		c.next++
		phrase, length = single, 1
	}
	if phrase != nothing {
		c.send(phrase)
	}
	c.bits(end, c.width)
	return c.finish()
}

const proto = "__proto__"

func isProto(units []uint16) bool {
	for at, unit := range units {
		if unit != uint16(proto[at]) {
			return false
		}
	}
	return true
}

type compressor struct {
	writer
	// The code of a phrase by that of the phrase without its last unit, and that unit.
	phrases map[uint64]uint32
	// Units that have a code which has not been written yet: they are written themselves at first.
	unsent map[uint32]uint16
	next   uint32
	// So many codes more until they need another bit.
	widenIn uint32
}

func keyOf(phrase uint32, unit uint16) uint64 {
	return uint64(phrase)<<16 | uint64(unit)
}

// The code of a single unit, a new one where it has none.
func (c *compressor) single(unit uint16) uint32 {
	key := keyOf(nothing, unit)
	code, ok := c.phrases[key]
	if !ok {
		code = c.next
		c.next++
		c.phrases[key] = code
		c.unsent[code] = unit
	}
	return code
}

func (c *compressor) send(phrase uint32) {
	unit, isFirst := c.unsent[phrase]
	switch {
	case !isFirst:
		c.bits(phrase, c.width)
	case unit < 256:
		c.bits(unit8, c.width)
		c.bits(uint32(unit), 8)
	default:
		c.bits(unit16, c.width)
		c.bits(uint32(unit), 16)
	}
	if isFirst {
		delete(c.unsent, phrase)
		c.count()
	}
	c.count()
}

func (c *compressor) count() {
	c.widenIn--
	if c.widenIn == 0 {
		c.widenIn = 1 << c.width
		c.width++
	}
}

// Bits as characters, six in each.
type writer struct {
	out    []byte
	held   byte
	filled int
	// Of a code, in bits.
	width int
}

// The lowest bits of a value, the lowest first.
func (w *writer) bits(value uint32, count int) {
	for range count {
		w.held = w.held<<1 | byte(value&1)
		value >>= 1
		w.filled++
		if w.filled == bitsPerChar {
			w.out = append(w.out, uriSafe[w.held])
			w.held, w.filled = 0, 0
		}
	}
}

// The last character has at least one bit that means nothing.
func (w *writer) finish() string {
	w.out = append(w.out, uriSafe[w.held<<(bitsPerChar-w.filled)])
	return string(w.out)
}
