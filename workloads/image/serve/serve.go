// Package serve answers GET /image/file/{name}?w=640 with a picture of that width, resized by what a server brings.
package serve

import (
	"errors"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Quality of every answer, as JPEG counts it.
const Quality = 80

// The widest picture that is made, as in every server here.
const widest = 4000

// Resize makes a JPEG of this width of the picture in a file, in proportion.
type Resize func(path string, width int) ([]byte, error)

// Forever serves pictures of the folder PICTURES at HOST:PORT. At most GOMAXPROCS of them are worked on at once, or
// with AT_ONCE=all as many as are asked for. Whoever is gone by its turn is passed over.
func Forever(resize Resize) {
	most := runtime.GOMAXPROCS(0)
	if os.Getenv("AT_ONCE") == "all" {
		most = 1 << 16
	}
	slots := make(chan struct{}, most)
	http.HandleFunc("GET /image/file/{name}", func(w http.ResponseWriter, r *http.Request) {
		width, err := strconv.Atoi(r.URL.Query().Get("w"))
		if err != nil || width < 1 || width > widest {
			http.Error(w, "w is to be a width", http.StatusBadRequest)
			return
		}
		name := r.PathValue("name")
		if strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
			http.NotFound(w, r)
			return
		}
		slots <- struct{}{}
		if r.Context().Err() != nil {
			<-slots
			return
		}
		answer, err := resize(filepath.Join(os.Getenv("PICTURES"), name), width)
		<-slots
		if errors.Is(err, fs.ErrNotExist) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			log.Print(err)
			http.Error(w, "the picture could not be made", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/jpeg")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	})
	log.Fatal(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), nil))
}

// HeightOf is the height that keeps a picture's proportion at a width, rounded, at least 1.
func HeightOf(width, fullWidth, fullHeight int) int {
	return max(1, (2*width*fullHeight+fullWidth)/(2*fullWidth))
}
