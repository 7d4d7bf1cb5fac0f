import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latest } from '../../../workloads/board/data/latest.ts';
import { ROOT } from '../../src/base/places.ts';
import { CLUSTER_OF_2 } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { type Observed, type ObservedQuery, startObserved } from '../support/observed.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder: BOARD, targets, leftOut, environment, isBuilt } = workload('board', 'mariadb');
const isInGo = ({ needs }: { needs: string[] }) => needs.includes('go');

const place = ownPlace();
/** A busy machine takes a while to start so many servers. */
const STARTING_MS = 180_000;
const POOL = 50;
const POSTS = 100;

test('the answer that is expected is what the rows of the seed say', () => {
  const committed = JSON.parse(readFileSync(join(BOARD, 'answers/latest.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(latest())));
  const bytes = Buffer.byteLength(JSON.stringify(committed));
  expect(bytes).toBeGreaterThan(450_000);
  expect(bytes).toBeLessThan(550_000);
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

    test('they run none for the home page', async () => {
      const forHome = await observed.toldDuring(() => {
        return Promise.all(targets.map(({ name }) => observed.ask(name, '/home')));
      });
      expect(forHome).toEqual([]);
    });

    test('they run the same queries in all languages, which sort nothing and read no post for nothing', async () => {
      for (const queries of ['join', 'n-plus-one']) {
        const own = targets.filter(({ env }) => (env.QUERIES ?? 'join') === queries);
        const [first = [], ...others] = own.map(({ name }) => told.get(name)?.filter(isRun) ?? []);
        expect(others.length).toBeGreaterThan(0);
        for (const other of others) expect(other.map(shapeOf)).toEqual(first.map(shapeOf));
        const plan = await observed.planOf(first[0]?.text ?? '');
        expect(plan[0]).toMatchObject({ table: 'posts', key: 'latest' });
        expect(Number(plan[0]?.rows)).toBe(POSTS);
        expect(plan.map(({ Extra }) => Extra).join()).not.toMatch(/filesort|temporary/);
      }
    });

    test('they have pools of the same size, which keep their connections unless the variant says two', async () => {
      const many = Array.from({ length: POOL + 10 }, () => '/latest');
      for (const { name, env } of targets.filter(({ env }) => env.QUERIES !== 'n-plus-one')) {
        const askAll = () => Promise.all(many.map((path) => observed.ask(name, path)));
        expect(await observed.waitingAtOnce(POOL, askAll), name).toBe(POOL);
        const again = await observed.toldDuring(async () => {
          expect(await observed.waitingAtOnce(POOL, askAll), name).toBe(POOL);
        });
        expect(again.filter(isRun), name).toHaveLength(many.length);
        const opened = again.filter(({ command }) => command === 'Connect').length;
        expect(opened, name).toBe(POOL - Number(env.IDLE ?? POOL));
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

function isRun({ command }: ObservedQuery): boolean {
  return command === 'Query' || command === 'Execute';
}
