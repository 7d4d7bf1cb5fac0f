import { expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import type { Verdict } from '../../../src/math/verdicts.ts';
import {
  overheadSection,
  runtimeSection,
  topologySection,
} from '../../../src/report/sections/comparisons.ts';
import { summarizeRuntimes } from '../../../src/summary/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { perRuntime } from '../../../src/targets/copies.ts';
import { interval, makeRecord, makeTarget } from '../../support/make-record.ts';
import { NEW, OLD } from '../../support/make-runtimes.ts';
import { shown } from '../look.ts';

const record = makeRecord({ options: { topologies: ['single', 2] } }, () => null);
const [condition] = summarize(record).conditions;
const [floor, top] = ['floor', 'top'].map((name) => makeTarget(name));
if (!condition || !floor || !top) throw new Error('there is a condition');

test('where no step costs more than what it is built on, this is said', () => {
  const comparison = {
    ...{ ratio: interval(0.9, 0.8, 1), difference: interval(-1000, -2000, 0) },
    verdict: 'faster' as const,
  };
  const rows = [{ target: top, over: floor, comparison, flags: [] }];
  expect(shown(overheadSection({ condition, rows }))).toContain(
    '\nNo step here costs more CPU than what it is built on.',
  );
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

test('where only the first runtime was measured, there is nothing to compare', () => {
  const targets = perRuntime([makeTarget('app')], [NEW, OLD]);
  const record = makeRecord({ targets }, ({ target }) => {
    return target === 'app@node-24.1.0' ? { ok: 1000 } : null;
  });
  const table = summarizeRuntimes(record, summarize(record).conditions);
  const text = table && shown(runtimeSection(table));
  expect(text).toContain('There is nothing to compare with Node 24.1.0.');
  expect(text).not.toContain('Process managers');
});
