-- The message board. Times are in UTC.
CREATE TABLE categories (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(100) NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE users (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(100) NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE posts (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  category_id INT UNSIGNED NOT NULL,
  writer_id INT UNSIGNED NOT NULL,
  title VARCHAR(255) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  views INT UNSIGNED NOT NULL,
  created_at DATETIME(3) NOT NULL,
  -- The list of the latest posts reads its hundred rows in the order of this index.
  KEY latest (created_at),
  FOREIGN KEY (category_id) REFERENCES categories (id),
  FOREIGN KEY (writer_id) REFERENCES users (id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE comments (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  post_id INT UNSIGNED NOT NULL,
  writer_id INT UNSIGNED NOT NULL,
  content TEXT NOT NULL,
  FOREIGN KEY (post_id) REFERENCES posts (id),
  FOREIGN KEY (writer_id) REFERENCES users (id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE likes (
  post_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (post_id, user_id),
  FOREIGN KEY (post_id) REFERENCES posts (id),
  FOREIGN KEY (user_id) REFERENCES users (id)
) DEFAULT CHARSET = utf8mb4;
