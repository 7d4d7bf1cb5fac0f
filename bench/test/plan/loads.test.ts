import { describe, expect, test } from 'vitest';
import {
  blocksIn,
  costLoad,
  inOneGo,
  loadSchema,
  lowLoad,
  mostConnections,
  mostInterleaved,
  openLoad,
  patientLoad,
  roundsOf,
  throughputLoad,
  timingOf,
  underWayOf,
} from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { makeOptions } from '../support/make-record.ts';

/** Two launches of three rounds of 1 s. */
const OPTIONS = makeOptions();
const SLICED = { method: 'sliced', sliceNs: 1e9, every: 1, timeoutNs: 10e9 } as const;

describe('a load', () => {
  const amounts = { connections: 7, pipelining: 3 };
  const facts = { id: 'alone', words: 'with one request at a time', saturates: false };

  test.each([
    costLoad(OPTIONS),
    throughputLoad('custom', amounts, SLICED),
    patientLoad(facts, amounts),
  ])('states facts that a record holds: $id', (load) => {
    expect(loadSchema.parse(load)).toEqual(load);
  });

  test('is there for the CPU of a request, or for requests', () => {
    expect(costLoad(OPTIONS).headline).toBe('cpu');
    expect(throughputLoad('custom', amounts, SLICED).headline).toBe('throughput');
  });

  test('has what has come handled together under the cost load only', () => {
    expect(costLoad(OPTIONS).turnNs).toBe(2e6);
    expect(throughputLoad('custom', amounts, SLICED).turnNs).toBe(0);
    expect(patientLoad(facts, amounts).turnNs).toBe(0);
  });

  test('keeps as many requests under way as all connections together', () => {
    expect(underWayOf(throughputLoad('custom', amounts, SLICED))).toBe(21);
  });

  test('is in slices of 1 s where it is patient and nothing else is said', () => {
    expect(patientLoad(facts, amounts)).toMatchObject({ waitForAll: true, ...SLICED });
    const timing = { sliceNs: 4e9, timeoutNs: 30e9 };
    expect(patientLoad(facts, amounts, timing)).toMatchObject({ ...SLICED, ...timing });
  });
});

describe('the cost load', () => {
  test('is one slice a launch, interleaved in turns of 50 ms', () => {
    const whole = { method: 'sliced', sliceNs: 3e9, every: 3, blocks: 60, timeoutNs: 10e9 };
    expect(costLoad(OPTIONS)).toMatchObject(whole);
  });

  test('is several slices a launch where one would be longer than 12 s, all of the time in them', () => {
    const load = (durationS: number) =>
      costLoad(makeOptions({ durationS, launches: 1, sliceS: 1 }));
    expect(load(12)).toMatchObject({ sliceNs: 12e9, every: 12 });
    // In the rounds 0, 10 and 20; 0, 7.
    expect(load(30)).toMatchObject({ sliceNs: 10e9, every: 10 });
    expect(load(13)).toMatchObject({ sliceNs: 6.5e9, every: 7 });
  });

  test('is not interleaved where it is unbroken', () => {
    const unbroken = costLoad(makeOptions({ contiguous: true, launches: 1, sliceS: 6 }));
    expect(unbroken).toMatchObject({ method: 'contiguous', sliceNs: 6e9, every: 1, blocks: 1 });
  });

  test('has a slice in each round where it is taken in one go', () => {
    const load = costLoad(OPTIONS);
    const { blocks, sliceNs, every, ...facts } = load;
    expect(inOneGo(load)).toEqual({ ...facts, blocks: 1, sliceNs: 1e9, every: 1 });
    const rounds = costLoad(makeOptions({ durationS: 10, launches: 1, sliceS: 1.5 }));
    // Seven rounds of 10/7 s, to the ns.
    expect(inOneGo(rounds)).toMatchObject({ sliceNs: 1_428_571_429, every: 1 });
  });

  test('is interleaved on as many servers as have their next turn within 4 s, and on 40 at most', () => {
    const load = costLoad(OPTIONS);
    // Turns of 50 ms, 200 ms and 3 s.
    expect(mostInterleaved(load)).toBe(40);
    expect(mostInterleaved({ ...load, blocks: 15 })).toBe(20);
    expect(mostInterleaved({ ...load, blocks: 1 })).toBe(2);
  });

  test('has connections to as many servers at once as are interleaved, and in one go to one', () => {
    expect(mostConnections(costLoad(OPTIONS), 3)).toBe(300);
    expect(mostConnections(costLoad(OPTIONS), 50)).toBe(4000);
    expect(mostConnections(inOneGo(costLoad(OPTIONS)), 50)).toBe(100);
  });
});

test('at a low rate one request at a time is under way, and the next leaves with the next millisecond', () => {
  const low = lowLoad(OPTIONS);
  const facts = { connections: 1, pipelining: 1, turnNs: 1e6, saturates: false, headline: 'cpu' };
  expect(low).toMatchObject({ ...facts, sliceNs: 0.9e9, every: 3, blocks: 18 });
});

test('an open load is as it is where it is taken in one go', () => {
  const open = openLoad({ ratePerS: 500, driver: 'pacer', connections: 10 }, SLICED);
  expect(inOneGo(open)).toBe(open);
});

test('a slice has as many blocks as turns come closest to, and one at least', () => {
  expect(blocksIn({ ...SLICED, sliceNs: 1e9 }, 3e8)).toBe(3);
  expect(blocksIn({ ...SLICED, sliceNs: 1e8 }, 3e8)).toBe(1);
  expect(blocksIn({ ...SLICED, method: 'contiguous' }, 1e8)).toBe(1);
});

describe('the rounds of a launch', () => {
  const of = (parts: Partial<RunOptions>) => roundsOf(makeOptions(parts));

  test('are as many slices as come closest to its share of the time, and one at least', () => {
    expect(of({ durationS: 30, launches: 6, sliceS: 1 })).toBe(5);
    expect(of({ durationS: 9, launches: 3, sliceS: 0.7 })).toBe(4);
    expect(of({ durationS: 1, launches: 3, sliceS: 1 })).toBe(1);
  });

  test('are one where nothing is sliced', () => {
    expect(of({ contiguous: true, durationS: 30, launches: 1 })).toBe(1);
  });
});

describe('how a load is put on', () => {
  const of = (parts: Partial<RunOptions>) => timingOf(makeOptions(parts));

  test('is in slices that share the time of a launch', () => {
    expect(of({ durationS: 9, launches: 3, sliceS: 0.7 })).toEqual({ ...SLICED, sliceNs: 0.75e9 });
  });

  test('is for the whole time in each launch where it is unbroken', () => {
    const unbroken = { ...SLICED, method: 'contiguous', sliceNs: 30e9 };
    expect(of({ contiguous: true, durationS: 30, launches: 2 })).toEqual(unbroken);
  });
});
