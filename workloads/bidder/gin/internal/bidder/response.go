package bidder

// Response is an OpenRTB 2.6 bid response with one bid.
type Response struct {
	ID      string    `json:"id"`
	BidID   string    `json:"bidid"`
	Cur     string    `json:"cur"`
	SeatBid []seatBid `json:"seatbid"`
}

type seatBid struct {
	Seat string `json:"seat"`
	Bid  []bid  `json:"bid"`
}

type bid struct {
	ID    string `json:"id"`
	ImpID string `json:"impid"`
	// US dollars for a thousand impressions.
	Price   float64  `json:"price"`
	AdID    string   `json:"adid"`
	Adomain []string `json:"adomain"`
	CID     string   `json:"cid"`
	CrID    string   `json:"crid"`
	Cat     []string `json:"cat"`
	// The markup as JSON.
	Adm string `json:"adm"`
}

// markup is the native markup of an ad.
type markup struct {
	Native native `json:"native"`
}

type native struct {
	Ver         string        `json:"ver"`
	Assets      []servedAsset `json:"assets"`
	Link        link          `json:"link"`
	ImpTrackers []string      `json:"imptrackers"`
}

type link struct {
	URL string `json:"url"`
}

// servedAsset is an asset of a placement with what an ad has for it: one of the three.
type servedAsset struct {
	ID    int          `json:"id"`
	Title *servedTitle `json:"title,omitempty"`
	Img   *Image       `json:"img,omitempty"`
	Data  *servedData  `json:"data,omitempty"`
}

type servedTitle struct {
	Text string `json:"text"`
}

type servedData struct {
	Value string `json:"value"`
}

// clickContext travels in the redirect URL.
type clickContext struct {
	V           int     `json:"v"`
	TS          int64   `json:"ts"`
	RequestID   string  `json:"requestId"`
	ImpID       string  `json:"impId"`
	TagID       string  `json:"tagId"`
	AdID        string  `json:"adId"`
	CampaignID  string  `json:"campaignId"`
	Advertiser  string  `json:"advertiser"`
	Title       string  `json:"title"`
	Price       float64 `json:"price"`
	Country     string  `json:"country"`
	OS          string  `json:"os"`
	UserID      string  `json:"userId"`
	PublisherID string  `json:"publisherId"`
	Publisher   string  `json:"publisher"`
	Page        string  `json:"page"`
	Landing     string  `json:"landing"`
}
