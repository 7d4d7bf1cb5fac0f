import mysql, { type RowDataPacket } from 'mysql2/promise';

/** A row, without its key. */
export interface Item {
  name: string;
  /** In cents. */
  price: number;
}

/** The table of items. */
export interface Items {
  /** The item with this key; null where there is none. */
  find(id: string): Promise<Item | null>;
  close(): Promise<void>;
}

/** What mysql2 does by itself. */
const CONNECTIONS = 10;
const BY_KEY = 'SELECT name, price FROM items WHERE id = ?';

/** Opens the pool; each of its connections prepares the statement once. */
export function openItems(): Items {
  const pool = mysql.createPool({
    socketPath: required('MARIADB_SOCKET'),
    user: required('MARIADB_USER'),
    password: required('MARIADB_PASSWORD'),
    database: required('MARIADB_DATABASE'),
    connectionLimit: CONNECTIONS,
  });
  return {
    async find(id) {
      const [[row]] = await pool.execute<(Item & RowDataPacket)[]>(BY_KEY, [id]);
      return row === undefined ? null : { name: row.name, price: row.price };
    },
    close: () => pool.end(),
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new Error(`${name} is not in the environment`);
}
