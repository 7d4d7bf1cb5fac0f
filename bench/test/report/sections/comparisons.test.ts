/** What is said below tables of steps and of topologies. */
import { describe, expect, test } from 'vitest';
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

describe('the sentence of overheads', () => {
  const [cheap, dear] = [interval(2000, 1000, 3000), interval(9000, 8000, 10_000)];

  test.each<[string, Estimate, Estimate, string]>([
    [
      'the dearest step',
      cheap,
      dear,
      'top adds the most: +9.0 ±1.0 µs of CPU per request over middle.',
    ],
    [
      'it where it is first',
      dear,
      cheap,
      'middle adds the most: +9.0 ±1.0 µs of CPU per request over floor.',
    ],
    [
      'that no step costs anything',
      interval(-3000, -4000, -2000),
      interval(-1000, -2000, 0),
      'No step here costs more CPU than what it is built on.',
    ],
  ])('names %s', (_, first, second, text) => {
    const rows = steps.map((step, place) => {
      const difference = place === 0 ? first : second;
      const comparison = { ratio: interval(1.1, 1, 1.2), difference, verdict: 'slower' as const };
      return { ...step, comparison, flags: [] };
    });
    expect(shown(overheadSection({ condition, rows }))).toContain(`\n${text}`);
  });
});

describe('the sentence of topologies', () => {
  type SpeedUp = [ratio: Estimate, verdict: Verdict] | null;
  const faster: SpeedUp = [interval(1.5, 1.4, 1.6), 'faster'];
  type Case = [string, SpeedUp, SpeedUp, string];

  test.each<Case>([
    [
      'what gains the most, and how',
      faster,
      [interval(1.8, 1.7, 1.9), 'faster'],
      'top (2) gains the most: 1.80 [1.70, 1.90] times the requests/s.',
    ],
    [
      'it among those that are faster, as far as can be told',
      faster,
      [interval(1.8, 0.7, 4), "can't tell"],
      'floor (2) gains the most: 1.50 [1.40, 1.60] times the requests/s.',
    ],
    ...(['slower', "can't tell", 'same'] as const).map((verdict): Case => {
      const [worse, better] = [interval(0.5, 0.4, 0.6), interval(0.8, 0.7, 0.9)];
      const text =
        'No cluster is shown to be faster; the best is top (2): 0.80 [0.70, 0.90] times.';
      return [
        `no gain where more processes are ${verdict}`,
        [worse, verdict],
        [better, verdict],
        text,
      ];
    }),
    [
      'nothing where there is nothing to compare with',
      null,
      null,
      'There is no single process to compare the clusters with.',
    ],
  ])('names %s', (_, ofFloor, ofTop, text) => {
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
});
