package main

import (
	"io"

	"github.com/gin-gonic/gin/codec/json"
	gojson "github.com/goccy/go-json"
)

// goJSON is the JSON library that Gin's guide recommends where JSON is the bottleneck.
type goJSON struct{}

func (goJSON) Marshal(v any) ([]byte, error)            { return gojson.Marshal(v) }
func (goJSON) Unmarshal(data []byte, v any) error       { return gojson.Unmarshal(data, v) }
func (goJSON) NewEncoder(writer io.Writer) json.Encoder { return gojson.NewEncoder(writer) }
func (goJSON) NewDecoder(reader io.Reader) json.Decoder { return gojson.NewDecoder(reader) }
func (goJSON) MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	return gojson.MarshalIndent(v, prefix, indent)
}
