import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latest } from '../../../workloads/board/data/latest.ts';
import { ROOT } from '../../src/base/places.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { CLUSTER_OF_2 } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { type Observed, type ObservedQuery, startObserved } from '../support/observed.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder: BOARD, targets, leftOut, environment, isBuilt } = workload('board', 'mariadb');
const isInGo = ({ needs }: { needs: string[] }) => needs.includes('go');

const place = ownPlace();
/** A busy machine takes a while to start so many servers. */
const STARTING_MS = 180_000;
const POSTS = 100;
/** The pools as they were published; `database/sql` has no limit of its own, and keeps two connections. */
const POOL = { go: 20, mysql2: 10 };
const KEPT_BY_DEFAULT = 2;
/** More requests at once than any pool has connections. */
const MANY = 30;
/** As published; Go's own encoder writes `<`, `>` and `&` as six bytes. */
const BYTES = { home: 160, shortHome: 114, latest: 526_198, escaped: 621_343 };

test('the answer that is expected is what the rows of the seed say', () => {
  const committed = JSON.parse(readFileSync(join(BOARD, 'answers/latest.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(latest())));
  const text = JSON.stringify(committed);
  expect(Buffer.byteLength(text)).toBe(BYTES.latest);
  const escaped = text.replaceAll(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  expect(Buffer.byteLength(escaped)).toBe(BYTES.escaped);
});

describe('the servers', () => {
  isBuilt();

  test('answer as declared on two cores, in every variant', async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    await using servers = await startAnswering(targets, CLUSTER_OF_2);
    for (const { pids, spec } of servers.ready.servers.values()) {
      expect(pids, spec.key).toHaveLength(spec.target.scale.by === 'threads' ? 1 : 2);
    }
  });

  test('those in TypeScript are sound', async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout, exitCode } = await execa(tsc, ['-p', BOARD], { reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  test('those in Go are sound', async ({ skip }) => {
    skip(!targets.some(isInGo), leftOut.join('; '));
    const { all, exitCode } = await execa('go', ['vet', './...'], {
      cwd: BOARD,
      env: environment,
      all: true,
      reject: false,
    });
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });

  describe('on one core, beside an observed database', () => {
    let observed: Observed;
    /** What a second answer of each takes; the first one was its verification. */
    const told = new Map<string, ObservedQuery[]>();
    beforeAll(async () => {
      observed = await startObserved(targets);
      for (const { name } of targets) {
        const ask = () => observed.ask(name, '/latest');
        told.set(name, await observed.toldDuring(ask));
      }
      place.keep();
    }, STARTING_MS);
    afterAll(async () => {
      await observed[Symbol.asyncDispose]();
    });

    test('their answers are as long as the published ones', async () => {
      for (const { name, env } of targets) {
        const [home, list] = await Promise.all([
          observed.ask(name, '/home'),
          observed.ask(name, '/latest'),
        ]);
        const isOfBunThen = name.startsWith('elysia-2024');
        expect(home.byteLength, name).toBe(isOfBunThen ? BYTES.shortHome : BYTES.home);
        const isEscaped = env.JSON === 'standard';
        expect(list.byteLength, name).toBe(isEscaped ? BYTES.escaped : BYTES.latest);
      }
    });

    test('they run as many queries as the variant says, in its way', () => {
      for (const { name, env } of targets) {
        const count = (wanted: string) => {
          return told.get(name)?.filter(({ command }) => command === wanted).length;
        };
        const counts = {
          query: count('Query'),
          prepare: count('Prepare'),
          execute: count('Execute'),
          close: count('Close stmt'),
        };
        const queries = 1 + (isJoined({ env }) ? 0 : Number(env.QUERIES) * POSTS);
        const none = { query: 0, prepare: 0, execute: 0, close: 0 };
        const expected = new Map([
          ['interpolated', { ...none, query: queries }],
          ['prepared', { query: 0, prepare: queries, execute: queries, close: queries }],
          ['prepared-once', { ...none, execute: queries }],
        ]);
        expect(counts, name).toEqual(expected.get(env.STATEMENTS ?? 'interpolated'));
      }
    });

    test('they run none for the home page', async () => {
      const forHome = await observed.toldDuring(() => {
        return Promise.all(targets.map(({ name }) => observed.ask(name, '/home')));
      });
      expect(forHome).toEqual([]);
    });

    test('they run the same queries in all languages, which sort nothing and read no post for nothing', async () => {
      for (const queries of ['join', '1', '3', '5']) {
        const own = targets.filter(({ env }) => (env.QUERIES ?? 'join') === queries);
        const [first = [], ...others] = own.map(({ name }) => told.get(name)?.filter(isRun) ?? []);
        expect(others.length).toBeGreaterThan(0);
        for (const other of others) expect(other.map(shapeOf)).toEqual(first.map(shapeOf));
        // Of what was executed the log may have no values.
        const plan = await observed.planOf(first[0]?.text.replaceAll('?', String(POSTS)) ?? '');
        expect(plan[0]).toMatchObject({ table: 'posts', key: 'latest' });
        expect(Number(plan[0]?.rows)).toBe(POSTS);
        expect(plan.map(({ Extra }) => Extra).join()).not.toMatch(/filesort|temporary/);
      }
    });

    test('they have the published pools, or those of database/sql where the variant says so', async () => {
      const many = Array.from({ length: MANY }, () => '/latest');
      for (const target of targets.filter(isJoined)) {
        const { name, env } = target;
        const pool = isInGo(target) ? POOL.go : POOL.mysql2;
        const [most, kept] = env.POOL === 'defaults' ? [MANY, KEPT_BY_DEFAULT] : [pool, pool];
        const askAll = () => Promise.all(many.map((path) => observed.ask(name, path)));
        expect(await observed.waitingAtOnce(most, askAll), name).toBe(most);
        const again = await observed.toldDuring(async () => {
          expect(await observed.waitingAtOnce(most, askAll), name).toBe(most);
        });
        expect(again.filter(isRun).filter(isList), name).toHaveLength(many.length);
        const opened = again.filter(({ command }) => command === 'Connect').length;
        expect(opened, name).toBe(most - kept);
      }
    });
  });
});

/** A query without its parameters, which the log has or has not, and in one line. */
function shapeOf({ text }: ObservedQuery): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\b\d+\b/g, '?');
}

function isJoined({ env }: Pick<LocalTarget, 'env'>): boolean {
  return (env.QUERIES ?? 'join') === 'join';
}

/** Not what a new connection says first. */
function isList({ text }: ObservedQuery): boolean {
  return !text.startsWith('SET ');
}

function isRun({ command }: ObservedQuery): boolean {
  return command === 'Query' || command === 'Execute';
}
