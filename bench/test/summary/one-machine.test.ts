import { expect, test } from 'vitest';
import { oneMachineSection } from '../../src/report/one-machine.ts';
import { compareMachines } from '../../src/summary/one-machine.ts';
import { summarize } from '../../src/summary/summary.ts';
import { rowsOf } from '../report/rows-of.ts';
import { makeRecord, makeTarget, type Story } from '../support/make-record.ts';

const targets = [makeTarget('app', { label: 'App' }), makeTarget('other', { label: 'Other' })];
/** Launches that differ a little, of a server whose requests take so long, µs. */
const story = (cpuUs: number): Story => {
  return (_cell, launch) => ({
    ok: 10_000,
    latenciesMs: [100],
    cpuUsPerResponse: cpuUs + 0.01 * launch,
  });
};
const summaryOf = (cpuUs: number, of = targets) => {
  return summarize(
    makeRecord({ targets: of, options: { launches: 3, durationS: 9 } }, story(cpuUs)),
  );
};

test('what a request costs more on one machine has an interval', () => {
  const [row] = compareMachines(summaryOf(10), summaryOf(12));
  const { change } = row?.cpu ?? {};
  if (change?.kind !== 'interval') throw new Error('no interval');
  expect(change.low).toBeLessThan(0.2);
  expect(change.value).toBeCloseTo(0.2, 2);
  expect(change.high).toBeGreaterThan(0.199);
});

test('the same on both is a change whose interval holds 0', () => {
  const [row] = compareMachines(summaryOf(10), summaryOf(10));
  expect(row?.cpu.change).toMatchObject({ value: 0 });
});

test('only servers of both runs are compared', () => {
  const rows = compareMachines(summaryOf(10), summaryOf(10, targets.slice(0, 1)));
  expect(new Set(rows.map(({ summary }) => summary.target.name))).toEqual(new Set(['app']));
  expect(rowsOf(oneMachineSection(rows))[0]?.[0]).toContain('App');
});
