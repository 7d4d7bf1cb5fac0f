import { describe, expect, test } from 'vitest';
import { type Cell, cellOf } from '../../src/plan/plan.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { flagsOf, flagsOfPair } from '../../src/validity/flags.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { type Happened, makeMachine, makeTarget } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen, HEALTHY, recordOf } from './cells.ts';

/** Nearly every turn is empty, and yet they take hardly any time. */
const BOUND = { turns: { all: 30_000, empty: 29_900, idleNs: 23322000 } };
const SLEEPING = { turns: { all: 0, empty: 0, idleNs: 0 } };
const CLUSTER = 'floor/2/published';

describe('GENERATOR_BOUND', () => {
  const inRounds = (...bound: number[]) => {
    return (_launch: number, round: number) => (bound.includes(round) ? BOUND : {});
  };
  const sleeping = (generatorCpuMs: number, generators: number) => {
    return { generatorCpuMs, generators, ...SLEEPING };
  };
  const idler = { turns: { all: 60_000, empty: 45_000, idleNs: 35100000 } };

  test.each<[string, Parameters<typeof flagsWhen>[0], idleShare: number | undefined]>([
    ['empty turns of one that never sleeps took next to no time', BOUND, 0.0233],
    ['they took a little more', idler, undefined],
    ['more than half of the slices say so, as a median does', inRounds(0, 2), 0.0233],
    ['fewer do', inRounds(0), undefined],
    ['one that sleeps used all of its CPU time', sleeping(980, 1), 0.02],
    ['it did not', sleeping(960, 1), undefined],
    ['two that sleep did', sleeping(1960, 2), 0.02],
    ['one of two did', sleeping(980, 2), undefined],
  ])('where %s the idle share is: %s', (_, happened, idleShare) => {
    const found = flagWhen('GENERATOR_BOUND', happened)?.idleShare;
    expect(found).toEqual(idleShare && expect.closeTo(idleShare, 4));
  });
});

describe('REGIME', () => {
  const pairFlags = (...bound: string[]) => {
    const record = recordOf(({ target }) => {
      return { ...HEALTHY, ...(bound.includes(target) ? BOUND : {}) };
    });
    const cell = (target: string) => cellOf(record.plan, `${target}/single/published`);
    return flagsOfPair(record, cell('top'), cell('middle'));
  };
  const [bound, free] = [expect.closeTo(0.0233, 4), expect.closeTo(0.195, 4)];

  test.each<[string[], shares: object | null]>([
    [['top'], { idleShare: bound, otherIdleShare: free }],
    [['middle'], { idleShare: free, otherIdleShare: bound }],
    [[], null],
    [['top', 'middle'], null],
  ])('where the generator was the limit of %j', (limited, shares) => {
    const flag = { code: 'REGIME', otherTarget: 'middle', ...shares };
    expect(pairFlags(...limited)).toEqual(shares === null ? [] : [flag]);
  });

  test('is silent where one of them was not measured', () => {
    const record = recordOf(({ target }) => (target === 'top' ? { ...HEALTHY, ...BOUND } : null));
    const [floor, , top] = record.plan.cells;
    expect(floor && top && flagsOfPair(record, floor, top)).toEqual([]);
  });
});

describe('HEADROOM', () => {
  const other = makeTarget('something-else');
  test.each([
    { what: 'the canned server has hardly more requests/s', times: 1.19, ratio: 1.19 },
    { what: 'it has more', times: 1.21, ratio: undefined },
    // There it has as many.
    { what: 'it has more under another load', times: 1.21, load: 'cost', ratio: 1 },
    { what: 'it is another probe', times: 1.1, probe: other, ratio: undefined },
  ])('where $what, $times times, the ratio is told', (given) => {
    const { times, load = 'published', probe = CANNED_RESPONSE, ratio } = given;
    const story = (cell: Cell): Happened => {
      const faster = cell.target === probe.name && cell.load === 'published';
      return { ...HEALTHY, ok: faster ? 98_000 * times : 98_000 };
    };
    const record = recordOf(story, { probes: [probe] });
    const flags = flagsOf(record, cellOf(record.plan, `top/single/${load}`));
    expect(flagIn(flags, 'HEADROOM')?.ratio).toEqual(ratio && expect.closeTo(ratio));
    expect(flagWhen('HEADROOM', {})).toBeNull();
  });
});

describe('UNSATURATED', () => {
  test('fires where neither the server nor the generator was busy', () => {
    const shares = { busyShare: expect.closeTo(0.833), idleShare: expect.closeTo(0.195) };
    expect(flagsWhen({ cpuUsPerResponse: 8.5 })).toEqual([{ code: 'UNSATURATED', ...shares }]);
  });

  const own = { machine: makeMachine(), options: { topologies: [2] } };
  const shared = { options: { topologies: [2] } };
  const sharing = { generatorCpuMs: 800, ...SLEEPING };
  const services = { redis: { cpuNs: 5e7, waitNs: 0, bytes: 1e7 } };
  test.each<[string, busyShare: number | undefined, ...Parameters<typeof flagsWhen>]>([
    ['the server was busy', undefined, { cpuUsPerResponse: 8.8 }],
    ['its services were', undefined, { cpuUsPerResponse: 8.5, services }],
    ['the generator was', undefined, { cpuUsPerResponse: 5, ...BOUND }],
    ['one core of two was', 0.49, { cpuUsPerResponse: 10 }, own, CLUSTER],
    ['both were', undefined, { cpuUsPerResponse: 19 }, own, CLUSTER],
    // 0.98 of 1.2 cores, and 1.08 of them.
    ['it left some of shared cores', 0.817, { cpuUsPerResponse: 10, ...sharing }, shared, CLUSTER],
    ['it left none', undefined, { cpuUsPerResponse: 11, ...sharing }, shared, CLUSTER],
  ])('where %s the busy share is: %s', (_, busyShare, ...when) => {
    const found = flagWhen('UNSATURATED', ...when)?.busyShare;
    expect(found).toEqual(busyShare && expect.closeTo(busyShare, 3));
  });

  test('is silent where requests come alone, which leaves the server idle between them', () => {
    const happened = { ok: 5, windowS: 1, latenciesMs: [100], cpuUsPerResponse: 99_000 };
    const record = makeClusterRecord(() => happened, { topologies: ['single'] });
    const busyUnder = (load: string) => {
      const flags = flagsOf(record, cellOf(record.plan, `fib/single/${load}`));
      return flagIn(flags, 'UNSATURATED')?.busyShare;
    };
    expect(busyUnder('alone')).toBeUndefined();
    expect(busyUnder('feasible')).toBeCloseTo(0.495, 6);
  });
});
