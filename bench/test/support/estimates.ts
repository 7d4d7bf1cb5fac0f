import { expect } from 'vitest';
import { type Estimate, pointOf, type Sample } from '../../src/math/statistics.ts';

export const NONE: Estimate = { kind: 'none' };

/** An interval of width 0. */
export const flat = (value: number) => ({ kind: 'interval', value, low: value, high: value });

/** The interval value ± half, to this many digits. */
export function around(value: number, half: number, digits = 6) {
  const [low, high] = [value - half, value + half].map((end) => expect.closeTo(end, digits));
  return { kind: 'interval', value: expect.closeTo(value, digits), low, high };
}

/** An interval of width 0, to this many digits. */
export const near = (value: number, digits = 6) => around(value, 0, digits);

/** The value of an estimate in µs, to a tenth. */
export function micro(estimate: Estimate | null | undefined): number | null {
  const ns = estimate ? pointOf(estimate) : null;
  // Adding 0 makes 0 of -0.
  return ns === null ? null : Math.round(ns / 100) / 10 + 0;
}

/** A sample for each launch from 0 on; null for a launch without one. */
export function inLaunches(...values: (number | null)[]): Sample[] {
  return values.flatMap((value, launch) => (value === null ? [] : [{ launch, value }]));
}
