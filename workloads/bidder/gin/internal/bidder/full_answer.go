package bidder

const micros = 1e6

// A whole OpenRTB bid with this ad.
func (b *Bidder) fullAnswer(ad *Ad, request *Request, asked *nativeRequest) (*Response, error) {
	imp := &request.Imp[0]
	redirect, err := b.clickURL(ad, request)
	if err != nil {
		return nil, err
	}
	assets := make([]servedAsset, 0, len(asked.Assets))
	for place := range asked.Assets {
		if asset := &asked.Assets[place]; canServe(asset, ad) {
			assets = append(assets, serve(asset, ad))
		}
	}
	adm, err := Encode(markup{native{
		Ver:         asked.Ver,
		Assets:      assets,
		Link:        link{URL: redirect},
		ImpTrackers: []string{"https://track.bidder.example/i?r=" + request.ID + "&a=" + ad.ID},
	}})
	if err != nil {
		return nil, err
	}
	return &Response{
		ID:    request.ID,
		BidID: request.ID + ":" + ad.ID,
		Cur:   "USD",
		SeatBid: []seatBid{{
			Seat: "overhead",
			Bid: []bid{{
				ID:      "1",
				ImpID:   imp.ID,
				Price:   float64(ad.CPMMicros) / micros,
				AdID:    ad.ID,
				Adomain: []string{ad.Advertiser},
				CID:     ad.CampaignID,
				CrID:    ad.ID,
				Cat:     ad.Categories,
				Adm:     string(adm),
			}},
		}},
	}, nil
}

// Where a click leads first: the bid's context travels along, compressed.
func (b *Bidder) clickURL(ad *Ad, request *Request) (string, error) {
	publisher := request.source().Publisher
	context, err := Encode(clickContext{
		V:           1,
		TS:          b.settings.Clock().UnixMilli(),
		RequestID:   request.ID,
		ImpID:       request.Imp[0].ID,
		TagID:       request.Imp[0].TagID,
		AdID:        ad.ID,
		CampaignID:  ad.CampaignID,
		Advertiser:  ad.Advertiser,
		Title:       ad.Title,
		Price:       float64(ad.CPMMicros) / micros,
		Country:     request.Device.Geo.Country,
		OS:          request.Device.OS,
		UserID:      request.User.ID,
		PublisherID: publisher.ID,
		Publisher:   publisher.Name,
		Page:        request.page(),
		Landing:     ad.Landing,
	})
	if err != nil {
		return "", err
	}
	return "https://click.bidder.example/r?c=" + b.compress(string(context)), nil
}
