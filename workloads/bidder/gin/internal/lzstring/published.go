package lzstring

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
)

// PublishedToEncodedURIComponent compresses text as the published port to Go did: the same answer, by a
// dictionary whose keys are phrases printed as text, several for each character, and a string for each
// character of the answer.
func PublishedToEncodedURIComponent(text string) string {
	return publishedUnits(utf16.Encode([]rune(text)))
}

func publishedUnits(units []uint16) string {
	dictionary := make(map[string]int)
	toCreate := make(map[string]bool)
	enlargeIn, dictSize, numBits := 2, 3, 2
	data, value, position := []string{}, 0, 0

	bits := func(from, count int) {
		for range count {
			value = value<<1 | from&1
			if position == bitsPerChar-1 {
				position = 0
				data = append(data, string([]rune{rune(uriSafe[value])}))
				value = 0
			} else {
				position++
			}
			from >>= 1
		}
	}
	enlarge := func() {
		enlargeIn--
		if enlargeIn == 0 {
			enlargeIn = int(math.Pow(2, float64(numBits)))
			numBits++
		}
	}
	send := func(phrase []rune, key string) {
		if toCreate[key] {
			if phrase[0] < 256 {
				bits(unit8, numBits)
				bits(int(phrase[0]), 8)
			} else {
				bits(unit16, numBits)
				bits(int(phrase[0]), 16)
			}
			enlarge()
			delete(toCreate, key)
		} else {
			bits(dictionary[key], numBits)
		}
		enlarge()
	}

	var phrase []rune
	for _, unit := range units {
		char := rune(unit)
		charKey := fmt.Sprintf("[%d]", char)
		if _, ok := dictionary[charKey]; !ok {
			dictionary[charKey] = dictSize
			dictSize++
			toCreate[charKey] = true
		}
		longer := append(phrase, char)
		longerKey := fmt.Sprint(longer)
		phraseKey := fmt.Sprint(phrase)
		if _, ok := dictionary[longerKey]; ok {
			phrase = longer
			continue
		}
		send(phrase, phraseKey)
		dictionary[fmt.Sprint(longer)] = dictSize
		dictSize++
		phrase = []rune{char}
	}
	if len(phrase) > 0 {
		send(phrase, fmt.Sprint(phrase))
	}
	bits(end, numBits)
	for full := len(data); len(data) == full; {
		bits(0, 1)
	}
	return strings.Join(data, "")
}
