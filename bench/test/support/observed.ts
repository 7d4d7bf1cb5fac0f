import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { startAnswering } from './workload.ts';

export interface ObservedQuery {
  command: string;
  text: string;
}

/** What was sent to the database without waiting for an answer may arrive this much later. */
const SETTLED_MS = 150;
/** A server on a busy machine may take a while to open connections. */
const CONNECTIONS_MS = 10_000;

/** The result of a look at the database, once there has been no more of it for a while. */
async function settled<T>(look: () => Promise<T[]>): Promise<T[]> {
  let found = await look();
  for (let since = performance.now(); performance.now() - since < SETTLED_MS; ) {
    await sleep(50);
    const next = await look();
    if (next.length !== found.length) since = performance.now();
    found = next;
  }
  return found;
}

export type Observed = Awaited<ReturnType<typeof startObserved>>;

/** Starts these servers as single processes, and logs what their database is sent. */
export async function startObserved(targets: LocalTarget[]) {
  await using stack = new AsyncDisposableStack();
  const { ready, originOf } = stack.use(await startAnswering(targets));
  const env = ready.services[0]?.environment ?? {};
  const observer = await mysql.createConnection({
    socketPath: `${env.MARIADB_SOCKET}`,
    user: `${env.MARIADB_USER}`,
    password: `${env.MARIADB_PASSWORD}`,
    database: `${env.MARIADB_DATABASE}`,
  });
  stack.defer(() => observer.end());
  await observer.query("SET GLOBAL log_output = 'TABLE'");
  await observer.query('SET GLOBAL general_log = ON');
  const rowsOf = async <Row = object>(query: string) => {
    const [rows] = await observer.query<(Row & RowDataPacket)[]>(query);
    return rows;
  };
  const logged = () =>
    rowsOf<ObservedQuery>(
      `SELECT command_type AS command, CONVERT(argument USING utf8mb4) AS text
       FROM mysql.general_log WHERE thread_id <> CONNECTION_ID()`,
    );
  const waiting = async () => {
    const connections = await rowsOf('SHOW PROCESSLIST');
    return connections.filter(({ State }) => `${State}`.includes('metadata lock'));
  };
  const own = stack.move();
  return {
    [Symbol.asyncDispose]: () => own.disposeAsync(),
    /** Reads an answer to its end. */
    ask: async (name: string, path: string) => (await fetch(originOf(name) + path)).arrayBuffer(),
    /** The commands that the servers send to the database meanwhile. */
    toldDuring: async (act: () => Promise<unknown>): Promise<ObservedQuery[]> => {
      await observer.query('TRUNCATE mysql.general_log');
      await act();
      return await settled(logged);
    },
    /** Locks the posts meanwhile until `least` connections wait for them; returns how many do once no more come. */
    waitingAtOnce: async (least: number, act: () => Promise<unknown>) => {
      await observer.query('LOCK TABLES posts WRITE');
      const acting = act();
      const until = performance.now() + CONNECTIONS_MS;
      while ((await waiting()).length < least && performance.now() < until) await sleep(10);
      const { length } = await settled(waiting);
      await observer.query('UNLOCK TABLES');
      await acting;
      return length;
    },
    planOf: (query: string) => rowsOf(`EXPLAIN ${query}`),
  };
}
