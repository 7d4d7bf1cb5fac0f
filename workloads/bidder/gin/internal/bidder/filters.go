package bidder

import (
	"slices"
	"strings"
)

// keep leaves those that pass, in their order, in the same array.
func keep(ads []*Ad, passes func(*Ad) bool) []*Ad {
	return slices.DeleteFunc(ads, func(ad *Ad) bool { return !passes(ad) })
}

// byAdvertiser leaves none of an advertiser that the publisher blocks.
func byAdvertiser(ads []*Ad, request *Request) []*Ad {
	return keep(ads, func(ad *Ad) bool { return !slices.Contains(request.Badv, ad.Advertiser) })
}

// byCategory leaves none of a category that the publisher blocks, or below one: IAB7 blocks IAB7-1.
func byCategory(ads []*Ad, request *Request) []*Ad {
	isBlocked := func(category string) bool {
		above, _, _ := strings.Cut(category, "-")
		return slices.Contains(request.Bcat, category) || slices.Contains(request.Bcat, above)
	}
	return keep(ads, func(ad *Ad) bool { return !slices.ContainsFunc(ad.Categories, isBlocked) })
}

// byBudget leaves those with more left of their budgets, which are in the order of the ads, than they bid.
func byBudget(ads []*Ad, budgets []int64) []*Ad {
	kept := ads[:0]
	for place, ad := range ads {
		if budgets[place] > ad.CPMMicros {
			kept = append(kept, ad)
		}
	}
	return kept
}

// byCountry leaves those meant for the country where the user is.
func byCountry(ads []*Ad, request *Request) []*Ad {
	return keep(ads, func(ad *Ad) bool {
		return len(ad.Countries) == 0 || slices.Contains(ad.Countries, request.Device.Geo.Country)
	})
}

// byCreative leaves those that have all that the placement requires.
func byCreative(ads []*Ad, native *nativeRequest) []*Ad {
	return keep(ads, func(ad *Ad) bool {
		for place := range native.Assets {
			if asset := &native.Assets[place]; asset.Required == 1 && !canServe(asset, ad) {
				return false
			}
		}
		return true
	})
}

// byOperatingSystem leaves those meant for the user's operating system.
func byOperatingSystem(ads []*Ad, request *Request) []*Ad {
	return keep(ads, func(ad *Ad) bool {
		return len(ad.OS) == 0 || slices.Contains(ad.OS, request.Device.OS)
	})
}
