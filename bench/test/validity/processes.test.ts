import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/record/record.ts';
import { invalidates } from '../../src/validity/flags.ts';
import { failuresOf } from '../support/failures.ts';
import { type Happened, makeMachine, makeTarget, STACK } from '../support/make-record.ts';
import { about, flagIn, flagsWhen, flagWhen, type Row, testFlag, type When } from './cells.ts';

const TWO = { options: { topologies: [2] } } satisfies When[1];
const PAIR = 'floor/2/published';

const failedIn = (...launches: number[]) => failuresOf('floor/single', launches);
const last = { code: 'FAILED', launch: 2, when: 'slice', died: true } as const;
const wrong = (launch: number) => ({ wrongBody: launch === 2 ? 5 : 0 });

const wide = { code: 'INCONCLUSIVE', launches: 2, halfShare: 0, asked: 0.05 };
const atStart = { when: 'start', died: false } as const;
const twice = failedIn(0, 2).map((each) => (each.launch === 2 ? { ...each, ...atStart } : each));
const always = { ...last, measured: 0, launches: 3 };
const flagAtStart = { ...last, ...atStart, measured: 2, launches: 4 };

test.each<[string, failures: Failure[], launches: number, When[0], flags: object[]]>([
  ['another server failed', failuresOf('top/single', [2]), 3, {}, []],
  ['it failed once', failedIn(2), 3, {}, [{ ...last, measured: 2, launches: 3 }, wide]],
  ['it failed twice, last at its start', twice, 4, {}, [flagAtStart, wide]],
  ['it was wrong then', failedIn(2), 4, wrong, [{ ...last, measured: 3, launches: 4 }]],
  ['it always failed', failedIn(0, 1, 2), 3, { wrongBody: 5 }, [always]],
])('FAILED where %s', (_, failures, launches, happened, flags) => {
  const options = { launches, durationS: 3 * launches };
  expect(flagsWhen(happened, { failures, options })).toEqual(flags);
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

  const rows: Row[] = [
    ['another launch makes up for the least even one', { evenness: 0.25, launch: 1 }, ofLaunches],
    ['a worker had nothing to do', { evenness: 0, launch: 0 }, { workersCpuMs: [980, 0] }],
    ['workers differ by less than half', null, { workersCpuMs: [330, 650] }],
    ['that may be chance in a short launch', null, short([80, 18])],
    ['that is none even then', { evenness: 0, launch: 0 }, short([98, 0])],
    ['only single slices are uneven', null, ofRounds],
  ];
  testFlag('TOPOLOGY', rows, TWO, PAIR);

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

const alive = (workers: number): When => {
  const parts = { machine: makeMachine(), options: { topologies: [workers] } };
  return [{}, parts, `floor/${workers}/published`];
};
testFlag('SHARED_CPU', [
  ['no core is left for the generator', { workers: 4, by: 'processes', cores: 4 }, ...alive(4)],
  ['one is', null, ...alive(3)],
]);

/** A server with half a core, which it uses up. */
const LIMITED = { targets: [makeTarget('floor', { cpuLimit: 0.5 })] };
const UNLIMITED = { ok: 49_000, latenciesMs: [1000 / 49] };
const heldIn = (throttledPeriods: number, periods: number) => {
  return { ...UNLIMITED, throttling: { periods, throttledPeriods, throttledNs: 4e8 } };
};
const HELD = heldIn(9, 10);

const SHORT = { windowS: 0.1, ok: 9800, latenciesMs: [1000 / 98] };
const LONG = { ...HELD, windowS: 10, ok: 490_000 };

const used = (usedShare: number, cores = 1) => ({ usedShare: about(usedShare), cores });

testFlag('IMPOSSIBLE', [
  ['the server used more CPU time than its core has', used(1.029), { cpuUsPerResponse: 10.5 }],
  ['counters may be off by that', null, { cpuUsPerResponse: 10.35 }],
  ['edges of short windows may be that', null, { ...SHORT, cpuUsPerResponse: 10.5 }],
  ['they may not be that', used(1.0584), { ...SHORT, cpuUsPerResponse: 10.8 }],
  ['the server shares all cores', null, { cpuUsPerResponse: 20.5 }, TWO, PAIR],
  ['it used more than these have', used(1.029, 2), { cpuUsPerResponse: 21 }, TWO, PAIR],
  ['a window may begin with an unused quota', null, { ...LONG, cpuUsPerResponse: 10.4 }, LIMITED],
  ['it used more than its limit', used(1.0388, 0.5), { ...LONG, cpuUsPerResponse: 10.6 }, LIMITED],
]);

const throttled = (periods: number) => {
  return { cores: 0.5, periodsShare: about(periods), timeShare: about(0.4) };
};

testFlag('THROTTLED', [
  ['the limit throttled the server', throttled(0.9), HELD, LIMITED],
  ['it did so often enough for a p99 to show', throttled(0.01), heldIn(10, 1000), LIMITED],
  ['it did so less often', null, heldIn(9, 1000), LIMITED],
  ['nothing ran', null, heldIn(0, 0), LIMITED],
  ['there is no limit', null, {}],
]);

const half = { busyShare: about(0.49), idleShare: about(0.195) };

testFlag('UNSATURATED', [
  ['the server uses up its limit', null, HELD, LIMITED],
  ['it uses half of that', half, { ...HELD, cpuUsPerResponse: 5 }, LIMITED],
  ['it uses half a core without a limit', half, UNLIMITED],
]);
