/** The study of truth: its servers, and what it finds of them. */
import { expect, test } from 'vitest';
import { findTruth, type TruthFindings } from '../../../src/studies/truth/findings.ts';
import { COSTS, GARBAGE, NODE, truthTargets } from '../../../src/studies/truth/targets.ts';
import { failuresOf } from '../../support/failures.ts';
import { GARBAGE_US, makeTruthRecord } from './make-truth-record.ts';

test('each server does more than the one it is over, and differs in nothing else but its name and label', () => {
  // A turn of the spin for each ns.
  const { targets, probes } = truthTargets(1000);
  const all = [...targets, ...probes];
  for (const key of ['name', 'label'] as const) {
    expect(new Set(all.map((target) => target[key])).size).toBe(all.length);
  }
  const servers = targets.map(({ name, over, start }) => [name, over, start.join(' ')]);
  const working = `node ${NODE.join(' ')} working.ts 5000`;
  const later = `node ${NODE.join(' ')} later.ts 5000`;
  expect(servers).toEqual([
    ['twin-a', null, `${working} spin 0`],
    ['twin-b', null, `${working} spin 0`],
    ['spin-1', 'twin-a', `${working} spin 1000`],
    ['spin-3', 'twin-a', `${working} spin 3000`],
    ['spin-10', 'twin-a', `${working} spin 10000`],
    ['objects', 'twin-a', `${working} objects 100`],
    ['json', 'twin-a', `${working} json 2`],
    ['buffers', 'twin-a', `${working} buffers 3`],
    ['survivors', 'twin-a', `${working} survivors 60`],
    ...['after', 'late', 'batched', 'seldom', 'thread', 'child'].flatMap((name) => [
      [`${name}-idle`, 'twin-a', `${later} ${name} 0`],
      [name, `${name}-idle`, `${later} ${name} 3000`],
    ]),
    ['go', null, 'dist/server 5000 spin 0'],
    ['go-spin-3', 'go', 'dist/server 5000 spin 3000'],
    ['go-objects', 'go', 'dist/server 5000 objects 30'],
  ]);
});

const LABELS = COSTS.flatMap(({ known }) => known).map(({ label }) => label);
const USUAL = makeTruthRecord();
const FOUND = findTruth(USUAL);

function labelsOf({ costs }: TruthFindings, finding: string): string[] {
  return costs.filter((cost) => cost.finding === finding).map(({ label }) => label);
}

function costIn({ costs }: TruthFindings, label: string) {
  const cost = costs.find((each) => each.label === label);
  if (cost?.measured.kind !== 'interval') throw new Error(`there is no interval of ${label}`);
  return { ...cost, measured: cost.measured };
}

test('the truth is found where everything comes out as it is known', () => {
  expect(labelsOf(FOUND, 'found')).toEqual(LABELS);
  expect(FOUND.costs.map(({ takes }) => takes)).toEqual(LABELS.map(() => null));
  expect(FOUND.twins).toMatchObject({ verdict: 'same', finding: 'found', takes: null });
  expect(FOUND.size).toEqual({ known: 1200, measured: 1200, finding: 'found' });
  expect(FOUND.found).toBe(true);
});

const spins = [1, 3, 10].map((us) => {
  return { label: `${us} µs more`, clock: us, collector: 0, mostOff: 9.999 };
});
const garbage = GARBAGE.map(({ label }) => ({ label, ...GARBAGE_US, mostOff: 0 }));
test.each([...spins, ...garbage])(
  'the truth of $label is at least what the handler takes, and at most that and its garbage collection',
  ({ label, clock, collector, mostOff }) => {
    const { known, measured, missNs } = costIn(FOUND, label);
    expect(known.low).toBeCloseTo(clock * 1000);
    expect(known.high).toBeCloseTo(clock * 1010 + collector * 1000);
    expect(measured.value).toBeCloseTo((clock + collector) * 1000, -1);
    expect(missNs).toBeLessThanOrEqual(mostOff);
  },
);

test.each<[Record<string, number>, string[]]>([
  [{ objects: 0.6, json: -1.4, 'go-objects': 0.6 }, ['objects', 'JSON', 'objects in Go']],
  [{ 'spin-1': 0.35 }, ['1 µs more']],
  [{ 'spin-3': -0.35 }, ['3 µs more']],
  [{ 'spin-10': 1.2 }, ['10 µs more']],
  // The value is near, but the interval does not reach what is known.
  [{ 'spin-3': 0.2 }, ['3 µs more']],
])('the truth is missed where costs are off by %o µs', (more, missed) => {
  const findings = findTruth(makeTruthRecord({ more }));
  expect(labelsOf(findings, 'missed')).toEqual(missed);
  expect(findings.found).toBe(false);
});

test.each([
  [1, 'slower'],
  // More than one hundredth.
  [0.13, 'same'],
])('the truth is missed where a twin takes %s µs more, which is %s', (us, verdict) => {
  const { twins } = findTruth(makeTruthRecord({ more: { 'twin-b': us } }));
  expect(twins).toMatchObject({ verdict, finding: 'missed', takes: null });
});

test('the truth is missed where an answer has another size, by a single byte', () => {
  expect(findTruth(makeTruthRecord({ bytes: 1201 })).size.finding).toBe('missed');
});

test("what the launches can't tell is not found, and says about how many launches would, of twins too", () => {
  const noisy = findTruth(makeTruthRecord({ more: { 'spin-1': 0.5 }, noise: 100 }));
  expect(labelsOf(noisy, "can't tell")).toEqual(['1 µs more']);
  expect(noisy.found).toBe(false);
  const { measured, takes } = costIn(noisy, '1 µs more');
  // Half of it is to be within 0.3 µs, and falls with the square root of the launches.
  const half = (measured.high - measured.low) / 2;
  expect(takes).toBe(Math.ceil(6 * (half / 300) ** 2));
  expect(takes).toBeGreaterThan(6);
  expect(noisy.twins).toMatchObject({ verdict: "can't tell", finding: "can't tell" });
  expect(noisy.twins.takes).toBeGreaterThan(6);
});

test("what the launches can't tell from one launch takes nobody knows how many", () => {
  const once = findTruth(makeTruthRecord({ launches: 1 }));
  expect(once).toMatchObject({ twins: { finding: "can't tell", takes: null }, found: false });
});

test("what the launches can't tell is everything where nothing was measured, or what failed in every launch", () => {
  const nothing = findTruth({ ...USUAL, slices: [] });
  expect(labelsOf(nothing, "can't tell")).toEqual(LABELS);
  expect(nothing.costs.map(({ takes }) => takes)).toEqual(LABELS.map(() => null));
  expect(nothing.size).toEqual({ known: 1200, measured: null, finding: "can't tell" });
  const failures = failuresOf('json/single', [0, 1, 2, 3, 4, 5]);
  const some = findTruth({ ...USUAL, failures });
  expect(labelsOf(some, "can't tell")).toEqual(['JSON']);
  expect([nothing.found, some.found]).toEqual([false, false]);
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
