import { expect, test } from 'vitest';
import { truthSection } from '../../../src/report/sections/truth.ts';
import type { CostFinding, TruthFindings } from '../../../src/studies/truth/findings.ts';
import { interval } from '../../support/make-record.ts';
import { shown, testGolden } from '../look.ts';

const cost = (us: number, offNs: number): CostFinding => ({
  label: `${us} µs more`,
  known: { low: us * 990, high: us * 1020 },
  sides: { own: [], other: [] },
  measured: interval(us * 1000 + offNs, us * 1000 + offNs - 150, us * 1000 + offNs + 150),
  missNs: Math.max(0, offNs - us * 20),
  finding: offNs < 300 ? 'found' : 'missed',
  takes: null,
});

/** Known less closely, since what its collection takes is all of what lies between. */
const OBJECTS: CostFinding = {
  ...cost(4.5, 0),
  ...{ label: 'objects', known: { low: 3900, high: 4800 }, measured: interval(4500, 4400, 4600) },
};
const JSON_COST: CostFinding = {
  ...{ ...OBJECTS, label: 'JSON', measured: interval(5400, 4300, 6500) },
  ...{ missNs: 600, finding: "can't tell", takes: 15 },
};

const MISSED: TruthFindings = {
  costs: [cost(1, 0), cost(3, 120), cost(10, 900), OBJECTS, JSON_COST],
  twins: {
    ...{ ratio: interval(1.004, 0.995, 1.013), difference: interval(40, -50, 130) },
    ...{ verdict: 'same', finding: 'found', takes: null },
  },
  size: { known: 1200, measured: 1200, finding: 'found' },
  found: false,
};

testGolden('truth', (width) => `${shown(truthSection(MISSED), width)}\n`);

test("what can't be told is named without what it would take where nobody knows, and what was found is not", () => {
  const open = { ...MISSED, costs: [{ ...JSON_COST, takes: null }] };
  expect(shown(truthSection(open))).toContain("Can't tell: JSON, CPU µs/request. ");
  const found = { ...MISSED, costs: [cost(1, 0)], found: true };
  expect(shown(truthSection(found))).toContain('Everything that is known was found.');
});

test('what was not measured has no figure', () => {
  const none = { kind: 'none' } as const;
  const open = { finding: "can't tell", takes: null } as const;
  const known = { low: Number.NaN, high: Number.NaN };
  const section = truthSection({
    costs: [{ ...cost(1, 0), known, measured: none, missNs: Number.NaN, ...open }],
    twins: { ratio: none, difference: none, verdict: "can't tell", ...open },
    size: { known: 1200, measured: null, finding: "can't tell" },
    found: false,
  });
  expect(shown(section)).not.toMatch(/NaN|Infinity/);
});
