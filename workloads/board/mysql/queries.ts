/**
 * The outer joins keep the order of the index: else the optimizer starts with the smaller users and sorts
 * all posts.
 */
export const JOINED = `
SELECT posts.id, posts.title, posts.content, posts.views, posts.created_at,
  categories.id AS category_id, categories.name AS category, users.id AS writer_id, users.name AS writer,
  (SELECT COUNT(*) FROM comments WHERE comments.post_id = posts.id) AS comments,
  (SELECT COUNT(*) FROM likes WHERE likes.post_id = posts.id) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE likes.post_id = posts.id AND likes.user_id = ?) AS liked
FROM posts
LEFT JOIN categories ON categories.id = posts.category_id
LEFT JOIN users ON users.id = posts.writer_id
ORDER BY posts.created_at DESC
LIMIT ?`;

export const POSTS = `
SELECT id, title, content, views, created_at, category_id, writer_id
FROM posts ORDER BY created_at DESC LIMIT ?`;
export const CATEGORY = 'SELECT id, name FROM categories WHERE id = ?';
export const WRITER = 'SELECT id, name FROM users WHERE id = ?';
export const COMMENTS = 'SELECT COUNT(*) AS count FROM comments WHERE post_id = ?';
export const LIKES = 'SELECT COUNT(*) AS count FROM likes WHERE post_id = ?';
export const LIKED =
  'SELECT EXISTS (SELECT 1 FROM likes WHERE post_id = ? AND user_id = ?) AS liked';
