package store

const (
	// listed is what a post has in its own row, and of its board.
	listed = `posts.uid, posts.title, posts.content, posts.submitted, posts.modified, posts.hit, posts.status,
  posts.category_uid, posts.cover, posts.user_uid,
  boards.id AS board, boards.type AS board_type, boards.use_category`
	// The outer joins keep the order of the index: else the optimizer starts with the smaller tables and
	// sorts all posts.
	from      = `FROM posts LEFT JOIN boards ON boards.uid = posts.board_uid`
	newest    = `ORDER BY posts.submitted DESC LIMIT ?`
	postsOnly = `SELECT ` + listed + ` ` + from + ` ` + newest
	joined    = `
SELECT ` + listed + `,
  categories.name AS category, users.name AS writer, users.profile, users.signature,
  (SELECT COUNT(*) FROM comments WHERE comments.post_uid = posts.uid) AS comments,
  (SELECT COUNT(*) FROM likes WHERE likes.post_uid = posts.uid AND likes.liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE likes.post_uid = posts.uid AND likes.user_uid = ? AND likes.liked = ?) AS liked
` + from + `
LEFT JOIN categories ON categories.uid = posts.category_uid
LEFT JOIN users ON users.uid = posts.user_uid
` + newest
)

// The five queries of a post.
const (
	categoryOf = `SELECT name AS category FROM categories WHERE uid = ?`
	writerOf   = `SELECT name AS writer, profile, signature FROM users WHERE uid = ?`
	commentsOf = `SELECT COUNT(*) AS comments FROM comments WHERE post_uid = ?`
	likesOf    = `SELECT COUNT(*) AS likes FROM likes WHERE post_uid = ? AND liked = ?`
	likedBy    = `SELECT EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked`
)

// Of three, what is named, and the two about likes, in one each.
const (
	namesOf = `
SELECT categories.name AS category, users.name AS writer, users.profile, users.signature
FROM categories, users WHERE categories.uid = ? AND users.uid = ?`
	bothLikes = `
SELECT (SELECT COUNT(*) FROM likes WHERE post_uid = ? AND liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked`
)

// allOf is a post's only query.
const allOf = `
SELECT categories.name AS category, users.name AS writer, users.profile, users.signature,
  (SELECT COUNT(*) FROM comments WHERE post_uid = ?) AS comments,
  (SELECT COUNT(*) FROM likes WHERE post_uid = ? AND liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked
FROM categories, users WHERE categories.uid = ? AND users.uid = ?`

// step is one of the queries of a post: what it is asked with, and where its columns go.
type step struct {
	query  string
	values func(post *Post, reader int) []any
	into   func(post *Post) []any
}

const isLiked = 1

var (
	countComments = step{
		commentsOf,
		func(p *Post, _ int) []any { return []any{p.UID} },
		func(p *Post) []any { return []any{&p.Comment} },
	}
	steps = map[Queries][]step{
		Five: {
			{
				categoryOf,
				func(p *Post, _ int) []any { return []any{p.Category.UID} },
				func(p *Post) []any { return []any{&p.Category.Name} },
			},
			{
				writerOf,
				func(p *Post, _ int) []any { return []any{p.Writer.UID} },
				func(p *Post) []any { return []any{&p.Writer.Name, &p.Writer.Profile, &p.Writer.Signature} },
			},
			countComments,
			{
				likesOf,
				func(p *Post, _ int) []any { return []any{p.UID, isLiked} },
				func(p *Post) []any { return []any{&p.Like} },
			},
			{
				likedBy,
				func(p *Post, reader int) []any { return []any{p.UID, reader, isLiked} },
				func(p *Post) []any { return []any{&p.Liked} },
			},
		},
		Three: {
			{namesOf, func(p *Post, _ int) []any { return []any{p.Category.UID, p.Writer.UID} }, names},
			countComments,
			{
				bothLikes,
				func(p *Post, reader int) []any { return []any{p.UID, isLiked, p.UID, reader, isLiked} },
				func(p *Post) []any { return []any{&p.Like, &p.Liked} },
			},
		},
		One: {
			{
				allOf,
				func(p *Post, reader int) []any {
					return []any{p.UID, p.UID, isLiked, p.UID, reader, isLiked, p.Category.UID, p.Writer.UID}
				},
				inOne,
			},
		},
	}
)

func names(p *Post) []any {
	return []any{&p.Category.Name, &p.Writer.Name, &p.Writer.Profile, &p.Writer.Signature}
}

func inOne(p *Post) []any {
	return append(names(p), &p.Comment, &p.Like, &p.Liked)
}

// inList is where the columns of a post in the list go.
func inList(p *Post) []any {
	return []any{
		&p.UID, &p.Title, &p.Content, &p.Submitted, &p.Modified, &p.Hit, &p.Status,
		&p.Category.UID, &p.Cover, &p.Writer.UID, &p.ID, &p.Type, &p.UseCategory,
	}
}

func queriesOf(queries Queries) []string {
	if queries == Join {
		return []string{joined}
	}
	all := []string{postsOnly}
	for _, each := range steps[queries] {
		all = append(all, each.query)
	}
	return all
}
