-- What a row is read of, by its key. Prices are in cents.
CREATE TABLE items (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  price INT UNSIGNED NOT NULL
) DEFAULT CHARSET = utf8mb4;

INSERT INTO items SELECT seq, CONCAT('Item ', seq), seq * 101 FROM seq_1_to_1000;
