package store

import (
	"fmt"
	"os"
	"strconv"
)

// Queries is how the list is read.
type Queries string

const (
	// Join reads the list with one query.
	Join Queries = "join"
	// NPlusOne reads the posts with one query, and then runs five more for each of them.
	NPlusOne Queries = "n-plus-one"
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

// Settings are what the variants of a server differ in, beside its router and its JSON.
type Settings struct {
	Queries    Queries
	Statements Statements
	// Pool is the most connections that are open at once.
	Pool int
	// Idle is the most connections that are kept open without a query.
	Idle int
}

// defaultPool is as large as every other server's.
const defaultPool = 50

// FromEnvironment reads the settings that the environment names; what it does not name has its default.
func FromEnvironment() (Settings, error) {
	queries, err := OneOf("QUERIES", Join, NPlusOne)
	if err != nil {
		return Settings{}, err
	}
	statements, err := OneOf("STATEMENTS", Interpolated, Prepared, PreparedOnce)
	if err != nil {
		return Settings{}, err
	}
	pool, err := number("POOL", defaultPool)
	if err != nil {
		return Settings{}, err
	}
	idle, err := number("IDLE", pool)
	if err != nil {
		return Settings{}, err
	}
	return Settings{Queries: queries, Statements: statements, Pool: pool, Idle: idle}, nil
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

func number(name string, otherwise int) (int, error) {
	value := os.Getenv(name)
	if value == "" {
		return otherwise, nil
	}
	found, err := strconv.Atoi(value)
	if err != nil || found < 1 {
		return 0, fmt.Errorf("%s is %q, no number above 0", name, value)
	}
	return found, nil
}
