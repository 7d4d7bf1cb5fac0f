package bidder

import (
	"bytes"

	"github.com/gin-gonic/gin/codec/json"
)

// ServedAd is an ad, and where a click on it leads first.
type ServedAd struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// bidContext is what is known of a bid.
type bidContext struct {
	AdID         string   `json:"adId"`
	BidTimestamp int64    `json:"bidTimestamp"`
	BidCur       []string `json:"bidCur"`
	ImpID        string   `json:"impId"`
	SiteDomain   string   `json:"siteDomain,omitempty"`
}

// The answer with this ad: what is known of the bid travels along, compressed.
func (b *Bidder) servedAd(ad *Ad, request *Request) (*ServedAd, error) {
	known := bidContext{
		AdID:         ad.ID,
		BidTimestamp: b.settings.Clock().UnixMilli(),
		BidCur:       request.Cur,
		ImpID:        request.Imp[0].ID,
	}
	if request.Site != nil {
		known.SiteDomain = request.Site.Domain
	}
	context, err := Encode(known)
	if err != nil {
		return nil, err
	}
	return &ServedAd{ID: ad.ID, URL: "https://redirect.example?d=" + b.compress(string(context))}, nil
}

// Encode is JSON as JavaScript writes it: `<`, `>` and `&` as they are, and no line feed at the end.
func Encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.API.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}
