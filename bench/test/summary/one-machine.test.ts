import { expect, test } from 'vitest';
import { oneMachineSection } from '../../src/report/machines-report.ts';
import { compareMachines } from '../../src/summary/one-machine.ts';
import { rowsOf } from '../report/rows-of.ts';
import { makeRecord, makeTarget } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';

const targets = [makeTarget('app', { label: 'App' }), makeTarget('other', { label: 'Other' })];
/** Launches that differ a little, of servers whose requests take so long. */
const costing = (cpuUs: number, of = targets) => {
  const record = makeRecord(
    { targets: of, options: { launches: 3, durationS: 9 } },
    (_cell, launch) => {
      return { ok: 10_000, latenciesMs: [100], cpuUsPerResponse: cpuUs + 0.01 * launch };
    },
  );
  return summaryOf(record);
};

test('what a request costs more on one machine has an interval', () => {
  const [row] = compareMachines(costing(10), costing(12));
  const { change } = row?.cpu ?? {};
  if (change?.kind !== 'interval') throw new Error('no interval');
  expect(change.low).toBeLessThan(0.2);
  expect(change.value).toBeCloseTo(0.2, 2);
  expect(change.high).toBeGreaterThan(0.199);
  const [same] = compareMachines(costing(10), costing(10));
  expect(same?.cpu.change).toMatchObject({ value: 0 });
});

test('only servers of both runs are compared', () => {
  const rows = compareMachines(costing(10), costing(10, targets.slice(0, 1)));
  expect(new Set(rows.map(({ summary }) => summary.target.name))).toEqual(new Set(['app']));
  expect(rowsOf(oneMachineSection(rows))[0]?.[0]).toContain('App');
});
