import { describe, expect, test } from 'vitest';
import { latencyOf, type Time } from '../src/latency.ts';
import type { Slice } from '../src/record.ts';
import { type Happened, makeMeasurement } from './make-record.ts';

/** A slice in which answers took these times, ms. */
function sliceOf(latenciesMs: number[], happened: Happened = {}): Slice {
  const measurement = makeMeasurement({ latenciesMs, ...happened });
  const place = { cell: 'a/single/cost', launch: 0, round: 0 };
  return { ...place, startedNs: 0, handler: null, measurement };
}

const MS = 1e6;

/** Within the three digits that the histogram keeps. */
function expectNear(found: number | null | undefined, expected: number): void {
  expect(found).toBeGreaterThan(expected * 0.998);
  expect(found).toBeLessThan(expected * 1.002);
}

function expectKnown(found: Time | undefined, expected: number): void {
  expect(found?.kind).toBe('known');
  expectNear(found?.ns, expected);
}

const ones = (count: number) => Array.from({ length: count }, () => 1);

test('times are ns', () => {
  const latency = latencyOf([sliceOf([2, 2, 2])]);
  expectKnown(latency?.mean, 2 * MS);
  expectKnown(latency?.p50, 2 * MS);
  expectKnown(latency?.max, 2 * MS);
  expect(latency?.deviation).toBeLessThan(0.002 * MS);
});

test('percentiles are those of all slices together, not of one, nor their mean', () => {
  const latency = latencyOf([sliceOf(ones(96)), sliceOf([50, 50]), sliceOf([400, 500])]);
  expectKnown(latency?.p2_5, 1 * MS);
  expectKnown(latency?.p50, 1 * MS);
  expectKnown(latency?.p97_5, 50 * MS);
  expectKnown(latency?.p99, 400 * MS);
  expectKnown(latency?.max, 500 * MS);
  expectKnown(latency?.mean, ((96 + 100 + 900) / 100) * MS);
});

test('the deviation is that of the answers', () => {
  expectNear(latencyOf([sliceOf([10]), sliceOf([30])])?.deviation, 10 * MS);
});

test('does not depend on the order of the slices', () => {
  const slices = [sliceOf([1, 2, 3]), sliceOf([], { timedOut: 2 }), sliceOf([40])];
  expect(latencyOf([...slices].reverse())).toEqual(latencyOf(slices));
});

test('there is none where no request came to an end', () => {
  expect(latencyOf([])).toBeNull();
  expect(latencyOf([sliceOf([]), sliceOf([], { inFlight: 9 })])).toBeNull();
});

describe('requests that were never answered', () => {
  const over = { kind: 'above', ns: 10e9 };

  test('rank behind the answered: quantiles among them are above the time-out', () => {
    const latency = latencyOf([sliceOf(ones(97)), sliceOf([5], { timedOut: 1, disconnected: 1 })]);
    expectKnown(latency?.p50, 1 * MS);
    // Rank 98 of 100 is the last answered one, rank 99 is not.
    expectKnown(latency?.p97_5, 5 * MS);
    expect(latency?.p99).toEqual(over);
    expect(latency?.max).toEqual(over);
  });

  test('leave of the mean what it is above, and no deviation', () => {
    const latency = latencyOf([sliceOf(ones(99), { timedOut: 1 })]);
    expect(latency?.mean.kind).toBe('above');
    // 99 × 1 ms and 10 s, over 100.
    expectNear(latency?.mean.ns, 100.99 * MS);
    expect(latency?.deviation).toBeNull();
  });

  test('hide which of the slow answers a quantile is', () => {
    const latency = latencyOf([sliceOf([1, 11_000, 12_000], { timedOut: 1 })]);
    expectKnown(latency?.p2_5, 1 * MS);
    expect(latency?.p50).toEqual(over);
  });

  test('alone are all above the time-out', () => {
    const latency = latencyOf([sliceOf([], { timedOut: 3 })]);
    expect(latency).toMatchObject({ mean: over, p2_5: over, p50: over, max: over });
  });
});

test('an answer may take longer than the time-out where none is missing', () => {
  expectKnown(latencyOf([sliceOf([11_000])])?.max, 11_000 * MS);
});
