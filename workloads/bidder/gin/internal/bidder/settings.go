package bidder

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Settings are what the environment chooses: what was published differs by these.
type Settings struct {
	// "key": the candidates of one key; "repeated": ten ads repeated.
	Candidates string
	// What is in Redis: "msgpack" or "json".
	Format string
	// "fixed": 200 candidates; "random": 100 or 200 by chance.
	Choice string
	// How the redirect is compressed: "fast", or as "published".
	LZ string
	// What reads and writes JSON: "std" or "go-json".
	JSON string
	// The answer, an id and a link as "published", or a "full" OpenRTB bid.
	Answer string
	// Where requests and answers are written down: "none" or "stream".
	BidLog string
	// "none", or "default": Gin's logger and recovery.
	Log string
	// The most connections to Redis; 0 for the driver's default.
	RedisPool int
	// A clock that stands still where CLOCK says a time, so that every answer is known.
	Clock func() time.Time
}

// SettingsFromEnv reads them, and refuses a value that is none of theirs.
func SettingsFromEnv() (settings Settings, err error) {
	settings.Clock = time.Now
	for _, each := range []struct {
		name   string
		field  *string
		values []string
	}{
		{"CANDIDATES", &settings.Candidates, []string{"key", "repeated"}},
		{"FORMAT", &settings.Format, []string{"msgpack", "json"}},
		{"CHOICE", &settings.Choice, []string{"fixed", "random"}},
		{"LZ", &settings.LZ, []string{"fast", "published"}},
		{"JSON", &settings.JSON, []string{"std", "go-json"}},
		{"ANSWER", &settings.Answer, []string{"published", "full"}},
		{"BID_LOG", &settings.BidLog, []string{"none", "stream"}},
		{"LOG", &settings.Log, []string{"none", "default"}},
	} {
		*each.field = each.values[0]
		said, isSaid := os.LookupEnv(each.name)
		if !isSaid {
			continue
		}
		if !slices.Contains(each.values, said) {
			return settings, fmt.Errorf("%s=%s is none of %s", each.name, said, strings.Join(each.values, ", "))
		}
		*each.field = said
	}
	if pool, isSaid := os.LookupEnv("REDIS_POOL"); isSaid {
		if settings.RedisPool, err = strconv.Atoi(pool); err != nil || settings.RedisPool < 1 {
			return settings, fmt.Errorf("REDIS_POOL=%s is no number of connections", pool)
		}
	}
	if clock, isSaid := os.LookupEnv("CLOCK"); isSaid {
		frozen, err := time.Parse(time.RFC3339, clock)
		if err != nil {
			return settings, fmt.Errorf("CLOCK=%s is no time: %w", clock, err)
		}
		settings.Clock = func() time.Time { return frozen }
	}
	return settings, nil
}
