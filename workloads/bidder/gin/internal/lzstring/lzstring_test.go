package lzstring

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

type vector struct {
	units      []uint16
	compressed string
}

// What npm's lz-string makes of generated strings.
func vectors(t testing.TB) []vector {
	t.Helper()
	command := exec.Command("node", "../../../reference/lz-strings.mjs")
	var complaint bytes.Buffer
	command.Stderr = &complaint
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s(is the workload installed? `npm ci` in workloads/bidder)", err, &complaint)
	}
	var all []vector
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		digits, compressed, _ := strings.Cut(lines.Text(), " ")
		all = append(all, vector{unitsOf(t, digits), compressed})
	}
	if len(all) != 2_200 {
		t.Fatalf("%d strings instead of 2200", len(all))
	}
	return all
}

func unitsOf(t testing.TB, digits string) []uint16 {
	t.Helper()
	data, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	units := make([]uint16, len(data)/2)
	for place := range units {
		units[place] = uint16(data[2*place])<<8 | uint16(data[2*place+1])
	}
	return units
}

func TestSameBytesAsNpm(t *testing.T) {
	texts := 0
	for _, each := range vectors(t) {
		if found := CompressUnits(each.units); found != each.compressed {
			t.Fatalf("%x becomes %s instead of %s", each.units, found, each.compressed)
		}
		text := string(utf16.Decode(each.units))
		if !slices.Equal(utf16.Encode([]rune(text)), each.units) {
			continue // It has a lone surrogate, which no string of Go can hold.
		}
		texts++
		if found := CompressToEncodedURIComponent(text); found != each.compressed {
			t.Fatalf("%q becomes %s instead of %s", text, found, each.compressed)
		}
	}
	if texts < 1_100 {
		t.Errorf("only %d of them are strings of Go", texts)
	}
}

func TestPublishedPortAsNpm(t *testing.T) {
	for _, each := range vectors(t) {
		// As the published port does, it takes a phrase that a JavaScript object can't hold.
		if text := string(utf16.Decode(each.units)); strings.Contains(text, proto+proto) {
			continue
		}
		if found := publishedUnits(each.units); found != each.compressed {
			t.Fatalf("%x becomes %s instead of %s", each.units, found, each.compressed)
		}
	}
}

func TestEmpty(t *testing.T) {
	if found := CompressToEncodedURIComponent(""); found != "Q" {
		t.Errorf("the empty string becomes %s", found)
	}
}

const context = `{"v":1,"ts":1767225600000,"requestId":"korean-android-000000009e37","impId":"1","tagId":"feed-0",` +
	`"adId":"ad-0014","campaignId":"campaign-002","advertiser":"shop-14.example",` +
	`"title":"제주도 렌터카 하루 9,900원 🚗","price":12.05,"country":"KOR","os":"Android","userId":"user-000000009e37",` +
	`"publisherId":"pub-0","publisher":"한국일보 닷컴","page":"https://news-0.example/article/1000?ref=home&q=오늘의 소식",` +
	`"landing":"https://shop-14.example/p/0014?utm_source=dsp&utm_campaign=14&lang=ko"}`

func BenchmarkFast(b *testing.B) {
	for b.Loop() {
		CompressToEncodedURIComponent(context)
	}
}

func BenchmarkPublished(b *testing.B) {
	for b.Loop() {
		PublishedToEncodedURIComponent(context)
	}
}
