import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { startVerified } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/services.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { running, SINGLE, startContext } from './fixtures.ts';
import { makeMachine } from './make-record.ts';

/** A command that the database got. */
export interface Told {
  command: string;
  text: string;
}

/** A log is written at once; a server on a busy machine may take a while to open connections. */
const LOG_MS = 150;
const CONNECTIONS_MS = 500;

/** What is found once it has not changed for a while: what is sent without an answer may come later. */
async function settled<T>(
  look: () => Promise<T>,
  key: (found: T) => number,
  forMs: number,
): Promise<T> {
  let found = await look();
  for (let since = performance.now(); performance.now() - since < forMs; ) {
    await sleep(50);
    const next = await look();
    if (key(next) !== key(found)) since = performance.now();
    found = next;
  }
  return found;
}

/** All servers with their database, which tells what it is told. */
export interface Observed extends AsyncDisposable {
  ask(name: string, path: string): Promise<unknown>;
  /** What the database is told meanwhile, by all but who observes it. */
  toldDuring(act: () => Promise<unknown>): Promise<Told[]>;
  /** Has posts locked meanwhile, until no more connections wait for them, and tells how many do then. */
  waitingAtOnce(act: () => Promise<unknown>): Promise<number>;
  /** How it would carry out a query. */
  planOf(query: string): Promise<RowDataPacket[]>;
}

/** Starts these servers as single processes, with their database. */
export async function startObserved(targets: LocalTarget[]): Promise<Observed> {
  await using stack = new AsyncDisposableStack();
  const guarded = stack.use(startContext({ startTimeoutMs: 60_000 }));
  const refs = targets.map(({ name }) => {
    return { server: `${name}/single`, target: name, topology: 'single' };
  });
  const services = planServices(targets, makeMachine({ canPin: false }));
  const wanted = { refs, topologies: [SINGLE], targets, services };
  const ready = stack.use(await startVerified(wanted, guarded.context));
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
    ask: async (name, path) => {
      const { origin } = running(ready, `${name}/single`);
      return (await fetch(origin + path)).json();
    },
    toldDuring: async (act) => {
      await observer.query('TRUNCATE mysql.general_log');
      await act();
      const told = async () => {
        const [rows] = await observer.query<(Told & RowDataPacket)[]>(
          `SELECT command_type AS command, CONVERT(argument USING utf8mb4) AS text
           FROM mysql.general_log WHERE thread_id <> CONNECTION_ID()`,
        );
        return rows;
      };
      return await settled(told, ({ length }) => length, LOG_MS);
    },
    waitingAtOnce: async (act) => {
      await observer.query('LOCK TABLES posts WRITE');
      const acting = act();
      const waiting = async () => {
        const [all] = await observer.query<RowDataPacket[]>('SHOW PROCESSLIST');
        return all.filter(({ State }) => `${State}`.includes('metadata lock')).length;
      };
      const found = await settled(waiting, (each) => each, CONNECTIONS_MS);
      await observer.query('UNLOCK TABLES');
      await acting;
      return found;
    },
    planOf: async (query) => (await observer.query<RowDataPacket[]>(`EXPLAIN ${query}`))[0],
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
