import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/record/record.ts';
import { invalidates } from '../../src/validity/flags.ts';
import { failuresOf } from '../support/failures.ts';
import { type Happened, makeMachine, makeTarget, STACK } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen } from './cells.ts';

type Slices = Parameters<typeof flagsWhen>[0];

const TWO = { options: { topologies: [2] } } satisfies Parameters<typeof flagsWhen>[1];
const PAIR = 'floor/2/published';

describe('FAILED', () => {
  const failedIn = (...launches: number[]) => failuresOf('floor/single', launches);
  const last = { code: 'FAILED', launch: 2, when: 'slice', died: true } as const;
  const wrong = (launch: number) => ({ wrongBody: launch === 2 ? 5 : 0 });

  const wide = { code: 'INCONCLUSIVE', launches: 2, halfShare: 0, asked: 0.05 };
  const atStart = { when: 'start', died: false } as const;
  const twice = failedIn(0, 2).map((each) => (each.launch === 2 ? { ...each, ...atStart } : each));
  const flagAtStart = { ...last, ...atStart, measured: 2, launches: 4 };

  test.each<[string, failures: Failure[], launches: number, Slices, flags: object[]]>([
    ['another server failed', failuresOf('top/single', [2]), 3, {}, []],
    ['it failed once', failedIn(2), 3, {}, [{ ...last, measured: 2, launches: 3 }, wide]],
    ['it failed twice, last at its start', twice, 4, {}, [flagAtStart, wide]],
    ['it was wrong then', failedIn(2), 4, wrong, [{ ...last, measured: 3, launches: 4 }]],
    [
      'it always failed',
      failedIn(0, 1, 2),
      3,
      { wrongBody: 5 },
      [{ ...last, measured: 0, launches: 3 }],
    ],
  ])('where %s', (_, failures, launches, happened, flags) => {
    const options = { launches, durationS: 3 * launches };
    expect(flagsWhen(happened, { failures, options })).toEqual(flags);
  });
});

describe('TOPOLOGY', () => {
  const workersIn = (workers: Record<number, number[]>, of: 'launch' | 'round') => {
    return (launch: number, round: number): Happened => {
      return { workersCpuMs: workers[of === 'launch' ? launch : round] ?? [] };
    };
  };
  const ofLaunches = workersIn({ 0: [280, 700], 1: [180, 720], 2: [720, 240] }, 'launch');
  const ofRounds = workersIn({ 0: [800, 180], 1: [180, 800], 2: [490, 490] }, 'round');
  const short = (workersCpuMs: number[]): Happened => ({ windowS: 0.1, ok: 9800, workersCpuMs });

  test.each<[string, Slices, flag: { evenness: number; launch: number } | null]>([
    ['another launch makes up for the least even one', ofLaunches, { evenness: 0.25, launch: 1 }],
    ['a worker had nothing to do', { workersCpuMs: [980, 0] }, { evenness: 0, launch: 0 }],
    ['workers differ by less than half', { workersCpuMs: [330, 650] }, null],
    ['that may be chance in a short launch', short([80, 18]), null],
    ['that is none even then', short([98, 0]), { evenness: 0, launch: 0 }],
    ['only single slices are uneven', ofRounds, null],
  ])('where %s is %o', (_, happened, flag) => {
    const found = flagWhen('TOPOLOGY', happened, TWO, PAIR);
    expect(found).toEqual(flag && { code: 'TOPOLOGY', ...flag });
  });

  test('is silent on a single process, whatever children it has', () => {
    expect(flagsWhen({ workersCpuMs: [980, 0] })).toEqual([]);
  });
});

test('SPREAD says how processes on one port share the work, which makes nothing invalid', () => {
  const targets = STACK.map((target) => ({ ...target, scale: { by: 'reuse-port' } as const }));
  const uneven = flagsWhen({ workersCpuMs: [900, 80] }, { targets });
  const evenness = expect.closeTo(80 / 900);
  expect(flagIn(uneven, 'SPREAD')).toEqual({ code: 'SPREAD', launch: 0, evenness });
  expect(flagIn(uneven, 'TOPOLOGY')).toBeNull();
  expect(uneven.flatMap(invalidates)).toEqual([]);
  expect(flagWhen('SPREAD', { workersCpuMs: [500, 480] }, { targets })).toBeNull();
});

test('SHARED_CPU fires where there is no core left for the generator', () => {
  const flagOf = (workers: number) => {
    const parts = { machine: makeMachine(), options: { topologies: [workers] } };
    return flagWhen('SHARED_CPU', {}, parts, `floor/${workers}/published`);
  };
  expect(flagOf(4)).toEqual({ code: 'SHARED_CPU', workers: 4, by: 'processes', cores: 4 });
  expect(flagOf(3)).toBeNull();
});

/** A server with half a core, which it uses up. */
const LIMITED = { targets: [makeTarget('floor', { cpuLimit: 0.5 })] };
const UNLIMITED = { ok: 49_000, latenciesMs: [1000 / 49] };
const heldIn = (throttledPeriods: number, periods: number) => {
  return { ...UNLIMITED, throttling: { periods, throttledPeriods, throttledNs: 4e8 } };
};
const HELD = heldIn(9, 10);

const SHORT = { windowS: 0.1, ok: 9800, latenciesMs: [1000 / 98] };
const LONG = { ...HELD, windowS: 10, ok: 490_000 };

test.each<[string, seen: [share: number, cores: number] | null, ...Parameters<typeof flagsWhen>]>([
  ['the server used more CPU time than its core has', [1.029, 1], { cpuUsPerResponse: 10.5 }],
  ['counters may be off by that', null, { cpuUsPerResponse: 10.35 }],
  ['edges of short windows may be that', null, { ...SHORT, cpuUsPerResponse: 10.5 }],
  ['they may not be that', [1.0584, 1], { ...SHORT, cpuUsPerResponse: 10.8 }],
  ['the server shares all cores', null, { cpuUsPerResponse: 20.5 }, TWO, PAIR],
  ['it used more than these have', [1.029, 2], { cpuUsPerResponse: 21 }, TWO, PAIR],
  ['a window may begin with an unused quota', null, { ...LONG, cpuUsPerResponse: 10.4 }, LIMITED],
  ['it used more than its limit', [1.0388, 0.5], { ...LONG, cpuUsPerResponse: 10.6 }, LIMITED],
])('where %s IMPOSSIBLE has the share %j', (_, seen, ...when) => {
  const [share = 0, cores] = seen ?? [];
  const flag = { code: 'IMPOSSIBLE', usedShare: expect.closeTo(share, 4), cores };
  expect(flagWhen('IMPOSSIBLE', ...when)).toEqual(seen && flag);
});

test.each<[string, Happened, periods: number | null, limited?: typeof LIMITED]>([
  ['the limit throttled the server', HELD, 0.9, LIMITED],
  ['it did so often enough for a p99 to show', heldIn(10, 1000), 0.01, LIMITED],
  ['it did so less often', heldIn(9, 1000), null, LIMITED],
  ['nothing ran', heldIn(0, 0), null, LIMITED],
  ['there is no limit', {}, null],
])('THROTTLED where %s: %o', (_, happened, periods, limited) => {
  const shares = { periodsShare: expect.closeTo(periods ?? 0, 4), timeShare: expect.closeTo(0.4) };
  const flag = { code: 'THROTTLED', cores: 0.5, ...shares };
  expect(flagWhen('THROTTLED', happened, limited)).toEqual(periods && flag);
});

test('with a limit a server that uses it up is saturated, and one that does not is not', () => {
  expect(flagWhen('UNSATURATED', HELD, LIMITED)).toBeNull();
  const half = { ...HELD, cpuUsPerResponse: 5 };
  expect(flagWhen('UNSATURATED', half, LIMITED)?.busyShare).toBeCloseTo(0.49);
  expect(flagWhen('UNSATURATED', UNLIMITED)?.busyShare).toBeCloseTo(0.49);
});
