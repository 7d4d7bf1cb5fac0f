package bidder

import "unicode/utf8"

// Types of images and of data in OpenRTB Native 1.2.
const (
	iconImage       = 1
	mainImage       = 3
	sponsoredData   = 1
	descriptionData = 2
)

// canServe says whether an ad has what an asset asks for.
func canServe(asset *asset, ad *Ad) bool {
	switch {
	case asset.Title != nil:
		// Characters as Unicode counts them, the same in all languages.
		return utf8.RuneCountInString(ad.Title) <= asset.Title.Len
	case asset.Img != nil:
		image := imageOf(ad, asset.Img.Type)
		return image != nil && image.W >= asset.Img.WMin && image.H >= asset.Img.HMin
	case asset.Data != nil:
		value := valueOf(ad, asset.Data.Type)
		return value != "" && utf8.RuneCountInString(value) <= asset.Data.Len
	}
	return false
}

// serve is an asset with what an ad has for it, where it can serve it.
func serve(asset *asset, ad *Ad) servedAsset {
	served := servedAsset{ID: asset.ID}
	switch {
	case asset.Title != nil:
		served.Title = &servedTitle{Text: ad.Title}
	case asset.Img != nil:
		served.Img = imageOf(ad, asset.Img.Type)
	case asset.Data != nil:
		served.Data = &servedData{Value: valueOf(ad, asset.Data.Type)}
	}
	return served
}

func imageOf(ad *Ad, kind int) *Image {
	switch kind {
	case iconImage:
		return &ad.Icon
	case mainImage:
		return &ad.Image
	}
	return nil
}

func valueOf(ad *Ad, kind int) string {
	switch kind {
	case sponsoredData:
		return ad.Sponsor
	case descriptionData:
		return ad.Description
	}
	return ""
}
