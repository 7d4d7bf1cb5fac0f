// A bare HTTP server in Go whose handler does some work that is the same in all of them, and then some of
// its own: `server TURNS KIND AMOUNT`. It measures by the clock what its own work takes, and what the
// garbage collector takes, and tells both under /timer; the counterpart of ../working.ts.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/metrics"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	body = "Hello World!"
	// Places for durations, the last ones of which are kept.
	held       = 1 << 18
	collecting = "/cpu/classes/gc/total:cpu-seconds"
	nsInS      = 1e9
)

// times holds what the work took by the clock, ns, for each request since it was told the last time.
type times struct {
	sync.Mutex
	durations  [held]int64
	count      int
	collected  float64
	lastSorted []int64
}

func (t *times) add(taken time.Duration) {
	t.Lock()
	t.durations[t.count%held] = int64(taken)
	t.count++
	t.Unlock()
}

type told struct {
	MedianNs float64 `json:"medianNs"`
	MeanNs   float64 `json:"meanNs"`
	GcNs     float64 `json:"gcNs"`
}

// tell gives what it has held, and begins anew.
func (t *times) tell() told {
	t.Lock()
	defer t.Unlock()
	now := collectorSeconds()
	answer := told{}
	if t.count > 0 {
		t.lastSorted = append(t.lastSorted[:0], t.durations[:min(t.count, held)]...)
		slices.Sort(t.lastSorted)
		sum := int64(0)
		for _, each := range t.lastSorted {
			sum += each
		}
		answer.MedianNs = float64(t.lastSorted[len(t.lastSorted)/2])
		answer.MeanNs = float64(sum) / float64(len(t.lastSorted))
		answer.GcNs = (now - t.collected) * nsInS / float64(t.count)
	}
	t.count = 0
	t.collected = now
	return answer
}

// collectorSeconds is the CPU time that the garbage collector took so far, as the runtime estimates it.
func collectorSeconds() float64 {
	sample := []metrics.Sample{{Name: collecting}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("server TURNS KIND AMOUNT"))
	}
	turns, amount := number(os.Args[1]), number(os.Args[3])
	work, isWork := works[os.Args[2]]
	if !isWork {
		fail(fmt.Errorf("no work is named %q", os.Args[2]))
	}
	taken := &times{}
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		spin(turns)
		begin := time.Now()
		work(amount)
		end := time.Now()
		// What the clock itself takes is no part of the work.
		after := time.Now()
		taken.add(end.Sub(begin) - after.Sub(end))
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte(body))
	})
	http.HandleFunc("GET /timer", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(taken.tell())
	})
	serve()
}

// serve listens where the launcher says, until it is told to end.
func serve() {
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	server := &http.Server{Addr: net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))}
	context.AfterFunc(ended, func() { server.Close() })
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		fail(err)
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(err)
	}
	return value
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
