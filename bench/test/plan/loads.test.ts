import { describe, expect, test } from 'vitest';
import {
  costLoad,
  lengthened,
  loadSchema,
  patientLoad,
  roundsOf,
  throughputLoad,
  timingOf,
  underWayOf,
} from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { makeOptions } from '../support/make-record.ts';

const SLICED = { method: 'sliced', sliceNs: 1e9, every: 1, timeoutNs: 10e9 } as const;

describe('a load', () => {
  const amounts = { connections: 7, pipelining: 3 };
  const facts = { id: 'alone', words: 'with one request at a time', saturates: false };

  test.each([
    costLoad(SLICED),
    throughputLoad('custom', amounts, SLICED),
    patientLoad(facts, amounts),
  ])('states facts that a record holds: $id', (load) => {
    expect(loadSchema.parse(load)).toEqual(load);
  });

  test('is there for the CPU of a request, or for requests', () => {
    expect(costLoad(SLICED).headline).toBe('cpu');
    expect(throughputLoad('custom', amounts, SLICED).headline).toBe('throughput');
  });

  test('has what has come handled together under the cost load only', () => {
    expect(costLoad(SLICED).turnNs).toBe(2e6);
    expect(throughputLoad('custom', amounts, SLICED).turnNs).toBe(0);
    expect(patientLoad(facts, amounts).turnNs).toBe(0);
  });

  test('keeps as many requests under way as all connections together', () => {
    expect(underWayOf(throughputLoad('custom', amounts, SLICED))).toBe(21);
  });

  test('is in slices of 1 s where it is patient and nothing else is said', () => {
    expect(patientLoad(facts, amounts)).toMatchObject({ patient: true, ...SLICED });
    const timing = { sliceNs: 4e9, timeoutNs: 30e9 };
    expect(patientLoad(facts, amounts, timing)).toMatchObject({ ...SLICED, ...timing });
  });
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

describe('the same time in fewer slices', () => {
  test('is as long as leaves a launch two of them', () => {
    expect(lengthened(SLICED, 4)).toEqual({ ...SLICED, sliceNs: 2e9, every: 2 });
    expect(lengthened(SLICED, 6)).toEqual({ ...SLICED, sliceNs: 3e9, every: 3 });
  });

  test('is one slice where there would be two', () => {
    expect(lengthened(SLICED, 2)).toEqual({ ...SLICED, sliceNs: 2e9, every: 2 });
    expect(lengthened({ ...SLICED, sliceNs: 3e9 }, 2)).toEqual({ ...SLICED, sliceNs: 3e9 });
  });

  test('is no longer than 5 s', () => {
    expect(lengthened(SLICED, 12)).toEqual({ ...SLICED, sliceNs: 4e9, every: 4 });
    expect(lengthened({ ...SLICED, sliceNs: 6e9 }, 4)).toEqual({ ...SLICED, sliceNs: 6e9 });
  });

  test('is as it was where no number of slices fits the rounds, or there are none', () => {
    expect(lengthened(SLICED, 1)).toEqual(SLICED);
    expect(lengthened(SLICED, 3)).toEqual(SLICED);
    const unbroken = { ...SLICED, method: 'contiguous' } as const;
    expect(lengthened(unbroken, 2)).toEqual(unbroken);
  });
});
