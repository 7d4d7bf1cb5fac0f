import {
  ALL,
  BOTH_LIKES,
  CATEGORY,
  COMMENTS,
  JOINED,
  LIKED,
  LIKES,
  NAMES,
  POSTS,
  WRITER,
} from './queries.ts';
import { required, type Settings } from './settings.ts';

/** A post as the list shows it. */
export interface Post {
  uid: number;
  title: string;
  content: string;
  submitted: number;
  modified: number;
  hit: number;
  status: number;
  category: { uid: number; name: string };
  cover: string;
  comment: number;
  like: number;
  liked: boolean;
  writer: { uid: number; name: string; profile: string; signature: string };
  id: string;
  type: number;
  useCategory: boolean;
}

/** The answer with the latest posts. */
export interface List {
  success: true;
  error: '';
  result: Post[];
}

/** Reads the latest posts; a user reads them, and has liked some. */
export type Latest = (reader: number) => Promise<List>;

/** A connection of mysql2, of whichever version a server has. */
interface Connection {
  query(query: string, values: (number | string)[]): Promise<[unknown, unknown]>;
  execute(query: string, values: (number | string)[]): Promise<[unknown, unknown]>;
  release(): void;
}
interface Pool {
  getConnection(): Promise<Connection>;
}

/** How many posts the list has. */
const SHOWN = 100;
/** As a value of a query. */
const TRUE = 1;

/** The pool as it was published, of the database that the environment names. */
export function poolOptions() {
  return {
    socketPath: required('MARIADB_SOCKET'),
    user: required('MARIADB_USER'),
    password: required('MARIADB_PASSWORD'),
    database: required('MARIADB_DATABASE'),
    waitForConnections: true,
    connectionLimit: 10,
    maxIdle: 10,
    idleTimeout: 60_000,
    queueLimit: 0,
    enableKeepAlive: true,
    keepAliveInitialDelay: 0,
  };
}

/** How the list is read from a pool. */
export function storeOf(pool: Pool, { queries, statements }: Settings): Latest {
  const run = statements === 'prepared-once' ? executed : interpolated;
  const read: Read = async <Row>(query: string, values: number[]) => {
    const connection = await pool.getConnection();
    try {
      const [rows] = await run(connection, query, values);
      return rows as Row[];
    } finally {
      connection.release();
    }
  };
  return queries === 'join' ? joined(read) : oneByOne(read, STEPS[queries]);
}

/** Runs a query with these values, and returns its rows. */
type Read = <Row>(query: string, values: number[]) => Promise<Row[]>;

function interpolated(connection: Connection, query: string, values: number[]) {
  return connection.query(query, values);
}

/** The connection keeps the statement that it prepares. Values are strings, as was published. */
function executed(connection: Connection, query: string, values: number[]) {
  return connection.execute(query, values.map(String));
}

interface ListedRow {
  uid: number;
  title: string;
  content: string;
  submitted: number;
  modified: number;
  hit: number;
  status: number;
  category_uid: number;
  cover: string;
  user_uid: number;
  board: string;
  board_type: number;
  use_category: number;
}

interface Row extends ListedRow {
  category: string;
  writer: string;
  profile: string;
  signature: string;
  comments: number;
  likes: number;
  liked: number;
}

/** One of the queries of a post, and what it is asked with. */
interface Step {
  query: string;
  values(post: { uid: number; category: number; writer: number; reader: number }): number[];
}

const COUNT_COMMENTS: Step = { query: COMMENTS, values: ({ uid }) => [uid] };
const STEPS: Record<'1' | '3' | '5', Step[]> = {
  '5': [
    { query: CATEGORY, values: ({ category }) => [category] },
    { query: WRITER, values: ({ writer }) => [writer] },
    COUNT_COMMENTS,
    { query: LIKES, values: ({ uid }) => [uid, TRUE] },
    { query: LIKED, values: ({ uid, reader }) => [uid, reader, TRUE] },
  ],
  '3': [
    { query: NAMES, values: ({ category, writer }) => [category, writer] },
    COUNT_COMMENTS,
    { query: BOTH_LIKES, values: ({ uid, reader }) => [uid, TRUE, uid, reader, TRUE] },
  ],
  '1': [
    {
      query: ALL,
      values: ({ uid, reader, category, writer }) => {
        return [uid, uid, TRUE, uid, reader, TRUE, category, writer];
      },
    },
  ],
};

function joined(read: Read): Latest {
  return async (reader) => {
    const rows = await read<Row>(JOINED, [TRUE, reader, TRUE, SHOWN]);
    return { success: true, error: '', result: rows.map(postOf) };
  };
}

/** One after the other, as the same in Go; other requests go on meanwhile. */
function oneByOne(read: Read, steps: Step[]): Latest {
  return async (reader) => {
    const result: Post[] = [];
    for (const listed of await read<ListedRow>(POSTS, [SHOWN])) {
      const { uid, category_uid: category, user_uid: writer } = listed;
      const post = { uid, category, writer, reader };
      for (const { query, values } of steps) {
        const [row] = await read<Partial<Row>>(query, values(post));
        Object.assign(listed, row);
      }
      result.push(postOf(listed as Row));
    }
    return { success: true, error: '', result };
  };
}

function postOf(row: Row): Post {
  return {
    uid: row.uid,
    title: row.title,
    content: row.content,
    submitted: row.submitted,
    modified: row.modified,
    hit: row.hit,
    status: row.status,
    category: { uid: row.category_uid, name: row.category },
    cover: row.cover,
    comment: row.comments,
    like: row.likes,
    liked: row.liked === 1,
    writer: {
      uid: row.user_uid,
      name: row.writer,
      profile: row.profile,
      signature: row.signature,
    },
    id: row.board,
    type: row.board_type,
    useCategory: row.use_category === 1,
  };
}
