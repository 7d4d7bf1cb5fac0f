import { expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import type { Verdict } from '../../../src/math/verdicts.ts';
import {
  overheadSection,
  runtimeSection,
  topologySection,
} from '../../../src/report/sections/comparisons.ts';
import { summarizeRuntimes } from '../../../src/summary/comparisons.ts';
import { perRuntime } from '../../../src/targets/copies.ts';
import { interval, makeRecord, makeTarget } from '../../support/make-record.ts';
import { NEW, OLD } from '../../support/make-runtimes.ts';
import { present, summariesOf, summaryOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';

test('where no step costs more than what it is built on, this is said', () => {
  const record = makeRecord({}, ({ target }) => {
    return { ok: 1000, cpuUsPerResponse: target === 'floor' ? 30 : 20 };
  });
  const { overheads } = summariesOf(record);
  expect(shown(overheadSection(present(overheads, 'overhead')))).toContain(
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
  const parts = { targets: ['floor', 'top'].map((name) => makeTarget(name)) };
  const record = makeRecord({ ...parts, options: { topologies: ['single', 2] } }, () => ({}));
  const table = present(summariesOf(record).topologies, 'topology');
  const targets = table.targets.map(({ target, rows }) => {
    const own = target.name === 'floor' ? ofFloor : ofTop;
    const speedUp = own && { ratio: own[0], verdict: own[1] };
    const given = rows.map(({ comparison, ...row }) => {
      return { ...row, comparison: comparison && speedUp && { ...comparison, ...speedUp } };
    });
    return { target, rows: given };
  });
  const section = topologySection({ ...table, targets });
  expect(shown(section).split('\n').at(-1)).toBe(text);
});

test('where only the first runtime was measured, there is nothing to compare', () => {
  const targets = perRuntime([makeTarget('app')], [NEW, OLD]);
  const record = makeRecord({ targets }, ({ target }) => {
    return target === 'app@node-24.1.0' ? { ok: 1000 } : null;
  });
  const table = summarizeRuntimes(record, summaryOf(record).conditions);
  const text = shown(runtimeSection(present(table, 'runtime')));
  expect(text).toContain('There is nothing to compare with Node 24.1.0.');
  expect(text).not.toContain('Process managers');
});
