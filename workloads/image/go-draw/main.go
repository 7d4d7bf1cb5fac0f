// Pictures by golang.org/x/image/draw.
package main

import (
	"image"
	"math"
	"os"

	"pictures/serve"

	"golang.org/x/image/draw"
)

// The package names no Lanczos, and takes any kernel.
var lanczos3 = draw.Kernel{Support: 3, At: func(t float64) float64 {
	if t == 0 {
		return 1
	}
	x := math.Pi * t
	return 3 * math.Sin(x) * math.Sin(x/3) / (x * x)
}}

func main() {
	kernel := &lanczos3
	if os.Getenv("KERNEL") == "catmull-rom" {
		kernel = draw.CatmullRom
	}
	serve.Forever(func(path string, width int) ([]byte, error) {
		full, err := serve.Decoded(path)
		if err != nil {
			return nil, err
		}
		size := full.Bounds()
		resized := image.NewRGBA(image.Rect(0, 0, width, serve.HeightOf(width, size.Dx(), size.Dy())))
		kernel.Scale(resized, resized.Bounds(), full, size, draw.Src, nil)
		return serve.Encoded(resized)
	})
}
