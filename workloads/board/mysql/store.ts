import mysql, { type Pool, type RowDataPacket } from 'mysql2/promise';
import { CATEGORY, COMMENTS, JOINED, LIKED, LIKES, POSTS, WRITER } from './queries.ts';
import { required, type Settings } from './settings.ts';

/** A category or a user. */
export interface Named {
  id: number;
  name: string;
}

/** A post as the list shows it. */
export interface Post {
  id: number;
  title: string;
  content: string;
  views: number;
  createdAt: Date;
  category: Named;
  writer: Named;
  comments: number;
  likes: number;
  liked: boolean;
}

/** The answer with the latest posts. */
export interface List {
  posts: Post[];
}

/** Reads the latest posts; a user reads them, and has liked some. */
export type Latest = (reader: number) => Promise<List>;

/** How many posts the list has. */
const SHOWN = 100;

/** Opens the pool, and tells how the list is read from it. */
export function openStore({ queries, statements, pool: connectionLimit }: Settings): Latest {
  const pool = mysql.createPool({
    socketPath: required('MARIADB_SOCKET'),
    user: required('MARIADB_USER'),
    password: required('MARIADB_PASSWORD'),
    database: required('MARIADB_DATABASE'),
    timezone: 'Z',
    connectionLimit,
  });
  const read = statements === 'prepared-once' ? executing(pool) : interpolating(pool);
  return queries === 'n-plus-one' ? oneByOne(read) : joined(read);
}

/** Runs a query with these parameters, and returns its rows. */
type Read = <Row>(query: string, values: number[]) => Promise<(Row & RowDataPacket)[]>;

function interpolating(pool: Pool): Read {
  return async <Row>(query: string, values: number[]) => {
    const [rows] = await pool.query<(Row & RowDataPacket)[]>(query, values);
    return rows;
  };
}

/** Each connection keeps the statements that it has prepared. */
function executing(pool: Pool): Read {
  return async <Row>(query: string, values: number[]) => {
    const [rows] = await pool.execute<(Row & RowDataPacket)[]>(query, values);
    return rows;
  };
}

interface PostRow {
  id: number;
  title: string;
  content: string;
  views: number;
  created_at: Date;
  category_id: number;
  writer_id: number;
}

interface JoinedRow extends PostRow {
  category: string;
  writer: string;
  comments: number;
  likes: number;
  liked: number;
}

function joined(read: Read): Latest {
  return async (reader) => {
    const rows = await read<JoinedRow>(JOINED, [reader, SHOWN]);
    const posts = rows.map((row) => ({
      id: row.id,
      title: row.title,
      content: row.content,
      views: row.views,
      createdAt: row.created_at,
      category: { id: row.category_id, name: row.category },
      writer: { id: row.writer_id, name: row.writer },
      comments: row.comments,
      likes: row.likes,
      liked: row.liked === 1,
    }));
    return { posts };
  };
}

/** One after the other, as the same in Go; other requests go on meanwhile. */
function oneByOne(read: Read): Latest {
  const one = async <Row>(query: string, values: number[]) => {
    const [row] = await read<Row>(query, values);
    if (row === undefined) throw new Error(`no row of ${query} with ${values.join(', ')}`);
    return row;
  };
  return async (reader) => {
    const posts: Post[] = [];
    for (const row of await read<PostRow>(POSTS, [SHOWN])) {
      const category = await one<Named>(CATEGORY, [row.category_id]);
      const writer = await one<Named>(WRITER, [row.writer_id]);
      const comments = await one<{ count: number }>(COMMENTS, [row.id]);
      const likes = await one<{ count: number }>(LIKES, [row.id]);
      const { liked } = await one<{ liked: number }>(LIKED, [row.id, reader]);
      posts.push({
        id: row.id,
        title: row.title,
        content: row.content,
        views: row.views,
        createdAt: row.created_at,
        category: { id: category.id, name: category.name },
        writer: { id: writer.id, name: writer.name },
        comments: comments.count,
        likes: likes.count,
        liked: liked === 1,
      });
    }
    return { posts };
  };
}
