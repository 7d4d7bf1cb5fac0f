import { describe, expect } from 'vitest';
import type { Cell } from '../../src/plan/plan.ts';
import { near } from '../support/estimates.ts';
import { about, onceIn, testFlag, type When } from './cells.ts';

describe('UNSTEADY', () => {
  const unsteady = (halves: object, slices: number, capped = 0) => ({ halves, capped, slices });
  const valued = (value: number) => expect.objectContaining({ value: about(value) });
  /** The second half of each launch has so many times the throughput of the first. */
  const rising = (...times: number[]): When => {
    const story = (launch: number, round: number) => {
      return { ok: 98_000 * (round < 2 ? 1 : (times[launch] ?? 1)) };
    };
    return [story, { options: { launches: times.length, durationS: times.length * 5 } }];
  };
  const alone = { options: { launches: 3, durationS: 3 } };
  const early = onceIn({ warmupCapped: true });

  testFlag('UNSTEADY', [
    ['every launch gets faster', unsteady(near(1.05, 3), 15), ...rising(1.05, 1.05, 1.05)],
    ['every launch gets slower', unsteady(near(0.96, 3), 15), ...rising(0.96, 0.96, 0.96)],
    ['they hardly get faster', null, ...rising(1.025, 1.025, 1.025)],
    ['they hardly get slower', null, ...rising(0.975, 0.975, 0.975)],
    ['launches disagree', null, ...rising(1.1, 1.0, 1.05)],
    ['the only launch gets faster', unsteady(valued(1.04), 5), ...rising(1.04)],
    ['the only launch hardly gets faster', null, ...rising(1.02)],
    // 48,000 in the first half, which was a little long, and 50,000 in the second.
    ['single slices do', unsteady(valued(1.0417), 3), { halfway: { s: 0.5, ok: 48_000 } }, alone],
    ['they do not', null, { halfway: { s: 0.49, ok: 48_000 } }, alone],
    ['nobody read the middle of single slices', null, {}, alone],
    ['a window opened before all were answered', unsteady(near(1), 9, 1), early],
  ]);
});

const settledIn = (launches: number, ...settled: number[]): When => {
  const story = (launch: number) => ({ hasSettled: settled.includes(launch) });
  return [story, { options: { launches, durationS: 3 * launches } }];
};
/** Slices without blocks before them, after this warm-up in one launch. */
const warmedUp = (outcome: 'capped' | 'settled'): When => {
  const warmup = { server: 'floor/single', launch: 1, batches: [], ns: 1e9, outcome };
  return [{}, { warmups: [warmup] }];
};

testFlag('UNSETTLED', [
  ['it had settled in two of three launches', { settled: 2, launches: 3 }, ...settledIn(3, 0, 2)],
  ['it had in two of five', { settled: 2, launches: 5 }, ...settledIn(5, 0, 4)],
  ['it had not in the only one', { settled: 0, launches: 1 }, ...settledIn(1)],
  ['it had in three of five', null, ...settledIn(5, 0, 1, 4)],
  ['it had in both', null, ...settledIn(2, 0, 1)],
  ['it had in the only one', null, ...settledIn(1, 0)],
  ['a warm-up was too short', { settled: 2, launches: 3 }, ...warmedUp('capped')],
  ['a warm-up was not', null, ...warmedUp('settled')],
]);

describe('NOISY_HOST', () => {
  const foreign = (foreignCpuMs: number) => ({ system: { foreignCpuMs } });
  const redis = { redis: { cpuNs: 150e6, waitNs: 0, bytes: 1e7 } };
  const disturbed = (slices: number, kind: string, share: number) => {
    return { disturbed: slices, slices: 9, worst: { kind, share: about(share) } };
  };
  const disturbedIn = (noisy: number) => (launch: number, round: number) => {
    const slice = launch * 3 + round;
    return slice < noisy ? { system: { stealMs: 60 + 20 * slice, foreignCpuMs: 150 } } : {};
  };

  testFlag('NOISY_HOST', [
    ['another machine took time', disturbed(9, 'steal', 0.021), { system: { stealMs: 42 } }],
    ['it took less', null, { system: { stealMs: 38 } }],
    ['a quota ran out', disturbed(9, 'throttled', 0.021), { system: { throttledMs: 21 } }],
    ['it ran out for less', null, { system: { throttledMs: 19 } }],
    ['another program used a core', disturbed(9, 'foreign', 0.105), foreign(105)],
    ['it used less', null, foreign(95)],
    ['that was a service of the server', null, { ...foreign(150), services: redis }],
    ['threads wait for each other', null, { waitMs: 900 }],
    ['the run used it', null, { system: {}, generatorCpuMs: 990, harnessCpuMs: 200 }],
    ['few slices are disturbed', null, disturbedIn(2)],
    ['more are, of which it names the worst', disturbed(3, 'steal', 0.05), disturbedIn(3)],
  ]);
});

describe('INCONCLUSIVE', () => {
  /** Launches that differ by this share from their mean: ± t(0.975, 2) / √3 times it, 2.484. */
  const spread = (share: number) => (launch: number) => {
    return { ok: Math.round(98_000 * (1 + (launch - 1) * share)) };
  };
  /** The same where the cells of other targets differ by another share. */
  const beside = (target: string, own: number, others: number) => {
    return (launch: number, _round: number, cell: Cell) => {
      return spread(cell.target === target ? own : others)(launch);
    };
  };
  const topDiffers = beside('top', 0.02, 0);
  const until = (share: number, launches = 3) => {
    return { options: { launches, until: { share, maxTimeNs: 60e9 } } };
  };
  const known = (halfShare: number | null, asked: number, launches = 3) => {
    return { launches, halfShare: halfShare && about(halfShare), asked };
  };
  const [COST, TOP] = ['floor/single/cost', 'top/single/published'];
  const dearer = (launch: number) => ({ cpuUsPerResponse: 10 - launch });
  const inPair = (share: number): When => {
    return [spread(share), { options: { topologies: [2] } }, 'floor/2/published'];
  };

  testFlag('INCONCLUSIVE', [
    ['two launches are too few', known(0, 0.05, 2), {}, { options: { launches: 2 } }],
    ['one launch is', known(null, 0.05, 1), {}, { options: { launches: 1 } }],
    ['requests/s of a single process are not known to 5 %', known(0.0522, 0.05), spread(0.021)],
    ['those of a single process are', null, spread(0.0195)],
    ['requests/s of a cluster are not known to 10 %', known(0.1043, 0.1), ...inPair(0.042)],
    ['those of a cluster are', null, ...inPair(0.039)],
    ['CPU per request is the main figure', known(0.276, 0.1), dearer, {}, COST],
    ['requests/s are not', null, spread(0.2), {}, COST],
    // With --until.
    ['the ratio to the floor is less known', known(0.0497, 0.04), topDiffers, until(0.04), TOP],
    ['it is known well enough', null, topDiffers, until(0.06), TOP],
    ['only the machine differed', null, spread(0.3), until(0.01), TOP],
    ['it is the floor itself', null, beside('floor', 0.3, 0), until(0.01)],
    ['there are two launches', known(null, 0.01, 2), {}, until(0.01, 2)],
    ['nothing was answered', known(null, 0.9), { ok: 0 }, until(0.9), TOP],
  ]);
});

testFlag('NOT_QUIET', [
  ['a single slice is busy', { busy: 1, slices: 9 }, onceIn({ isQuiet: false })],
  ['all were quiet', null, { isQuiet: true }],
  ['nobody waited for that', null, { isQuiet: null }],
]);

// In each of 2 + 2 s, of which the server was charged 800 and 1,600 ms, between its turns too.
const blocks = [
  { cpuNs: 5e8, answers: 49_000, chargedNs: 8e8, ns: 2e9 },
  { cpuNs: 5e8, answers: 49_000, chargedNs: 16e8, ns: 2e9 },
];
const idle = (share: number) => ({ share: about(share, 3) });

testFlag('IDLE_USE', [
  // Of a server that uses 980 ms in each slice of 1 s.
  ['it is 196 ms a second', idle(0.2), { idleNsPerS: 196e6 }],
  ['it is hardly more than a tenth', idle(0.1), { idleNsPerS: 98.1e6 }],
  ['it is hardly less', null, { idleNsPerS: 97.9e6 }],
  ['it is nothing', null, { idleNsPerS: 0 }],
  ['it is a tenth of what all turns used', idle(0.1), { blocks, idleNsPerS: 60.001e6 }],
  ['it is hardly less of them', null, { blocks, idleNsPerS: 59.999e6 }],
]);
