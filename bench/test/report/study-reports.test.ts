import { expect, test } from 'vitest';
import { truthSection } from '../../src/report/sections/truth.ts';
import { methodsDocument, priceDocument } from '../../src/report/study-reports.ts';
import { renderDocument } from '../../src/report/text.ts';
import { compareMethods } from '../../src/studies/methods/findings.ts';
import type { MethodsRecord } from '../../src/studies/methods/record.ts';
import type { Method } from '../../src/studies/methods/run-options.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import type { Variant } from '../../src/studies/price/plan.ts';
import type { PriceRecord } from '../../src/studies/price/record.ts';
import type { CostFinding, TruthFindings } from '../../src/studies/truth/findings.ts';
import { makeMethodsRecord } from '../studies/methods/make-methods-record.ts';
import { makePriceRecord } from '../studies/price/make-price-record.ts';
import { interval, makeMachine } from '../support/make-record.ts';
import { plain, shown, testGolden } from './look.ts';

/** How far the repeats stray, in turn, as shares of the farthest. */
const STRAYS = [0.8, -1, 0.1, 0.5, -0.6, 1];
/** The farthest of each ratio, as logarithms of ratios of requests/s. */
const FARTHEST = { classic: [0.05, 0.08, 0.03], sliced: [0.005, 0.01, 0.003] };

/** CPU per request strays so many times as far as requests/s. */
const CPU_STRAYS = -0.4;

/** As it might well be: the classic way strays about ten times as far. */
function measurement(method: Method, repeat: number) {
  const ratiosOf = (expressToFastify: number, share: number) => {
    const [a = 1, b = 1, c = 1] = FARTHEST[method].map((farthest, turn) => {
      return Math.exp((STRAYS[(repeat + turn) % STRAYS.length] ?? 0) * share * farthest);
    });
    return { expressToFastify: expressToFastify * a, fastifyTwins: b, expressTwins: c };
  };
  const ratios = { cpu: ratiosOf(1.7, CPU_STRAYS), throughput: ratiosOf(0.6, 1) };
  return { wallS: method === 'classic' ? 74 : 76, ratios };
}

function methodsReport(record: MethodsRecord, width = 80): string {
  return renderDocument(methodsDocument(record, compareMethods(record)), plain(width));
}

const FULL = makeMethodsRecord(6, measurement);

testGolden('methods', (width) => methodsReport(FULL, width));

const ONE = makeMethodsRecord(1, measurement);
const NO_SPREAD = /Express : Fastify +classic +1 +0\.\d{3} +0\.\d{3} +–/;
const EARLY = makeMethodsRecord(6, (method, repeat) => {
  return repeat < 2 ? measurement(method, repeat) : null;
});
const NOTHING = makeMethodsRecord(6, () => null);

test.each<[string, MethodsRecord, says: RegExp, without?: RegExp]>([
  ['one repeat has ratios, but no spread', ONE, NO_SPREAD, /usual way|NaN|Infinity|null/],
  ['a run that was ended early says so', EARLY, /not complete/],
  ['nothing may have been measured', NOTHING, /Nothing was measured\./],
])('%s', (_, record, says, without = /NaN|Infinity/) => {
  expect(methodsReport(record)).toMatch(says);
  expect(methodsReport(record)).not.toMatch(without);
});

/** What a variant costs beside the standard one, and by how much that differs from launch to launch. */
const COSTS: Record<Variant, [share: number, spread: number]> = {
  standard: [1, 0],
  sampled: [1.004, 0.001],
  alone: [1, 0.003],
  unpinned: [0.95, 0.002],
  unverified: [0.998, 0.01],
};

const USUAL = makePriceRecord((variant, launch) => {
  const [share, spread] = COSTS[variant];
  return 10 * (share + spread * (launch - 1));
});

function priceReport(record: PriceRecord, width = 1000): string {
  return renderDocument(priceDocument(record, findPrices(record)), plain(width));
}

testGolden('price', (width) => priceReport(USUAL, width));

const HARMLESS = makePriceRecord((_variant, launch) => 10 + launch);
const unpinnable = makePriceRecord(() => 10, makeMachine({ canPin: false }));

test.each<[string, PriceRecord, says: string, without: string]>([
  ['all is well', HARMLESS, 'Nothing that the harness does adds 1 % or more', "can't tell"],
  ['nothing was pinned', unpinnable, 'Pinning is left out', 'pins it'],
  ['it is not complete', { ...USUAL, state: 'interrupted' }, 'not complete', 'NaN'],
])('the report of `price` says where %s', (_, record, says, without) => {
  expect(priceReport(record)).toContain(says);
  expect(priceReport(record)).not.toContain(without);
});

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
