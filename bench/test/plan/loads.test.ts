import { expect, test } from 'vitest';
import {
  blocksIn,
  costLoad,
  lowLoad,
  mostConnections,
  mostInterleaved,
  openLoad,
  roundsOf,
  timingOf,
  withoutInterleaving,
} from '../../src/plan/loads.ts';
import { makeOptions } from '../support/make-record.ts';

/** Two launches of three rounds of 1 s. */
const OPTIONS = makeOptions();
const SLICED = { method: 'sliced', sliceNs: 1e9, everyNthRound: 1, timeoutNs: 10e9 } as const;
const OPEN = openLoad({ ratePerS: 500, driver: 'pacer', connections: 10 });
const COST = costLoad(OPTIONS);
const CONTIGUOUS = makeOptions({ contiguous: true, launches: 1, sliceS: 6 });

test.each([
  ['is one slice a launch, interleaved in turns of 50 ms', OPTIONS, [3e9, 3, 60]],
  // In the rounds 0, 10 and 20.
  ['has slices of 12 s at most', makeOptions({ durationS: 30, launches: 1 }), [10e9, 10, 200]],
  ['fills 12 s', makeOptions({ durationS: 12, launches: 1 }), [12e9, 12, 240]],
  // In the rounds 0 and 7.
  ['shares all of its time', makeOptions({ durationS: 13, launches: 1 }), [6.5e9, 7, 130]],
  ['is not interleaved if it is contiguous', CONTIGUOUS, [6e9, 1, 1]],
])('the cost load %s', (_, options, slices) => {
  const { method, sliceNs, everyNthRound, blocks, ...load } = costLoad(options);
  expect([sliceNs, everyNthRound, blocks]).toEqual(slices);
  expect(load).toMatchObject({ headline: 'cpu', minLoopTurnNs: 2e6, timeoutNs: 10e9 });
  expect(method).toBe(options.contiguous ? 'contiguous' : 'sliced');
});

test('the cost load has a slice in each round without interleaving', () => {
  const rounds = costLoad(makeOptions({ durationS: 10, launches: 1, sliceS: 1.5 }));
  // Seven rounds of 10/7 s, to the ns.
  const whole = { blocks: 1, sliceNs: 1_428_571_429, everyNthRound: 1 };
  expect(withoutInterleaving(rounds)).toEqual({ ...rounds, ...whole });
  expect(withoutInterleaving(OPEN)).toBe(OPEN);
});

test('the cost load keeps connections to all servers that have their next turn within 4 s, 40 at most', () => {
  expect([60, 15, 1].map((blocks) => mostInterleaved({ ...COST, blocks }))).toEqual([40, 20, 2]);
  expect([3, 50].map((servers) => mostConnections(COST, servers))).toEqual([300, 4000]);
  expect(mostConnections(withoutInterleaving(COST), 50)).toBe(100);
});

test('the low rate has a tenth of a second at least', () => {
  const short = makeOptions({ durationS: 0.2, sliceS: 0.1 });
  expect(lowLoad(short)).toMatchObject({ sliceNs: 1e8, blocks: 2 });
});

test('a slice that is shorter than a turn is one block', () => {
  expect(blocksIn({ ...SLICED, sliceNs: 1e8 }, 3e8)).toBe(1);
});

test.each([
  ['as many slices as come closest to its share', { durationS: 30, launches: 6 }, 5, 1e9],
  ['more of them rather than fewer', { durationS: 9, launches: 6 }, 2, 0.75e9],
  ['no more than come close', { durationS: 8, launches: 6 }, 1, 8e9 / 6],
  ['slices that share its time', { durationS: 9, launches: 3, sliceS: 0.7 }, 4, 0.75e9],
  ['one slice at least', { durationS: 1.5, launches: 3 }, 1, 0.5e9],
  ['one that is contiguous', { contiguous: true, durationS: 30, launches: 2 }, 1, 30e9],
])('a launch has %s', (_, parts, rounds, sliceNs) => {
  const options = makeOptions(parts);
  expect(roundsOf(options)).toBe(rounds);
  const method = options.contiguous ? 'contiguous' : 'sliced';
  expect(timingOf(options)).toEqual({ ...SLICED, method, sliceNs: Math.round(sliceNs) });
});
