import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { latest } from '../../../workloads/board/data/latest.ts';
import { ROOT } from '../../src/base/places.ts';
import { buildTargets } from '../../src/launch/build.ts';
import { startVerified } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/services.ts';
import { equipped } from '../../src/targets/needs.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { rowOf, start } from '../cli/harness.ts';
import { running, SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine } from '../support/make-record.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';
import { missingHere } from '../support/services.ts';

const BOARD = join(ROOT, 'workloads/board');
const { targets, leftOut } = equipped(readTargets(BOARD));
const isInGo = ({ needs }: { needs: string[] }) => needs.includes('go');
/** What fetches and builds finds what the caller's own has fetched and built. */
const CALLERS = {
  ...registryEnvironment(),
  GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
  GOPATH: process.env.GOPATH ?? join(homedir(), 'go'),
};
const isInstalled = existsSync(join(BOARD, 'node_modules/.overhead-installed'));
const lacking =
  missingHere('mariadb') ??
  (isInstalled || isRegistryWithinReach() ? null : "npm's registry is not within reach");

const place = ownPlace();
/** Filling the database and building takes a while, the first time. */
const PATIENT_MS = 300_000;
const POOL = 50;
const POSTS = 100;

test('the answer that is expected is what the rows of the seed say', () => {
  const committed = JSON.parse(readFileSync(join(BOARD, 'answers/latest.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(latest())));
  const bytes = Buffer.byteLength(JSON.stringify(committed));
  expect(bytes).toBeGreaterThan(450_000);
  expect(bytes).toBeLessThan(550_000);
});

interface Told {
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
interface Observed extends AsyncDisposable {
  ask(name: string, path: string): Promise<unknown>;
  /** What the database is told meanwhile, by all but who observes it. */
  toldDuring(act: () => Promise<unknown>): Promise<Told[]>;
  /** Has posts locked meanwhile, until no more connections wait for them, and tells how many do then. */
  waitingAtOnce(act: () => Promise<unknown>): Promise<number>;
  /** How it would carry out a query. */
  planOf(query: string): Promise<RowDataPacket[]>;
}

async function startObserved(): Promise<Observed> {
  await using stack = new AsyncDisposableStack();
  const guarded = stack.use(startContext({ startTimeoutMs: 60_000 }));
  const refs = targets.map(({ name }) => {
    return { server: `${name}/single`, target: name, topology: 'single' };
  });
  const services = planServices(targets, makeMachine({ canPin: false }));
  const wanted = { refs, topologies: [SINGLE], targets: [...targets], services };
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

describe('the servers', () => {
  beforeAll(async () => {
    for (const [name, value] of Object.entries(CALLERS)) vi.stubEnv(name, value);
    if (lacking === null) await buildTargets(targets, new AbortController().signal, () => {});
  }, PATIENT_MS);
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  beforeEach(({ skip }) => {
    skip(lacking !== null, lacking ?? '');
  });

  test('answer as declared, in every variant, on one core and on two', {
    timeout: PATIENT_MS,
  }, async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    const args = ['verify', '--packages', BOARD, '--targets', 'all', '--topology', 'single,2'];
    const { code, stdout, stderr } = await start(place, args, CALLERS).finished;
    expect(code, stdout + stderr).toBe(0);
    for (const { label } of targets) {
      expect(rowOf(stdout, label), label).toMatch(/ ok +1$/);
      expect(stdout.split('\n').filter((line) => line.startsWith(`${label}  `))).toHaveLength(2);
    }
    expect(stdout).toContain(`${targets.length * 2} of ${targets.length * 2} servers answer`);
  });

  test('those in TypeScript are sound', { timeout: PATIENT_MS }, async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout, exitCode } = await execa(tsc, ['-p', BOARD], { reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  test('those in Go are sound', { timeout: PATIENT_MS }, async ({ skip }) => {
    skip(!targets.some(isInGo), leftOut.join('; '));
    const { all, exitCode } = await execa('go', ['vet', './...'], {
      cwd: BOARD,
      env: CALLERS,
      all: true,
      reject: false,
    });
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });

  /** A query without its parameters, which the log has or has not, and in one line. */
  const shapeOf = ({ text }: Told) =>
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replaceAll(/\b\d+\b/g, '?');
  const isRun = ({ command }: Told) => command === 'Query' || command === 'Execute';

  test('run as many queries as the variant says, in its way, and none for the home page', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved();
    for (const { name, env } of targets) {
      const forHome = await observed.toldDuring(() => observed.ask(name, '/home'));
      expect(forHome, name).toEqual([]);
      const told = await observed.toldDuring(() => observed.ask(name, '/latest'));
      const count = (wanted: string) => told.filter(({ command }) => command === wanted).length;
      const counts = {
        query: count('Query'),
        prepare: count('Prepare'),
        execute: count('Execute'),
        close: count('Close stmt'),
      };
      const queries = env.QUERIES === 'n-plus-one' ? 1 + 5 * POSTS : 1;
      const none = { query: 0, prepare: 0, execute: 0, close: 0 };
      const expected = new Map([
        ['interpolated', { ...none, query: queries }],
        ['prepared', { query: 0, prepare: queries, execute: queries, close: queries }],
        ['prepared-once', { ...none, execute: queries }],
      ]);
      expect(counts, name).toEqual(expected.get(env.STATEMENTS ?? 'interpolated'));
    }
  });

  test('run the same queries in all languages, which sort nothing and read no post for nothing', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved();
    for (const queries of ['join', 'n-plus-one']) {
      const own = targets.filter(({ env }) => (env.QUERIES ?? 'join') === queries);
      const texts: string[][] = [];
      for (const { name } of own) {
        const told = await observed.toldDuring(() => observed.ask(name, '/latest'));
        texts.push(told.filter(isRun).map(shapeOf));
      }
      const [first = [], ...others] = texts;
      expect(others.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(first);
      const [{ name = '' } = {}] = own;
      const [told] = await observed.toldDuring(() => observed.ask(name, '/latest'));
      const plan = await observed.planOf(told?.text ?? '');
      expect(plan[0]).toMatchObject({ table: 'posts', key: 'latest' });
      expect(Number(plan[0]?.rows)).toBe(POSTS);
      expect(plan.map(({ Extra }) => Extra).join()).not.toMatch(/filesort|temporary/);
    }
  });

  test('have pools of the same size, which keep their connections unless the variant says two', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved();
    const many = Array.from({ length: 2 * POOL }, () => '/latest');
    for (const { name, env } of targets.filter(({ env }) => env.QUERIES !== 'n-plus-one')) {
      const askAll = () => Promise.all(many.map((path) => observed.ask(name, path)));
      expect(await observed.waitingAtOnce(askAll), name).toBe(POOL);
      const told = await observed.toldDuring(async () => {
        expect(await observed.waitingAtOnce(askAll), name).toBe(POOL);
      });
      expect(told.filter(isRun), name).toHaveLength(many.length);
      const opened = told.filter(({ command }) => command === 'Connect').length;
      expect(opened, name).toBe(POOL - Number(env.IDLE ?? POOL));
    }
  });
});
