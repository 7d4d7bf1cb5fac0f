package serve

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
)

// Decoded reads the JPEG in a file with the standard library, which decodes the whole of it.
func Decoded(path string) (image.Image, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return jpeg.Decode(file)
}

// Encoded writes a JPEG with the standard library: baseline, 4:2:0 and the usual Huffman tables; it knows no other.
func Encoded(picture image.Image) ([]byte, error) {
	var answer bytes.Buffer
	err := jpeg.Encode(&answer, picture, &jpeg.Options{Quality: Quality})
	return answer.Bytes(), err
}
