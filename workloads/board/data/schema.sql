-- The message board. Times are in ms since 1970, as the published answer has them.
CREATE TABLE boards (
  uid INT UNSIGNED NOT NULL PRIMARY KEY,
  id VARCHAR(30) NOT NULL,
  type TINYINT UNSIGNED NOT NULL,
  use_category TINYINT UNSIGNED NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE categories (
  uid INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(100) NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE users (
  uid INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  profile VARCHAR(300) NOT NULL,
  signature VARCHAR(300) NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE posts (
  uid INT UNSIGNED NOT NULL PRIMARY KEY,
  board_uid INT UNSIGNED NOT NULL,
  category_uid INT UNSIGNED NOT NULL,
  user_uid INT UNSIGNED NOT NULL,
  title VARCHAR(300) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  cover VARCHAR(300) NOT NULL,
  submitted BIGINT UNSIGNED NOT NULL,
  modified BIGINT UNSIGNED NOT NULL,
  hit INT UNSIGNED NOT NULL,
  status TINYINT NOT NULL,
  -- The list of the latest posts reads its hundred rows in the order of this index.
  KEY latest (submitted),
  FOREIGN KEY (board_uid) REFERENCES boards (uid),
  FOREIGN KEY (category_uid) REFERENCES categories (uid),
  FOREIGN KEY (user_uid) REFERENCES users (uid)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE comments (
  uid INT UNSIGNED NOT NULL PRIMARY KEY,
  post_uid INT UNSIGNED NOT NULL,
  user_uid INT UNSIGNED NOT NULL,
  content TEXT NOT NULL,
  FOREIGN KEY (post_uid) REFERENCES posts (uid),
  FOREIGN KEY (user_uid) REFERENCES users (uid)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE likes (
  post_uid INT UNSIGNED NOT NULL,
  user_uid INT UNSIGNED NOT NULL,
  -- 0 where somebody took it back.
  liked TINYINT UNSIGNED NOT NULL,
  PRIMARY KEY (post_uid, user_uid),
  FOREIGN KEY (post_uid) REFERENCES posts (uid),
  FOREIGN KEY (user_uid) REFERENCES users (uid)
) DEFAULT CHARSET = utf8mb4;
