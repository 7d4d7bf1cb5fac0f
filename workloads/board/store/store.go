// Package store reads the message board from MariaDB.
package store

import (
	"database/sql"
	"fmt"
	"os"
	"time"

	// The driver.
	_ "github.com/go-sql-driver/mysql"
)

// Category is what a post is filed under.
type Category struct {
	UID  int    `json:"uid"`
	Name string `json:"name"`
}

// Writer is a user who writes posts.
type Writer struct {
	UID       int    `json:"uid"`
	Name      string `json:"name"`
	Profile   string `json:"profile"`
	Signature string `json:"signature"`
}

// Post is a post as the list shows it. Times are in ms.
type Post struct {
	UID         int      `json:"uid"`
	Title       string   `json:"title"`
	Content     string   `json:"content"`
	Submitted   int64    `json:"submitted"`
	Modified    int64    `json:"modified"`
	Hit         int      `json:"hit"`
	Status      int      `json:"status"`
	Category    Category `json:"category"`
	Cover       string   `json:"cover"`
	Comment     int      `json:"comment"`
	Like        int      `json:"like"`
	Liked       bool     `json:"liked"`
	Writer      Writer   `json:"writer"`
	ID          string   `json:"id"`
	Type        int      `json:"type"`
	UseCategory bool     `json:"useCategory"`
}

// shown is how many posts the list has.
const shown = 100

// querier is what runs queries: the pool itself, or statements that were prepared on it.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// Store reads posts.
type Store struct {
	db      querier
	queries Queries
}

// Open connects to the database that the environment names.
func Open(settings Settings) (*Store, error) {
	socket := os.Getenv("MARIADB_SOCKET")
	account := os.Getenv("MARIADB_USER") + ":" + os.Getenv("MARIADB_PASSWORD")
	source := fmt.Sprintf("%s@unix(%s)/%s?charset=utf8mb4&loc=Local&interpolateParams=%t",
		account, socket, os.Getenv("MARIADB_DATABASE"), settings.Statements == Interpolated)
	pool, err := sql.Open("mysql", source)
	if err != nil {
		return nil, err
	}
	if settings.Pool == Published {
		pool.SetMaxIdleConns(20)
		pool.SetMaxOpenConns(20)
		pool.SetConnMaxLifetime(3 * time.Minute)
	}
	if err := pool.Ping(); err != nil {
		return nil, fmt.Errorf("no database at %s: %w", socket, err)
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

func (p prepared) Query(query string, args ...any) (*sql.Rows, error) {
	return p[query].Query(args...)
}

func (p prepared) QueryRow(query string, args ...any) *sql.Row {
	return p[query].QueryRow(args...)
}
