// Package bidder bids for native placements with ads from Redis.
package bidder

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/gin-gonic/gin/codec/json"

	"overhead/bidder/gin/internal/lzstring"
)

// Bidder takes part in auctions.
type Bidder struct {
	store    *Store
	settings Settings
	compress func(string) string
}

// New bids with the ads of this store.
func New(store *Store, settings Settings) *Bidder {
	compress := lzstring.CompressToEncodedURIComponent
	if settings.LZ == "published" {
		compress = lzstring.PublishedToEncodedURIComponent
	}
	return &Bidder{store: store, settings: settings, compress: compress}
}

// ErrNoAd is the answer where no ad may be shown.
var ErrNoAd = errors.New("no ad is left")

// Bid is with the dearest ad that may be shown, encoded; ErrNoAd where there is none.
func (b *Bidder) Bid(ctx context.Context, request *Request) ([]byte, error) {
	var native nativeRequest
	if err := json.API.Unmarshal([]byte(request.Imp[0].Native.Request), &native); err != nil {
		return nil, fmt.Errorf("native request: %w", err)
	}
	candidates, err := b.store.Candidates(ctx)
	if err != nil {
		return nil, err
	}
	allowed := byCategory(byAdvertiser(candidates, request), request)
	budgets, err := b.store.Budgets(ctx, allowed)
	if err != nil {
		return nil, err
	}
	paid := byBudget(allowed, budgets)
	shown := byOperatingSystem(byCreative(byCountry(paid, request), &native), request)
	winner := dearest(shown)
	if winner == nil {
		return nil, ErrNoAd
	}
	if b.settings.Answer == "full" {
		return encoded(b.fullAnswer(winner, request, &native))
	}
	return encoded(b.servedAd(winner, request))
}

func encoded[Answer any](answer *Answer, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return Encode(answer)
}

// Log writes a request and its answer down; nobody waits for it.
func (b *Bidder) Log(ctx context.Context, request, answer []byte) {
	go func() {
		if err := b.store.Log(context.WithoutCancel(ctx), request, answer); err != nil {
			log.Print(err)
		}
	}()
}

func dearest(ads []*Ad) *Ad {
	var best *Ad
	for _, ad := range ads {
		if best == nil || ad.CPMMicros > best.CPMMicros {
			best = ad
		}
	}
	return best
}
