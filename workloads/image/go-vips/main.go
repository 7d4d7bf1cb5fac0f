// Pictures by libvips.
package main

import "pictures/serve"

func main() {
	start()
	serve.Forever(resize)
}
