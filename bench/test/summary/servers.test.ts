import { expect, test } from 'vitest';
import type { Start } from '../../src/record/record.ts';
import { oneMachineSection } from '../../src/report/machines-report.ts';
import { networkSection, startsSection } from '../../src/report/sections/servers.ts';
import { compareMachines, summarizeNetwork } from '../../src/summary/network.ts';
import { summarizeStarts, summarizeWarmups } from '../../src/summary/servers.ts';
import { rowsOf } from '../report/look.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';

test.each<[string, [startMs: number | null, megabytes: number][], found: object, row: string]>([
  [
    'of all starts the median and the worst, of the answer and of memory',
    [300, 900, 310].map((startMs, launch) => [startMs, [50, 40, 41][launch] ?? 0]),
    { starts: 3, answer: { median: 310e6, worst: 900e6 }, memory: { median: 41e6, worst: 50e6 } },
    'App (single) 3 310 900 41.0 50.0',
  ],
  [
    'only the memory of what somebody else has started',
    [[null, 50]],
    { starts: 1, answer: null, memory: { median: 50e6, worst: 50e6 } },
    'App (single) 1 – – 50.0 50.0',
  ],
])('of a server is known %s', (_, measured, found, row) => {
  const starts = measured.map(([startMs, megabytes], launch): Start => {
    const startNs = startMs === null ? null : startMs * 1e6;
    return { server: 'app/single', launch, judged: [], bytes: megabytes * 1e6, startNs };
  });
  const targets = [makeTarget('app', { label: 'App' }), makeTarget('other')];
  const options = { topologies: ['single' as const] };
  const record = makeRecord({ targets, starts, options }, () => ({ ok: 1 }));
  expect(summarizeStarts(record)).toEqual([{ server: 'app/single', ...found }]);
  const shown = startsSection(record).flatMap(rowsOf);
  expect(shown.map((cells) => cells.join(' '))).toEqual([row]);
});

test('there are no warm-ups where it was observed of no server whether it settles', () => {
  const none = { starts: 0, settled: null, capped: null };
  expect(summarizeWarmups(makeRecord({}, () => ({ ok: 1, hasSettled: null })))).toEqual(none);
});

const roundTrip = (medianUs: number) => {
  return { leastNs: medianUs * 900, medianNs: medianUs * 1000, p95Ns: medianUs * 2000 };
};
const rowsWhen = (happened: (launch: number) => Happened) => {
  const targets = [makeTarget('app', { label: 'App' })];
  // 1,000 connections, one request each; 10,000 answers/s after 100 ms.
  const record = makeRecord({ targets }, (_cell, launch) => {
    return { ok: 10_000, latenciesMs: [100], ...happened(launch) };
  });
  return summarizeNetwork(summaryOf(record));
};

test('the least, the median and the worst round trip of all slices are known, and what they allow', () => {
  const rows = rowsWhen((launch) => ({ roundTrip: roundTrip(launch === 0 ? 400 : 600) }));
  const [row] = rows;
  expect(row?.roundTrip).toEqual({ leastNs: 360_000, medianNs: 500_000, p95Ns: 1_200_000 });
  // 1,000 under way, each for 0.5 ms at the least.
  expect(row?.ceilingPerS).toBeCloseTo(2_000_000);
  expect(row?.share).toBeCloseTo(0.005, 3);
  expect(networkSection(rows).flatMap(rowsOf)[0]).toContain('2,000,000');
  // There is no network to servers on the same machine.
  expect(rowsWhen(() => ({}))).toEqual([]);
});

const TARGETS = [makeTarget('app', { label: 'App' }), makeTarget('other', { label: 'Other' })];
/** Launches that differ a little, of servers whose requests take so long. */
const costing = (cpuUs: number, of = TARGETS) => {
  const options = { launches: 3, durationS: 9 };
  const record = makeRecord({ targets: of, options }, (_cell, launch) => {
    return { ok: 10_000, latenciesMs: [100], cpuUsPerResponse: cpuUs + 0.01 * launch };
  });
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
  const rows = compareMachines(costing(10), costing(10, TARGETS.slice(0, 1)));
  expect(new Set(rows.map(({ target }) => target.name))).toEqual(new Set(['app']));
  expect(rowsOf(oneMachineSection(rows))[0]?.[0]).toContain('App');
});
