package bidder

// Request is what is read of an OpenRTB 2.6 bid request with a native placement.
type Request struct {
	ID     string   `json:"id"`
	Imp    []Imp    `json:"imp"`
	Site   *Source  `json:"site"`
	App    *Source  `json:"app"`
	Device Device   `json:"device"`
	User   *User    `json:"user"`
	Bcat   []string `json:"bcat"`
	Badv   []string `json:"badv"`
	Cur    []string `json:"cur"`
}

type Imp struct {
	ID     string `json:"id"`
	TagID  string `json:"tagid"`
	Native struct {
		// A native request as JSON.
		Request string `json:"request"`
	} `json:"native"`
}

// Source is a site or an app.
type Source struct {
	Domain    string     `json:"domain"`
	Page      string     `json:"page"`
	StoreURL  string     `json:"storeurl"`
	Publisher *Publisher `json:"publisher"`
}

type Publisher struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type Device struct {
	OS  string `json:"os"`
	Geo struct {
		Country string `json:"country"`
	} `json:"geo"`
}

type User struct {
	ID string `json:"id"`
}

// IsBiddable says whether it is a bid request with a native placement, as far as an auction needs it.
func (r *Request) IsBiddable() bool {
	source := r.source()
	return len(r.Imp) > 0 && r.Imp[0].Native.Request != "" && r.Device.Geo.Country != "" &&
		r.User != nil && source != nil && source.Publisher != nil
}

func (r *Request) source() *Source {
	if r.Site != nil {
		return r.Site
	}
	return r.App
}

// The page of a site, or where an app is to be had.
func (r *Request) page() string {
	if r.Site != nil {
		return r.Site.Page
	}
	return r.App.StoreURL
}

// nativeRequest is what a placement asks for (OpenRTB Native 1.2).
type nativeRequest struct {
	Ver    string  `json:"ver"`
	Assets []asset `json:"assets"`
}

type asset struct {
	ID       int `json:"id"`
	Required int `json:"required"`
	Title    *struct {
		Len int `json:"len"`
	} `json:"title"`
	Img *struct {
		Type int `json:"type"`
		WMin int `json:"wmin"`
		HMin int `json:"hmin"`
	} `json:"img"`
	Data *struct {
		Type int `json:"type"`
		Len  int `json:"len"`
	} `json:"data"`
}
