// Package app is what both servers answer and how they write it, whatever routes to them.
package app

import (
	"encoding/json"
	"net"
	"os"

	"github.com/bytedance/sonic"

	"board/store"
)

// Reader is the user who reads the list: it stands for a session.
const Reader = 1

// Answer is what every answer is in.
type Answer struct {
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Result  any    `json:"result"`
}

// Of is the answer with this result.
func Of(result any) Answer {
	return Answer{Success: true, Result: result}
}

// Home is the result of the home page, which takes no database.
type Home struct {
	Success         bool   `json:"success"`
	OfficialWebsite string `json:"officialWebsite"`
	Version         string `json:"version"`
	License         string `json:"license"`
	GitHub          string `json:"github"`
}

// AtHome is the home page, 160 bytes, as was published.
var AtHome = Of(Home{
	Success:         true,
	OfficialWebsite: "example.dev",
	Version:         "1.0.0-beta1",
	License:         "MIT",
	GitHub:          "github.com/author/board",
})

// Encode turns an answer into JSON.
type Encode = func(value any) ([]byte, error)

// Board is a server without its router.
type Board struct {
	Posts  *store.Store
	Encode Encode
	// Address is where it listens.
	Address string
}

type encoder string

const (
	fast     encoder = "fast"
	standard encoder = "standard"
)

// Open makes ready what the environment asks for.
func Open() (*Board, error) {
	settings, err := store.FromEnvironment()
	if err != nil {
		return nil, err
	}
	chosen, err := store.OneOf("JSON", fast, standard)
	if err != nil {
		return nil, err
	}
	posts, err := store.Open(settings)
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))
	return &Board{Posts: posts, Encode: encodeBy(chosen), Address: address}, nil
}

// encodeBy is sonic, which Fiber's guide names among faster encoders, or Go's own, which is Fiber's default
// and escapes the marks of HTML.
func encodeBy(chosen encoder) Encode {
	if chosen == standard {
		return json.Marshal
	}
	return sonic.Marshal
}
