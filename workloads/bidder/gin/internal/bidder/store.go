package bidder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/gin-gonic/gin/codec/json"
	"github.com/redis/go-redis/v9"
	"github.com/tinylib/msgp/msgp"
)

const (
	most     = 200
	fewer    = 100
	repeated = 10
)

// Store is what Redis holds of ads and budgets.
type Store struct {
	redis    *redis.Client
	settings Settings
	decode   func(data []byte, into msgp.Unmarshaler) error
}

// NewStore reads what these settings say from Redis.
func NewStore(client *redis.Client, settings Settings) *Store {
	decode := fromMsgpack
	if settings.Format == "json" {
		decode = fromJSON
	}
	return &Store{redis: client, settings: settings, decode: decode}
}

func fromMsgpack(data []byte, into msgp.Unmarshaler) error {
	_, err := into.UnmarshalMsg(data)
	return err
}

func fromJSON(data []byte, into msgp.Unmarshaler) error {
	return json.API.Unmarshal(data, into)
}

// Candidates are the ads that may be shown at all.
func (s *Store) Candidates(ctx context.Context) ([]*Ad, error) {
	count := most
	if s.settings.Choice == "random" && rand.IntN(2) == 0 {
		count = fewer
	}
	if s.settings.Candidates == "repeated" {
		return s.repeatedAds(ctx, count)
	}
	data, err := s.redis.Get(ctx, s.key("candidates:"+strconv.Itoa(count))).Bytes()
	if err != nil {
		return nil, fmt.Errorf("candidates: %w", err)
	}
	ads := make(Ads, 0, count)
	if err := s.decode(data, &ads); err != nil {
		return nil, fmt.Errorf("candidates: %w", err)
	}
	candidates := make([]*Ad, len(ads))
	for place := range ads {
		candidates[place] = &ads[place]
	}
	return candidates, nil
}

// The ids of ten ads, again and again, are fetched at once, and each value is decoded.
func (s *Store) repeatedAds(ctx context.Context, count int) ([]*Ad, error) {
	keys := make([]string, count)
	for place := range keys {
		keys[place] = s.key(fmt.Sprintf("ad:ad-00%d4", place%repeated))
	}
	values, err := s.redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, fmt.Errorf("ads: %w", err)
	}
	ads := make([]*Ad, count)
	for place, value := range values {
		text, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("no %s", keys[place])
		}
		ads[place] = new(Ad)
		if err := s.decode([]byte(text), ads[place]); err != nil {
			return nil, fmt.Errorf("%s: %w", keys[place], err)
		}
	}
	return ads, nil
}

// Budgets are what these ads may still spend, in their order, in millionths of a US dollar; 0 for an ad without one.
func (s *Store) Budgets(ctx context.Context, ads []*Ad) ([]int64, error) {
	// MGET wants a key.
	if len(ads) == 0 {
		return nil, nil
	}
	keys := make([]string, len(ads))
	for place, ad := range ads {
		keys[place] = "budget:" + ad.ID
	}
	values, err := s.redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	budgets := make([]int64, len(ads))
	for place, value := range values {
		text, ok := value.(string)
		if !ok {
			continue
		}
		if budgets[place], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("%s: %w", keys[place], err)
		}
	}
	return budgets, nil
}

// About so many entries of the log are kept.
const mostLogged = 1000

// Log writes a request and its answer to a stream in Redis.
func (s *Store) Log(ctx context.Context, request, answer []byte) error {
	return s.redis.XAdd(ctx, &redis.XAddArgs{
		Stream: "bids",
		MaxLen: mostLogged,
		Approx: true,
		Values: []any{"request", request, "answer", answer},
	}).Err()
}

func (s *Store) key(name string) string {
	return s.settings.Format + ":" + name
}
