// Package store reads the message board from MariaDB.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Named is a category or a user.
type Named struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// Post is a post as the list shows it.
type Post struct {
	ID        int       `json:"id"`
	Title     string    `json:"title"`
	Content   string    `json:"content"`
	Views     int       `json:"views"`
	CreatedAt time.Time `json:"createdAt"`
	Category  Named     `json:"category"`
	Writer    Named     `json:"writer"`
	Comments  int       `json:"comments"`
	Likes     int       `json:"likes"`
	Liked     bool      `json:"liked"`
}

// List is the answer with the latest posts.
type List struct {
	Posts []Post `json:"posts"`
}

// shown is how many posts the list has.
const shown = 100

// lifetime is what the driver's README recommends: shorter than anybody between keeps an idle connection.
const lifetime = 3 * time.Minute

// querier is what runs queries: the pool itself, or statements that were prepared on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Store reads posts.
type Store struct {
	db      querier
	queries Queries
}

// Open connects to the database that the environment names.
func Open(settings Settings) (*Store, error) {
	config := mysql.NewConfig()
	config.Net = "unix"
	config.Addr = os.Getenv("MARIADB_SOCKET")
	config.User = os.Getenv("MARIADB_USER")
	config.Passwd = os.Getenv("MARIADB_PASSWORD")
	config.DBName = os.Getenv("MARIADB_DATABASE")
	config.ParseTime = true
	config.InterpolateParams = settings.Statements == Interpolated
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(settings.Pool)
	pool.SetMaxIdleConns(settings.Idle)
	pool.SetConnMaxLifetime(lifetime)
	if err := pool.Ping(); err != nil {
		return nil, fmt.Errorf("no database at %s: %w", config.Addr, err)
	}
	if settings.Statements != PreparedOnce {
		return &Store{db: pool, queries: settings.Queries}, nil
	}
	statements, err := prepare(pool, queriesOf(settings.Queries)...)
	if err != nil {
		return nil, err
	}
	return &Store{db: statements, queries: settings.Queries}, nil
}

// Latest are the latest posts; a user reads them, and has liked some.
func (s *Store) Latest(ctx context.Context, reader int) (List, error) {
	if s.queries == NPlusOne {
		return s.latestOneByOne(ctx, reader)
	}
	return s.latestJoined(ctx, reader)
}

// prepared holds a statement for every query; database/sql prepares it on each connection that runs it.
type prepared map[string]*sql.Stmt

func prepare(pool *sql.DB, queries ...string) (prepared, error) {
	statements := prepared{}
	for _, query := range queries {
		statement, err := pool.Prepare(query)
		if err != nil {
			return nil, err
		}
		statements[query] = statement
	}
	return statements, nil
}

func (p prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p[query].QueryContext(ctx, args...)
}

func (p prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p[query].QueryRowContext(ctx, args...)
}
