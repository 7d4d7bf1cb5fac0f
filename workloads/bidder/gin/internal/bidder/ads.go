package bidder

//go:generate go tool msgp -tests=false -io=false

// Ad is a candidate.
type Ad struct {
	ID         string   `json:"id" msg:"id"`
	CampaignID string   `json:"campaignId" msg:"campaignId"`
	Advertiser string   `json:"advertiser" msg:"advertiser"`
	Categories []string `json:"categories" msg:"categories"`
	// Millionths of a US dollar for a thousand impressions.
	CPMMicros int64 `json:"cpmMicros" msg:"cpmMicros"`
	// None are all.
	Countries []string `json:"countries" msg:"countries"`
	// None are all.
	OS    []string `json:"os" msg:"os"`
	Title string   `json:"title" msg:"title"`
	// May be empty, as the sponsor.
	Description string `json:"description" msg:"description"`
	Sponsor     string `json:"sponsor" msg:"sponsor"`
	Image       Image  `json:"image" msg:"image"`
	Icon        Image  `json:"icon" msg:"icon"`
	Landing     string `json:"landing" msg:"landing"`
}

// Ads are what is under one key.
type Ads []Ad

type Image struct {
	URL string `json:"url" msg:"url"`
	W   int    `json:"w" msg:"w"`
	H   int    `json:"h" msg:"h"`
}
