import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { type CostFinding, findTruth } from '../../../src/studies/truth/findings.ts';
import { COSTS, GARBAGE } from '../../../src/studies/truth/targets.ts';
import { GARBAGE_US, makeTruthRecord } from './make-truth-record.ts';

const LABELS = COSTS.flatMap(({ known }) => known).map(({ label }) => label);

/** The labels of the costs that came to this. */
function labelsOf({ costs }: { costs: CostFinding[] }, finding: CostFinding['finding']): string[] {
  return costs.filter((cost) => cost.finding === finding).map(({ label }) => label);
}

function costIn(record: RunRecord, label: string): CostFinding {
  const cost = findTruth(record).costs.find((each) => each.label === label);
  if (cost === undefined) throw new Error(`nothing was found of ${label}`);
  return cost;
}

describe('the truth', () => {
  test('is found where everything comes out as it is known', () => {
    const findings = findTruth(makeTruthRecord());
    expect(labelsOf(findings, 'found')).toEqual(LABELS);
    expect(findings.costs.map(({ takes }) => takes)).toEqual(LABELS.map(() => null));
    expect(findings.twins).toMatchObject({ verdict: 'same', finding: 'found', takes: null });
    expect(findings.size).toEqual({ known: 1200, measured: 1200, finding: 'found' });
    expect(findings.found).toBe(true);
  });

  test.each([1, 3, 10])('of %s µs more is known from the clock of the server itself', (us) => {
    const { known, measured, missNs } = costIn(makeTruthRecord(), `${us} µs more`);
    expect(known.low).toBeCloseTo(us * 1000);
    expect(known.high).toBeCloseTo(us * 1010);
    if (measured.kind !== 'interval') throw new Error('there is no interval');
    expect(measured.value).toBeCloseTo(us * 1000, -1);
    expect(missNs).toBeLessThan(10);
  });

  test('of garbage is known from the handler up to the handler with what its collection takes more', () => {
    for (const { label } of GARBAGE) {
      const { known, measured, missNs } = costIn(makeTruthRecord(), label);
      expect(known.low).toBeCloseTo(GARBAGE_US.clock * 1000);
      expect(known.high).toBeCloseTo(GARBAGE_US.clock * 1010 + GARBAGE_US.collector * 1000);
      expect(measured).toMatchObject({ value: expect.closeTo(5000, -1) });
      expect(missNs).toBe(0);
    }
  });

  test('of garbage is missed outside of both', () => {
    const more = { objects: 0.6, json: -1.4, 'go-objects': 0.6 };
    const missed = ['objects', 'JSON', 'objects in Go'];
    expect(labelsOf(findTruth(makeTruthRecord({ more })), 'missed')).toEqual(missed);
  });

  test.each([
    { us: 1, more: 0.35 },
    { us: 3, more: -0.35 },
    { us: 10, more: 1.2 },
  ])('is missed where $us µs come out $more µs away', ({ us, more }) => {
    const findings = findTruth(makeTruthRecord({ more: { [`spin-${us}`]: more } }));
    expect(labelsOf(findings, 'missed')).toEqual([`${us} µs more`]);
    expect(findings.found).toBe(false);
  });

  test('is missed where the interval does not reach it, however near the value is', () => {
    const findings = findTruth(makeTruthRecord({ more: { 'spin-3': 0.2 } }));
    expect(labelsOf(findings, 'missed')).toEqual(['3 µs more']);
  });

  test('is missed where the twins differ', () => {
    const different = findTruth(makeTruthRecord({ more: { 'twin-b': 1 } })).twins;
    expect(different).toMatchObject({ verdict: 'slower', finding: 'missed', takes: null });
  });

  test('is missed where the twins are the same, but for more than a hundredth', () => {
    const near = findTruth(makeTruthRecord({ more: { 'twin-b': 0.13 } })).twins;
    expect(near).toMatchObject({ verdict: 'same', finding: 'missed' });
  });

  test('is missed where an answer has another size, by a single byte', () => {
    expect(findTruth(makeTruthRecord({ bytes: 1201 })).size.finding).toBe('missed');
  });
});

describe("what the launches can't tell", () => {
  const noisy = makeTruthRecord({ more: { 'spin-1': 0.5 }, noise: 100 });

  test('is not found, and says about how many launches would', () => {
    const findings = findTruth(noisy);
    expect(labelsOf(findings, "can't tell")).toEqual(['1 µs more']);
    expect(findings.found).toBe(false);
    const { measured, takes } = costIn(noisy, '1 µs more');
    if (measured.kind !== 'interval') throw new Error('there is no interval');
    // Half of it is to be within 0.3 µs, and falls with the square root of the launches.
    const half = (measured.high - measured.low) / 2;
    expect(takes).toBe(Math.ceil(6 * (half / 300) ** 2));
    expect(takes).toBeGreaterThan(6);
  });

  test('of the twins is how close they are', () => {
    const { twins } = findTruth(noisy);
    expect(twins).toMatchObject({ verdict: "can't tell", finding: "can't tell" });
    expect(twins.takes).toBeGreaterThan(6);
  });

  test('of one launch takes more, nobody knows how many', () => {
    const once = findTruth(makeTruthRecord({ launches: 1 }));
    expect(once.twins).toMatchObject({ finding: "can't tell", takes: null });
    expect(once.found).toBe(false);
  });

  test('is everything where nothing was measured', () => {
    const findings = findTruth({ ...makeTruthRecord(), slices: [] });
    expect(labelsOf(findings, "can't tell")).toEqual(LABELS);
    expect(findings.costs.map(({ takes }) => takes)).toEqual(LABELS.map(() => null));
    expect(findings.size).toEqual({ known: 1200, measured: null, finding: "can't tell" });
    expect(findings.found).toBe(false);
  });

  test('is the cost of a server that failed in every launch, whatever else was found', () => {
    const record = makeTruthRecord();
    const failures = [0, 1, 2, 3, 4, 5].map((launch) => ({
      ...{ server: 'json/single', launch, when: 'slice' as const },
      ...{ message: 'it died', logTail: [], died: true },
    }));
    const findings = findTruth({ ...record, failures });
    expect(labelsOf(findings, "can't tell")).toEqual(['JSON']);
    expect(findings.found).toBe(false);
  });
});

test('of a record with some of the servers, their costs are found', () => {
  const { plan, ...rest } = makeTruthRecord({ more: { 'spin-10': 2 } });
  const cells = plan.cells.filter(({ target }) => /^(?:spin|twin|sized)/.test(target));
  const findings = findTruth({ ...rest, plan: { ...plan, cells } });
  expect(labelsOf(findings, 'found')).toEqual(['1 µs more', '3 µs more']);
  expect(labelsOf(findings, 'missed')).toEqual(['10 µs more']);
  expect(findings.costs).toHaveLength(3);
  expect(findings.twins.finding).toBe('found');
  expect(findings.size.finding).toBe('found');
});
