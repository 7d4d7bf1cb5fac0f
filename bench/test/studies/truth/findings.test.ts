import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { findTruth } from '../../../src/studies/truth/findings.ts';
import { SIZED, SIZED_NAME, spinNames, truthTargets } from '../../../src/studies/truth/targets.ts';
import { makeRecord } from '../../support/make-record.ts';

const BASE_US = 9;
/** Six launches that differ by a hundredth of a µs. */
const WOBBLE_US = [0, 0.01, -0.01, 0.005, -0.005, 0];

/** What is to be changed of a run in which everything comes out as it is known. */
interface Lie {
  /** µs measured more than known, by target. */
  more?: Record<string, number>;
  bytes?: number;
  /** How far the launches differ, as a multiple. */
  noise?: number;
}

function recordOf({ more = {}, bytes = SIZED.head + SIZED.body, noise = 1 }: Lie = {}): RunRecord {
  const { targets, probes } = truthTargets(1000);
  const options = {
    ...({ suite: 'truth', connections: 100, pipelining: 10, launches: 6, durationS: 18 } as const),
  };
  const record = makeRecord({ options, targets, probes }, ({ target }, launch) => {
    const spin = Number(/^(?:spin|timed)-(\d+)$/.exec(target)?.[1] ?? 0);
    const wobble = (WOBBLE_US[launch] ?? 0) * noise * (target === 'twin-a' ? 1 : -1);
    return {
      ok: 10_000,
      cpuUsPerResponse: BASE_US + spin + wobble + (more[target] ?? 0),
      bytesPerResponse: target === SIZED_NAME ? bytes : 138,
    };
  });
  for (const slice of record.slices) {
    const us = Number(/^timed-(\d+)/.exec(slice.cell)?.[1]);
    if (us > 0) slice.handler = { medianNs: us * 1000, meanNs: us * 1010 };
  }
  return record;
}

describe('the truth', () => {
  test('is found where everything comes out as it is known', () => {
    const findings = findTruth(recordOf());
    expect(findings.costs.map(({ found }) => found)).toEqual([true, true, true]);
    expect(findings.twins).toMatchObject({ verdict: 'same', found: true });
    expect(findings.size).toEqual({ known: 1200, measured: 1200, found: true });
    expect(findings.found).toBe(true);
  });

  test.each([1, 3, 10])('of %s µs more is known from the clock of servers of their own', (us) => {
    const cost = findTruth(recordOf()).costs.find(({ label }) => label === `${us} µs`);
    expect(cost?.known.low).toBeCloseTo(us * 1000);
    expect(cost?.known.high).toBeCloseTo(us * 1010);
    if (cost?.measured.kind !== 'interval') throw new Error('there is no interval');
    expect(cost.measured.value).toBeCloseTo(us * 1000, -1);
    expect(cost.missNs).toBeLessThan(10);
  });

  test.each([
    { us: 1, more: 0.35 },
    { us: 3, more: -0.35 },
    { us: 10, more: 1.2 },
  ])('is missed where $us µs come out $more µs away', ({ us, more }) => {
    const findings = findTruth(recordOf({ more: { [spinNames(us).plain]: more }, noise: 100 }));
    const missed = findings.costs.filter(({ found }) => !found).map(({ label }) => label);
    expect(missed).toEqual([`${us} µs`]);
    expect(findings.found).toBe(false);
  });

  test('is missed where the interval does not reach it, however near the value is', () => {
    const findings = findTruth(recordOf({ more: { 'spin-3': 0.2 } }));
    expect(findings.costs.map(({ found }) => found)).toEqual([true, false, true]);
  });

  test('is missed where the twins differ, or are not known to be the same', () => {
    expect(findTruth(recordOf({ more: { 'twin-b': 0.13 } })).twins).toMatchObject({
      verdict: 'same',
      found: false,
    });
    expect(findTruth(recordOf({ noise: 100 })).twins).toMatchObject({
      verdict: "can't tell",
      found: false,
    });
  });

  test('is missed where an answer has another size, by a single byte', () => {
    expect(findTruth(recordOf({ bytes: 1201 })).size.found).toBe(false);
  });

  test('is missed where nothing was measured', () => {
    const record = { ...recordOf(), slices: [] };
    const findings = findTruth(record);
    expect(findings.found).toBe(false);
    expect(findings.costs.map(({ found }) => found)).toEqual([false, false, false]);
    expect(findings.size.measured).toBeNull();
  });
});
