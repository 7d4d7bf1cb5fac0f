// Pictures by nfnt/resize, as published: no release since 2018.
package main

import (
	"pictures/serve"

	"github.com/nfnt/resize"
)

func main() {
	serve.Forever(func(path string, width int) ([]byte, error) {
		full, err := serve.Decoded(path)
		if err != nil {
			return nil, err
		}
		size := full.Bounds()
		height := serve.HeightOf(width, size.Dx(), size.Dy())
		return serve.Encoded(resize.Resize(uint(width), uint(height), full, resize.Lanczos3))
	})
}
