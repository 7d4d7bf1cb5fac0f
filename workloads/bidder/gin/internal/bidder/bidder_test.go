package bidder

import (
	"os"
	"slices"
	"testing"
)

func TestEncodesAsJavaScript(t *testing.T) {
	const text = "<b> & \"q\" \\ 여름 🏖️ 👨‍👩‍👧‍👦"
	const right = `{"id":1,"title":{"text":"<b> & \"q\" \\ 여름 🏖️ 👨‍👩‍👧‍👦"}}`
	found, err := Encode(servedAsset{ID: 1, Title: &servedTitle{Text: text}})
	if err != nil || string(found) != right {
		t.Errorf("%s, %v instead of %s", found, err, right)
	}
}

func TestCountsCharacters(t *testing.T) {
	place := &asset{ID: 1}
	place.Title = &struct {
		Len int `json:"len"`
	}{Len: 3}
	for title, fits := range map[string]bool{"abc": true, "특가🎁": true, "특가🎁!": false} {
		if canServe(place, &Ad{Title: title}) != fits {
			t.Errorf("%s fits in 3 characters: %v", title, !fits)
		}
	}
}

func TestFiltersKeepTheOrder(t *testing.T) {
	ads := []*Ad{
		{ID: "above", Categories: []string{"IAB7"}},
		{ID: "first", Categories: []string{"IAB8-1"}},
		{ID: "below", Categories: []string{"IAB7-1"}},
		{ID: "alike", Categories: []string{"IAB70"}},
	}
	var left []string
	for _, ad := range byCategory(ads, &Request{Bcat: []string{"IAB7"}}) {
		left = append(left, ad.ID)
	}
	if !slices.Equal(left, []string{"first", "alike"}) {
		t.Errorf("left are %v", left)
	}
}

func TestAnAdWithoutABudgetIsNotShown(t *testing.T) {
	ads := []*Ad{{ID: "none", CPMMicros: 500}, {ID: "enough", CPMMicros: 2_000}, {ID: "spent", CPMMicros: 2_000}}
	left := byBudget(ads, []int64{0, 2_001, 2_000})
	if len(left) != 1 || left[0].ID != "enough" {
		t.Errorf("left are %v", left)
	}
}

func TestSettingsThatAreNoneAreRefused(t *testing.T) {
	for _, each := range [][2]string{{"FORMAT", "xml"}, {"REDIS_POOL", "0"}, {"CLOCK", "noon"}} {
		t.Run(each[0], func(t *testing.T) {
			t.Setenv(each[0], each[1])
			if _, err := SettingsFromEnv(); err == nil {
				t.Errorf("%s=%s is taken", each[0], each[1])
			}
			if err := os.Unsetenv(each[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := SettingsFromEnv(); err != nil {
				t.Errorf("without %s: %v", each[0], err)
			}
		})
	}
}
