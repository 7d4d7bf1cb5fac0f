// Package bidder bids for native placements with ads from Redis.
package bidder

import (
	"context"
	"fmt"

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

// Bid is with the dearest ad that may be shown; nil where there is none.
func (b *Bidder) Bid(ctx context.Context, request *Request) (*Response, error) {
	var native nativeRequest
	if err := json.API.Unmarshal([]byte(request.Imp[0].Native.Request), &native); err != nil {
		return nil, fmt.Errorf("native request: %w", err)
	}
	candidates, err := b.store.Candidates(ctx)
	if err != nil {
		return nil, err
	}
	allowed := byCategory(byAdvertiser(candidates, request), request)
	if len(allowed) == 0 {
		return nil, nil
	}
	budgets, err := b.store.Budgets(ctx, allowed)
	if err != nil {
		return nil, err
	}
	paid := byBudget(allowed, budgets)
	shown := byOperatingSystem(byCreative(byCountry(paid, request), &native), request)
	winner := dearest(shown)
	if winner == nil {
		return nil, nil
	}
	return b.answerWith(winner, request, &native)
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
