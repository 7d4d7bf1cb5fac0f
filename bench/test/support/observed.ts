import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { startAnswering } from './workload.ts';

/** A command that the database got. */
export interface ObservedQuery {
  command: string;
  text: string;
}

/** A log is written at once, and so is what a server opens more than it should. */
const SETTLED_MS = 150;
/** A server on a busy machine may take a while to open connections. */
const CONNECTIONS_MS = 10_000;

/** What is found once it has not changed for a while: what is sent without an answer may come later. */
async function settled<T>(look: () => Promise<T>, key: (found: T) => number): Promise<T> {
  let found = await look();
  for (let since = performance.now(); performance.now() - since < SETTLED_MS; ) {
    await sleep(50);
    const next = await look();
    if (key(next) !== key(found)) since = performance.now();
    found = next;
  }
  return found;
}

/** All servers with their database, which tells what it is told. */
export interface Observed extends AsyncDisposable {
  /** Takes in an answer. */
  ask(name: string, path: string): Promise<ArrayBuffer>;
  /** What the database is told meanwhile, by all but who observes it. */
  toldDuring(act: () => Promise<unknown>): Promise<ObservedQuery[]>;
  /** Has posts locked meanwhile, until that many connections wait for them, and tells whether more do. */
  waitingAtOnce(least: number, act: () => Promise<unknown>): Promise<number>;
  /** How it would carry out a query. */
  planOf(query: string): Promise<RowDataPacket[]>;
}

/** Starts these servers as single processes, with their database. */
export async function startObserved(targets: LocalTarget[]): Promise<Observed> {
  await using stack = new AsyncDisposableStack();
  const { ready, originOf } = stack.use(await startAnswering(targets));
  const { MARIADB_SOCKET, MARIADB_USER, MARIADB_PASSWORD, MARIADB_DATABASE } =
    ready.services[0]?.environment ?? {};
  const observer = await mysql.createConnection({
    socketPath: `${MARIADB_SOCKET}`,
    user: `${MARIADB_USER}`,
    password: `${MARIADB_PASSWORD}`,
    database: `${MARIADB_DATABASE}`,
  });
  stack.defer(() => observer.end());
  await observer.query("SET GLOBAL log_output = 'TABLE'");
  await observer.query('SET GLOBAL general_log = ON');
  const own = stack.move();
  return {
    ask: async (name, path) => (await fetch(originOf(name) + path)).arrayBuffer(),
    toldDuring: async (act) => {
      await observer.query('TRUNCATE mysql.general_log');
      await act();
      const told = async () => {
        const [rows] = await observer.query<(ObservedQuery & RowDataPacket)[]>(
          `SELECT command_type AS command, CONVERT(argument USING utf8mb4) AS text
           FROM mysql.general_log WHERE thread_id <> CONNECTION_ID()`,
        );
        return rows;
      };
      return await settled(told, ({ length }) => length);
    },
    waitingAtOnce: async (least, act) => {
      await observer.query('LOCK TABLES posts WRITE');
      const acting = act();
      const waiting = async () => {
        const [all] = await observer.query<RowDataPacket[]>('SHOW PROCESSLIST');
        return all.filter(({ State }) => `${State}`.includes('metadata lock')).length;
      };
      const until = performance.now() + CONNECTIONS_MS;
      while ((await waiting()) < least && performance.now() < until) await sleep(10);
      const found = await settled(waiting, (each) => each);
      await observer.query('UNLOCK TABLES');
      await acting;
      return found;
    },
    planOf: async (query) => (await observer.query<RowDataPacket[]>(`EXPLAIN ${query}`))[0],
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
