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

// Ten ads, again and again.
func (s *Store) repeatedAds(ctx context.Context, count int) ([]*Ad, error) {
	keys := make([]string, repeated)
	for place := range keys {
		keys[place] = s.key("ad:" + strconv.Itoa(place))
	}
	values, err := s.redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, fmt.Errorf("ads: %w", err)
	}
	ads := make(Ads, len(keys))
	for place, value := range values {
		text, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("no %s", keys[place])
		}
		if err := s.decode([]byte(text), &ads[place]); err != nil {
			return nil, fmt.Errorf("%s: %w", keys[place], err)
		}
	}
	candidates := make([]*Ad, count)
	for place := range candidates {
		candidates[place] = &ads[place%len(ads)]
	}
	return candidates, nil
}

// Budgets are those of these ads, in their order; an ad without one has nothing to spend.
func (s *Store) Budgets(ctx context.Context, ads []*Ad) ([]Budget, error) {
	keys := make([]string, len(ads))
	for place, ad := range ads {
		keys[place] = s.key("budget:" + ad.ID)
	}
	values, err := s.redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	budgets := make([]Budget, len(ads))
	for place, value := range values {
		text, ok := value.(string)
		if !ok {
			continue
		}
		if err := s.decode([]byte(text), &budgets[place]); err != nil {
			return nil, fmt.Errorf("%s: %w", keys[place], err)
		}
	}
	return budgets, nil
}

func (s *Store) key(name string) string {
	return s.settings.Format + ":" + name
}
