import { describe, expect, test } from 'vitest';
import {
  blocksIn,
  closedLoad,
  costLoad,
  inOneGo,
  loadSchema,
  lowLoad,
  mostConnections,
  mostInterleaved,
  openLoad,
  roundsOf,
  timingOf,
  underWayOf,
} from '../../src/plan/loads.ts';
import { makeOptions } from '../support/make-record.ts';

/** Two launches of three rounds of 1 s. */
const OPTIONS = makeOptions();
const SLICED = { method: 'sliced', sliceNs: 1e9, everyNthRound: 1, timeoutNs: 10e9 } as const;
const OPEN = openLoad({ ratePerS: 500, driver: 'pacer', connections: 10 }, SLICED);
const CUSTOM = closedLoad({ id: 'custom', label: 'under it', connections: 7, pipelining: 3 });

test.each([costLoad(OPTIONS), lowLoad(OPTIONS), CUSTOM, OPEN])(
  'a load states facts that a record holds: $id',
  (load) => {
    expect(loadSchema.parse(load)).toEqual(load);
  },
);

test('a closed load is there for requests, on all connections together, in slices of 1 s', () => {
  expect(CUSTOM).toMatchObject({
    headline: 'throughput',
    waitForAll: false,
    minLoopTurnNs: 0,
    ...SLICED,
  });
  expect(underWayOf(CUSTOM)).toBe(21);
});

describe('the cost load', () => {
  const load = costLoad(OPTIONS);

  test('is one slice a launch, interleaved in turns of 50 ms, and has what came handled together', () => {
    const whole = {
      headline: 'cpu',
      minLoopTurnNs: 2e6,
      ...SLICED,
      sliceNs: 3e9,
      everyNthRound: 3,
      blocks: 60,
    };
    expect(load).toMatchObject(whole);
  });

  test.each([
    [12, { sliceNs: 12e9, everyNthRound: 12 }],
    // In the rounds 0, 10 and 20.
    [30, { sliceNs: 10e9, everyNthRound: 10 }],
    // In the rounds 0 and 7.
    [13, { sliceNs: 6.5e9, everyNthRound: 7 }],
  ])('is slices of 12 s at the most, which share all of %d s', (durationS, slices) => {
    expect(costLoad(makeOptions({ durationS, launches: 1 }))).toMatchObject(slices);
  });

  test('is not interleaved where it is unbroken', () => {
    const unbroken = costLoad(makeOptions({ contiguous: true, launches: 1, sliceS: 6 }));
    expect(unbroken).toMatchObject({
      method: 'contiguous',
      sliceNs: 6e9,
      everyNthRound: 1,
      blocks: 1,
    });
  });

  test('has a slice in each round where it is taken in one go', () => {
    expect(inOneGo(load)).toEqual({ ...load, blocks: 1, sliceNs: 1e9, everyNthRound: 1 });
    const rounds = costLoad(makeOptions({ durationS: 10, launches: 1, sliceS: 1.5 }));
    // Seven rounds of 10/7 s, to the ns.
    expect(inOneGo(rounds)).toMatchObject({ sliceNs: 1_428_571_429, everyNthRound: 1 });
    expect(inOneGo(OPEN)).toBe(OPEN);
  });

  test('is interleaved on as many servers as have their next turn within 4 s, and on 40 at most', () => {
    expect(mostInterleaved(load)).toBe(40);
    expect(mostInterleaved({ ...load, blocks: 15 })).toBe(20);
    expect(mostInterleaved({ ...load, blocks: 1 })).toBe(2);
  });

  test('keeps the connections to all servers that it is interleaved on', () => {
    expect(mostConnections(load, 3)).toBe(300);
    expect(mostConnections(load, 50)).toBe(4000);
    expect(mostConnections(inOneGo(load), 50)).toBe(100);
  });

  test('is at a low rate one request at a time, for three tenths of its time', () => {
    const low = { connections: 1, pipelining: 1, saturates: false, sliceNs: 0.9e9, blocks: 18 };
    expect(lowLoad(OPTIONS)).toMatchObject({
      headline: 'cpu',
      everyNthRound: 3,
      minLoopTurnNs: 1e6,
      ...low,
    });
    const short = makeOptions({ durationS: 0.2, sliceS: 0.1 });
    expect(lowLoad(short)).toMatchObject({ sliceNs: 1e8, blocks: 2 });
  });
});

test.each([
  [1e9, 3e8, 'sliced', 3],
  [1e8, 3e8, 'sliced', 1],
  [1e9, 1e8, 'contiguous', 1],
] as const)('of %d ns are in turns of %d ns, %s, %d blocks', (sliceNs, turnNs, method, blocks) => {
  expect(blocksIn({ ...SLICED, sliceNs, method }, turnNs)).toBe(blocks);
});

test.each([
  ['as many slices as come closest to its share', { durationS: 30, launches: 6 }, 5, 1e9],
  ['slices that share its time', { durationS: 9, launches: 3, sliceS: 0.7 }, 4, 0.75e9],
  ['one slice at least', { durationS: 1.5, launches: 3 }, 1, 0.5e9],
  ['one that is unbroken', { contiguous: true, durationS: 30, launches: 2 }, 1, 30e9],
])('a launch has %s', (_, parts, rounds, sliceNs) => {
  const options = makeOptions(parts);
  expect(roundsOf(options)).toBe(rounds);
  const method = options.contiguous ? 'contiguous' : 'sliced';
  expect(timingOf(options)).toEqual({ ...SLICED, method, sliceNs });
});
