/** What is said below tables of steps and of topologies. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import type { Verdict } from '../../../src/math/verdicts.ts';
import { overheadSection, topologySection } from '../../../src/report/sections/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { interval, makeRecord, makeTarget } from '../../support/make-record.ts';
import { shown } from '../look.ts';

const record = makeRecord({ options: { topologies: ['single', 2] } }, () => null);
const [condition] = summarize(record).conditions;
const [floor, middle, top] = ['floor', 'middle', 'top'].map((name) => makeTarget(name));
if (!condition || !floor || !middle || !top) throw new Error('there are three targets');
const steps = [
  { target: middle, over: floor },
  { target: top, over: middle },
];

test.each<[string, Estimate, Estimate]>([
  [
    'middle adds the most: +9.0 ±1.0 µs of CPU per request over floor.',
    interval(9000, 8000, 10_000),
    interval(2000, 1000, 3000),
  ],
  [
    'No step here costs more CPU than what it is built on.',
    interval(-3000, -4000, -2000),
    interval(-1000, -2000, 0),
  ],
])('below overheads it says "%s"', (text, first, second) => {
  const rows = steps.map((step, place) => {
    const difference = place === 0 ? first : second;
    const comparison = { ratio: interval(1.1, 1, 1.2), difference, verdict: 'slower' as const };
    return { ...step, comparison, flags: [] };
  });
  expect(shown(overheadSection({ condition, rows }))).toContain(`\n${text}`);
});

type SpeedUp = [ratio: Estimate, verdict: Verdict] | null;
const FASTER: SpeedUp = [interval(1.5, 1.4, 1.6), 'faster'];
const UNSURE: SpeedUp = [interval(1.8, 0.7, 4), "can't tell"];
const NO_GAIN = 'No cluster is shown to be faster; the best is top (2): 0.80 [0.70, 0.90] times.';

test.each<[string, SpeedUp, SpeedUp]>([
  ['floor (2) gains the most: 1.50 [1.40, 1.60] times the requests/s.', FASTER, UNSURE],
  ...(['slower', "can't tell", 'same'] as const).map((verdict): [string, SpeedUp, SpeedUp] => {
    return [NO_GAIN, [interval(0.5, 0.4, 0.6), verdict], [interval(0.8, 0.7, 0.9), verdict]];
  }),
  ['There is no single process to compare the clusters with.', null, null],
])('below topologies it says "%s"', (text, ofFloor, ofTop) => {
  const rowOf = (target: typeof floor, own: SpeedUp) => {
    const speedUp = own && { ratio: own[0], difference: interval(0, 0, 0), verdict: own[1] };
    const entries = record.plan.topologies.map((topology, place) => {
      return { topology, throughput: interval(1, 1, 1), speedUp: place === 0 ? null : speedUp };
    });
    return { target, entries };
  };
  const rows = [rowOf(floor, ofFloor), rowOf(top, ofTop)];
  const section = topologySection({ load: condition.load, rows });
  expect(shown(section).split('\n').at(-1)).toBe(text);
});
