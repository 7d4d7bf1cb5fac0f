// The message board on Go's own server and router.
package main

import (
	"log"
	"net/http"
	"strconv"

	"board/app"
)

func main() {
	b, err := app.Open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /home", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, b.Encode, app.AtHome)
	})
	mux.HandleFunc("GET /latest", func(w http.ResponseWriter, _ *http.Request) {
		list, err := b.Posts.Latest(app.Reader)
		if err != nil {
			fail(w, err)
			return
		}
		answer(w, b.Encode, app.Of(list))
	})
	log.Fatal(http.ListenAndServe(b.Address, mux))
}

// answer says how long the body is: without that a long one goes out in chunks.
func answer(w http.ResponseWriter, encode app.Encode, value any) {
	body, err := encode(value)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if _, err := w.Write(body); err != nil {
		log.Print(err)
	}
}

func fail(w http.ResponseWriter, err error) {
	log.Print(err)
	http.Error(w, "can't read the board", http.StatusInternalServerError)
}
