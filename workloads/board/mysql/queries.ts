/** What a post has in its own row, and of its board. */
const LISTED = `posts.uid, posts.title, posts.content, posts.submitted, posts.modified, posts.hit, posts.status,
  posts.category_uid, posts.cover, posts.user_uid,
  boards.id AS board, boards.type AS board_type, boards.use_category`;
/**
 * The outer joins keep the order of the index: else the optimizer starts with the smaller tables and sorts
 * all posts.
 */
const FROM = 'FROM posts LEFT JOIN boards ON boards.uid = posts.board_uid';
const LATEST = 'ORDER BY posts.submitted DESC LIMIT ?';

export const JOINED = `
SELECT ${LISTED},
  categories.name AS category, users.name AS writer, users.profile, users.signature,
  (SELECT COUNT(*) FROM comments WHERE comments.post_uid = posts.uid) AS comments,
  (SELECT COUNT(*) FROM likes WHERE likes.post_uid = posts.uid AND likes.liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE likes.post_uid = posts.uid AND likes.user_uid = ? AND likes.liked = ?) AS liked
${FROM}
LEFT JOIN categories ON categories.uid = posts.category_uid
LEFT JOIN users ON users.uid = posts.user_uid
${LATEST}`;
export const POSTS = `SELECT ${LISTED} ${FROM} ${LATEST}`;

/** Five queries a post. */
export const CATEGORY = 'SELECT name AS category FROM categories WHERE uid = ?';
export const WRITER = 'SELECT name AS writer, profile, signature FROM users WHERE uid = ?';
export const COMMENTS = 'SELECT COUNT(*) AS comments FROM comments WHERE post_uid = ?';
export const LIKES = 'SELECT COUNT(*) AS likes FROM likes WHERE post_uid = ? AND liked = ?';
export const LIKED =
  'SELECT EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked';

/** Three: what is named, and the two about likes, in one each. */
export const NAMES = `
SELECT categories.name AS category, users.name AS writer, users.profile, users.signature
FROM categories, users WHERE categories.uid = ? AND users.uid = ?`;
export const BOTH_LIKES = `
SELECT (SELECT COUNT(*) FROM likes WHERE post_uid = ? AND liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked`;

/** One. */
export const ALL = `
SELECT categories.name AS category, users.name AS writer, users.profile, users.signature,
  (SELECT COUNT(*) FROM comments WHERE post_uid = ?) AS comments,
  (SELECT COUNT(*) FROM likes WHERE post_uid = ? AND liked = ?) AS likes,
  EXISTS (SELECT 1 FROM likes WHERE post_uid = ? AND user_uid = ? AND liked = ?) AS liked
FROM categories, users WHERE categories.uid = ? AND users.uid = ?`;
