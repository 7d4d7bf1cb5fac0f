package store

import "context"

// The outer joins keep the order of the index: else the optimizer starts with the smaller users and sorts
// all posts.
const joined = `
SELECT posts.id, posts.title, posts.content, posts.views, posts.created_at,
  categories.id AS category_id, categories.name AS category, users.id AS writer_id, users.name AS writer,
  (SELECT COUNT(*) FROM comments WHERE comments.post_id = posts.id) AS comments,
  (SELECT COUNT(*) FROM likes WHERE likes.post_id = posts.id) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE likes.post_id = posts.id AND likes.user_id = ?) AS liked
FROM posts
LEFT JOIN categories ON categories.id = posts.category_id
LEFT JOIN users ON users.id = posts.writer_id
ORDER BY posts.created_at DESC
LIMIT ?`

const (
	postsOnly = `
SELECT id, title, content, views, created_at, category_id, writer_id
FROM posts ORDER BY created_at DESC LIMIT ?`
	categoryOf = "SELECT id, name FROM categories WHERE id = ?"
	writerOf   = "SELECT id, name FROM users WHERE id = ?"
	commentsOf = "SELECT COUNT(*) AS count FROM comments WHERE post_id = ?"
	likesOf    = "SELECT COUNT(*) AS count FROM likes WHERE post_id = ?"
	likedBy    = "SELECT EXISTS (SELECT 1 FROM likes WHERE post_id = ? AND user_id = ?) AS liked"
)

func queriesOf(queries Queries) []string {
	if queries == NPlusOne {
		return []string{postsOnly, categoryOf, writerOf, commentsOf, likesOf, likedBy}
	}
	return []string{joined}
}

func (s *Store) latestJoined(ctx context.Context, reader int) (List, error) {
	rows, err := s.db.QueryContext(ctx, joined, reader, shown)
	if err != nil {
		return List{}, err
	}
	defer rows.Close()
	posts := make([]Post, 0, shown)
	for rows.Next() {
		var post Post
		if err := rows.Scan(
			&post.ID, &post.Title, &post.Content, &post.Views, &post.CreatedAt,
			&post.Category.ID, &post.Category.Name, &post.Writer.ID, &post.Writer.Name,
			&post.Comments, &post.Likes, &post.Liked,
		); err != nil {
			return List{}, err
		}
		posts = append(posts, post)
	}
	return List{Posts: posts}, rows.Err()
}

func (s *Store) latestOneByOne(ctx context.Context, reader int) (List, error) {
	posts, err := s.posts(ctx)
	if err != nil {
		return List{}, err
	}
	for index := range posts {
		if err := s.complete(ctx, &posts[index], reader); err != nil {
			return List{}, err
		}
	}
	return List{Posts: posts}, nil
}

func (s *Store) posts(ctx context.Context) ([]Post, error) {
	rows, err := s.db.QueryContext(ctx, postsOnly, shown)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	posts := make([]Post, 0, shown)
	for rows.Next() {
		var post Post
		if err := rows.Scan(
			&post.ID, &post.Title, &post.Content, &post.Views, &post.CreatedAt,
			&post.Category.ID, &post.Writer.ID,
		); err != nil {
			return nil, err
		}
		posts = append(posts, post)
	}
	return posts, rows.Err()
}

// complete runs the five queries of a post.
func (s *Store) complete(ctx context.Context, post *Post, reader int) error {
	category := s.db.QueryRowContext(ctx, categoryOf, post.Category.ID)
	if err := category.Scan(&post.Category.ID, &post.Category.Name); err != nil {
		return err
	}
	writer := s.db.QueryRowContext(ctx, writerOf, post.Writer.ID)
	if err := writer.Scan(&post.Writer.ID, &post.Writer.Name); err != nil {
		return err
	}
	comments := s.db.QueryRowContext(ctx, commentsOf, post.ID)
	if err := comments.Scan(&post.Comments); err != nil {
		return err
	}
	likes := s.db.QueryRowContext(ctx, likesOf, post.ID)
	if err := likes.Scan(&post.Likes); err != nil {
		return err
	}
	return s.db.QueryRowContext(ctx, likedBy, post.ID, reader).Scan(&post.Liked)
}
