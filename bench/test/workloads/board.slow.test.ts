import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latest } from '../../../workloads/board/data/latest.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { type Observed, type ObservedQuery, startObserved } from '../support/observed.ts';
import { CLUSTER_OF_2 } from '../support/topologies.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder, targets, leftOut, isBuilt, areSound } = workload('board', 'mariadb');

const place = ownPlace();
/** Starting so many servers takes a while on a busy machine. */
const STARTING_MS = 180_000;
const POSTS = 100;
/** The published pools. By default `database/sql` has no limit, and keeps two connections. */
const POOL = { go: 20, mysql2: 10 };
const KEPT_BY_DEFAULT = 2;
/** More requests at once than any pool has connections. */
const MANY = 30;
/** The published sizes; Go's own encoder writes `<`, `>` and `&` as six bytes. */
const BYTES = { home: 160, shortHome: 114, latest: 526_198, escaped: 621_343 };

test('the expected answer has the rows of the seed', () => {
  const committed = JSON.parse(readFileSync(join(folder, 'answers/latest.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(latest())));
  const text = JSON.stringify(committed);
  expect(Buffer.byteLength(text)).toBe(BYTES.latest);
  const escaped = text.replaceAll(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  expect(Buffer.byteLength(escaped)).toBe(BYTES.escaped);
});

describe('the servers', () => {
  isBuilt();

  test('answer as declared on two cores', async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    // Their variants answer on one core, below.
    const plain = targets.filter(({ variantOf }) => variantOf === null);
    await using servers = await startAnswering(plain, CLUSTER_OF_2);
    for (const { pids, spec } of servers.ready.servers.values()) {
      expect(pids, spec.key).toHaveLength(spec.target.scale.by === 'threads' ? 1 : 2);
    }
  });

  areSound('./...');

  describe('on one core, beside an observed database', () => {
    let observed: Observed;
    /** The queries for the second answer of each; the first one was its verification. */
    const told = new Map<string, ObservedQuery[]>();
    beforeAll(async () => {
      observed = await startObserved(targets);
      for (const { name } of targets) {
        told.set(name, await observed.toldDuring(() => observed.ask(name, '/latest')));
      }
      place.keep();
    }, STARTING_MS);
    afterAll(() => observed[Symbol.asyncDispose]());

    test('their answers are as long as the published ones', async () => {
      for (const { name, env } of targets) {
        const home = await observed.ask(name, '/home');
        const list = await observed.ask(name, '/latest');
        const isOfBunThen = name.startsWith('elysia-2024');
        expect(home.byteLength, name).toBe(isOfBunThen ? BYTES.shortHome : BYTES.home);
        const isEscaped = env.JSON === 'standard';
        expect(list.byteLength, name).toBe(isEscaped ? BYTES.escaped : BYTES.latest);
      }
    });

    test('they run as many queries as the variant says, prepared as it says', () => {
      for (const { name, env } of targets) {
        const counts = ['Query', 'Prepare', 'Execute', 'Close stmt'].map((wanted) => {
          return told.get(name)?.filter(({ command }) => command === wanted).length;
        });
        const queries = 1 + (isJoined({ env }) ? 0 : Number(env.QUERIES) * POSTS);
        const expected = new Map([
          ['interpolated', [queries, 0, 0, 0]],
          ['prepared', [0, queries, queries, queries]],
          ['prepared-once', [0, 0, queries, 0]],
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

    test('they run the same queries in all languages, which sort nothing and read no other post', async () => {
      for (const queries of ['join', '1', '3', '5']) {
        const own = targets.filter(({ env }) => (env.QUERIES ?? 'join') === queries);
        const [first = [], ...others] = own.map(({ name }) => told.get(name)?.filter(isRun) ?? []);
        expect(others.length).toBeGreaterThan(0);
        for (const other of others) expect(other.map(shapeOf)).toEqual(first.map(shapeOf));
        // The log may lack the values of executed statements.
        const plan = await observed.planOf(first[0]?.text.replaceAll('?', String(POSTS)) ?? '');
        expect(plan[0]).toMatchObject({ table: 'posts', key: 'latest' });
        expect(Number(plan[0]?.rows)).toBe(POSTS);
        expect(plan.map(({ Extra }) => Extra).join()).not.toMatch(/filesort|temporary/);
      }
    });

    test('they have the published pools, or those of database/sql where the variant says so', async () => {
      for (const target of targets.filter(isJoined)) {
        const { name, env } = target;
        const pool = target.needs.includes('go') ? POOL.go : POOL.mysql2;
        const [most, kept] = env.POOL === 'defaults' ? [MANY, KEPT_BY_DEFAULT] : [pool, pool];
        const ask = () => observed.ask(name, '/latest');
        const askAll = () => Promise.all(Array.from({ length: MANY }, ask));
        expect(await observed.waitingAtOnce(most, askAll), name).toBe(most);
        const again = await observed.toldDuring(async () => {
          expect(await observed.waitingAtOnce(most, askAll), name).toBe(most);
        });
        expect(again.filter(isRun).filter(isList), name).toHaveLength(MANY);
        const opened = again.filter(({ command }) => command === 'Connect').length;
        expect(opened, name).toBe(most - kept);
      }
    });
  });
});

/** A query on one line, without its parameters, which the log may have or not. */
function shapeOf({ text }: ObservedQuery): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.replaceAll(/\b\d+\b/g, '?');
}

function isJoined({ env }: Pick<LocalTarget, 'env'>): boolean {
  return (env.QUERIES ?? 'join') === 'join';
}

/** Whether it is not one of the first queries of a new connection. */
function isList({ text }: ObservedQuery): boolean {
  return !text.startsWith('SET ');
}

function isRun({ command }: ObservedQuery): boolean {
  return command === 'Query' || command === 'Execute';
}
