package store

// Latest are the latest posts; a user reads them, and has liked some.
func (s *Store) Latest(reader int) ([]Post, error) {
	if s.queries == Join {
		return s.list(joined, func(p *Post) []any { return append(inList(p), inOne(p)...) },
			isLiked, reader, isLiked, shown)
	}
	posts, err := s.list(postsOnly, inList, shown)
	if err != nil {
		return nil, err
	}
	for index := range posts {
		if err := s.complete(&posts[index], reader); err != nil {
			return nil, err
		}
	}
	return posts, nil
}

func (s *Store) list(query string, into func(*Post) []any, values ...any) ([]Post, error) {
	rows, err := s.db.Query(query, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	posts := make([]Post, 0, shown)
	for rows.Next() {
		var post Post
		if err := rows.Scan(into(&post)...); err != nil {
			return nil, err
		}
		posts = append(posts, post)
	}
	return posts, rows.Err()
}

// complete runs the queries of a post, one after the other.
func (s *Store) complete(post *Post, reader int) error {
	for _, each := range steps[s.queries] {
		row := s.db.QueryRow(each.query, each.values(post, reader)...)
		if err := row.Scan(each.into(post)...); err != nil {
			return err
		}
	}
	return nil
}
