import { expect, test } from 'vitest';
import { latencyOf } from '../src/latency.ts';
import type { Slice } from '../src/record.ts';
import { makeMeasurement } from './make-record.ts';

/** A slice in which answers took these times, ms. */
function sliceOf(...latenciesMs: number[]): Slice {
  const measurement = makeMeasurement({ latenciesMs });
  return { cell: 'a/single/cost', launch: 0, round: 0, startedNs: 0, measurement };
}

/** Within the three digits that the histogram keeps. */
function expectNear(found: number | undefined, expected: number): void {
  expect(found).toBeGreaterThan(expected * 0.998);
  expect(found).toBeLessThan(expected * 1.002);
}

const MS = 1e6;

test('times are ns', () => {
  const latency = latencyOf([sliceOf(2, 2, 2)]);
  expectNear(latency?.mean, 2 * MS);
  expectNear(latency?.p50, 2 * MS);
  expectNear(latency?.max, 2 * MS);
  expect(latency?.deviation).toBeLessThan(0.002 * MS);
});

test('percentiles are those of all slices together, not of one, nor their mean', () => {
  const fast = Array.from({ length: 96 }, () => 1);
  const latency = latencyOf([sliceOf(...fast), sliceOf(50, 50), sliceOf(400, 500)]);
  expectNear(latency?.p2_5, 1 * MS);
  expectNear(latency?.p50, 1 * MS);
  expectNear(latency?.p97_5, 50 * MS);
  expectNear(latency?.p99, 400 * MS);
  expectNear(latency?.max, 500 * MS);
  expectNear(latency?.mean, ((96 + 100 + 900) / 100) * MS);
});

test('the deviation is that of the answers', () => {
  expectNear(latencyOf([sliceOf(10), sliceOf(30)])?.deviation, 10 * MS);
});

test('does not depend on the order of the slices', () => {
  const slices = [sliceOf(1, 2, 3), sliceOf(), sliceOf(40)];
  expect(latencyOf([...slices].reverse())).toEqual(latencyOf(slices));
});

test('there is none without answers', () => {
  expect(latencyOf([])).toBeNull();
  expect(latencyOf([sliceOf(), sliceOf()])).toBeNull();
});
