import { describe, expect, test } from 'vitest';
import { findTruth } from '../../../src/studies/truth/findings.ts';
import { spinNames } from '../../../src/studies/truth/targets.ts';
import { makeTruthRecord } from './make-truth-record.ts';

describe('the truth', () => {
  test('is found where everything comes out as it is known', () => {
    const findings = findTruth(makeTruthRecord());
    expect(findings.costs.map(({ found }) => found)).toEqual([true, true, true]);
    expect(findings.twins).toMatchObject({ verdict: 'same', found: true });
    expect(findings.size).toEqual({ known: 1200, measured: 1200, found: true });
    expect(findings.found).toBe(true);
  });

  test.each([1, 3, 10])('of %s µs more is known from the clock of servers of their own', (us) => {
    const cost = findTruth(makeTruthRecord()).costs.find(({ label }) => label === `${us} µs`);
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
    const findings = findTruth(
      makeTruthRecord({ more: { [spinNames(us).plain]: more }, noise: 100 }),
    );
    const missed = findings.costs.filter(({ found }) => !found).map(({ label }) => label);
    expect(missed).toEqual([`${us} µs`]);
    expect(findings.found).toBe(false);
  });

  test('is missed where the interval does not reach it, however near the value is', () => {
    const findings = findTruth(makeTruthRecord({ more: { 'spin-3': 0.2 } }));
    expect(findings.costs.map(({ found }) => found)).toEqual([true, false, true]);
  });

  test('is missed where the twins differ, or are not known to be the same', () => {
    expect(findTruth(makeTruthRecord({ more: { 'twin-b': 0.13 } })).twins).toMatchObject({
      verdict: 'same',
      found: false,
    });
    expect(findTruth(makeTruthRecord({ noise: 100 })).twins).toMatchObject({
      verdict: "can't tell",
      found: false,
    });
  });

  test('is missed where an answer has another size, by a single byte', () => {
    expect(findTruth(makeTruthRecord({ bytes: 1201 })).size.found).toBe(false);
  });

  test('is missed where nothing was measured', () => {
    const record = { ...makeTruthRecord(), slices: [] };
    const findings = findTruth(record);
    expect(findings.found).toBe(false);
    expect(findings.costs.map(({ found }) => found)).toEqual([false, false, false]);
    expect(findings.size.measured).toBeNull();
  });
});
