package store

import (
	"fmt"
	"os"
)

// Queries is how the list is read.
type Queries string

const (
	// Join reads the list with one query.
	Join Queries = "join"
	// The others read the posts with one query, and then run so many more for each of them.
	One   Queries = "1"
	Three Queries = "3"
	Five  Queries = "5"
)

// Statements is how queries with parameters get to the database.
type Statements string

const (
	// Interpolated sends the whole query as text: one round trip.
	Interpolated Statements = "interpolated"
	// Prepared is the driver's default: prepare, execute and close for every query, two waited round trips.
	Prepared Statements = "prepared"
	// PreparedOnce keeps a statement on each connection and executes it: one round trip.
	PreparedOnce Statements = "prepared-once"
)

// Pool is how many connections there are.
type Pool string

const (
	// Published is as it was published: at most 20, as many of them idle, for three minutes.
	Published Pool = "published"
	// Defaults are those of database/sql: as many as are wanted at once, two of them idle.
	Defaults Pool = "defaults"
)

// Settings are what the variants of a server differ in, beside its router and its JSON.
type Settings struct {
	Queries    Queries
	Statements Statements
	Pool       Pool
}

// FromEnvironment reads the settings that the environment names; what it does not name has its default.
func FromEnvironment() (Settings, error) {
	queries, err := OneOf("QUERIES", Join, One, Three, Five)
	if err != nil {
		return Settings{}, err
	}
	statements, err := OneOf("STATEMENTS", Interpolated, Prepared, PreparedOnce)
	if err != nil {
		return Settings{}, err
	}
	pool, err := OneOf("POOL", Published, Defaults)
	if err != nil {
		return Settings{}, err
	}
	return Settings{Queries: queries, Statements: statements, Pool: pool}, nil
}

// OneOf is the choice that a variable of the environment names, by default the first.
func OneOf[T ~string](name string, first T, others ...T) (T, error) {
	value := os.Getenv(name)
	if value == "" || value == string(first) {
		return first, nil
	}
	for _, other := range others {
		if value == string(other) {
			return other, nil
		}
	}
	return first, fmt.Errorf("%s is %q, not one of %q", name, value, append([]T{first}, others...))
}
