import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSchema } from '../../src/plan/loads.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellOf, loadOf } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { boardTargets } from '../support/make-board-record.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { ownSuite } from '../support/own-workloads.ts';
import { idsOf, loadsOf } from './loads-of.ts';

const board = ownSuite('board');

const FOLDER = join(FIXTURES, 'board');
const ALL = { topologies: ['single', 'max'], connections: 100 } satisfies Partial<RunOptions>;

function planOf(parts: Partial<RunOptions> = {}, names?: string[]) {
  return makePlan(board, makeOptions({ ...ALL, ...parts }), boardTargets(names), makeMachine());
}

/** The cells under a load, each as `target/topology`. */
function under(load: string, parts: Partial<RunOptions> = {}, names?: string[]): string[] {
  return planOf(parts, names)
    .cells.filter((cell) => cell.load === load)
    .map(({ server }) => server)
    .sort();
}

const MAX = String(makeMachine().parallelism);

describe('the loads', () => {
  test('are each path at the published numbers of connections, without pipelining', () => {
    const loads = loadsOf(board, ALL).filter((load, place, all) => all.indexOf(load) === place);
    const ids = [...new Set(idsOf(loads))];
    expect(ids).toEqual(
      [10, 50, 100].map((n) => `home-${n}`).concat([10, 50, 100].map((n) => `latest-${n}`)),
    );
    for (const load of loads) {
      const [, connections] = load.id.split('-');
      expect(load).toMatchObject({
        connections: Number(connections),
        pipelining: 1,
        headline: 'cpu',
      });
      expect(loadSchema.parse(load)).toEqual(load);
    }
  });

  test.each([
    { connections: 10, levels: [10] },
    { connections: 4, levels: [4] },
    { connections: 60, levels: [10, 50, 60] },
    { connections: 200, levels: [10, 50, 100, 200] },
  ])('go up to -c $connections', ({ connections, levels }) => {
    const ids = new Set(idsOf(loadsOf(board, { ...ALL, connections })));
    expect([...ids].filter((id) => id.startsWith('latest'))).toEqual(
      levels.map((n) => `latest-${n}`),
    );
  });

  test('give more connections the same time in one slice of a launch', () => {
    const plan = planOf({ durationS: 6, sliceS: 1, launches: 2 });
    expect(plan.rounds).toBe(3);
    expect(loadOf(plan, 'latest-10')).toMatchObject({ sliceNs: 1e9, every: 1 });
    expect(loadOf(plan, 'latest-100')).toMatchObject({ sliceNs: 3e9, every: 3 });
  });

  test('wait for every answer of the database, for as long as all before it may take', () => {
    const plan = planOf();
    expect(loadOf(plan, 'latest-10')).toMatchObject({
      waitForAll: true,
      drainBetweenSlices: true,
      timeoutNs: 10e9,
    });
    expect(loadOf(plan, 'latest-100')).toMatchObject({ timeoutNs: 50e9 });
    expect(loadOf(plan, 'home-100')).toMatchObject({
      waitForAll: false,
      drainBetweenSlices: false,
    });
  });
});

describe('who is measured under which load', () => {
  test('are all under the fewest connections, Go on all cores too where it is no variant', () => {
    expect(under('latest-10')).toEqual(
      [
        ...['elysia', 'elysia-n-plus-one', 'elysia-published', 'fiber', 'fiber-n-plus-one'],
        ...['fiber-prepared', 'fiber-published', 'fiber-two-idle', 'net-http'],
      ]
        .map((name) => `${name}-latest/single`)
        .concat(['fiber', 'fiber-published', 'net-http'].map((name) => `${name}-latest/${MAX}`))
        .sort(),
    );
    expect(under('home-10')).toEqual(
      ['elysia', 'elysia-static', 'fiber', 'net-http']
        .map((name) => `${name}-home/single`)
        .concat([`fiber-home/${MAX}`, `net-http-home/${MAX}`])
        .sort(),
    );
  });

  test('are no variants under more, but what was published, on as many cores as it uses', () => {
    expect(under('latest-50')).toEqual(
      ['elysia', 'elysia-published', 'fiber', 'net-http']
        .map((name) => `${name}-latest/single`)
        .concat(['fiber', 'fiber-published', 'net-http'].map((name) => `${name}-latest/${MAX}`))
        .sort(),
    );
    expect(under('home-50')).not.toContain('elysia-static-home/single');
  });

  test('are those that were published as single processes where there is nothing else', () => {
    const single = { topologies: ['single'] } satisfies Partial<RunOptions>;
    expect(under('latest-100', single)).toContain('fiber-published-latest/single');
  });
});

test('no processes are shared between numbers of connections', () => {
  const plan = planOf();
  const loads = plan.groups.map((cells) => new Set(cells.map((id) => cellOf(plan, id).load)));
  expect(loads.map(({ size }) => size)).toEqual(plan.loads.map(() => 1));
});

describe('the subjects', () => {
  const asked = { packages: FOLDER, options: makeOptions() };
  const namesOf = (given: Parameters<typeof board.subjects>[0]['given']) => {
    return board.subjects({ given, ...asked }).targets.map(({ name }) => name);
  };

  test('are the targets of the suite, one for each path that they are about', () => {
    expect(namesOf({})).toEqual([
      ...['elysia-home', 'elysia-latest', 'elysia-n-plus-one-latest', 'elysia-static-home'],
      ...['elysia-published-latest', 'fiber-home', 'fiber-latest', 'fiber-n-plus-one-latest'],
      ...['fiber-prepared-latest', 'fiber-published-latest', 'net-http-home', 'net-http-latest'],
    ]);
  });

  test('are the published two and their variants in a hurry, unless others are named', () => {
    const quick = namesOf({ quick: true });
    expect(quick).toEqual(namesOf({}).filter((name) => !name.startsWith('net-http')));
    expect(namesOf({ quick: true, targets: ['net-http'] })).toEqual([
      'net-http-home',
      'net-http-latest',
    ]);
  });
});

test('in a hurry there are ten connections and single processes alone', () => {
  expect(board.defaults({})).toMatchObject({ ...ALL, pipelining: 1 });
  expect(board.defaults({ quick: true })).toMatchObject({
    topologies: ['single'],
    connections: 10,
  });
});
