import { expect, test } from 'vitest';
import { networkSection } from '../../src/report/sections/network.ts';
import { summarizeNetwork } from '../../src/summary/network.ts';
import { summarize } from '../../src/summary/summary.ts';
import { rowsOf } from '../report/rows-of.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';

const roundTrip = (medianUs: number) => {
  return { leastNs: medianUs * 900, medianNs: medianUs * 1000, p95Ns: medianUs * 2000 };
};
/** 1,000 connections, one request each; 10,000 answers/s after 100 ms. */
const busy: Happened = { ok: 10_000, latenciesMs: [100] };
const rowsWhen = (happened: (launch: number) => Happened) => {
  const record = makeRecord({ targets: [makeTarget('app', { label: 'App' })] }, (_cell, launch) => {
    return { ...busy, ...happened(launch) };
  });
  return summarizeNetwork(record, summarize(record).conditions);
};

test('the least, the median and the worst round trip of all slices are known, and what they allow', () => {
  const rows = rowsWhen((launch) => ({ roundTrip: roundTrip(launch === 0 ? 400 : 600) }));
  expect(rows[0]).toMatchObject({
    roundTrip: { leastNs: 360_000, medianNs: 500_000, p95Ns: 1_200_000 },
  });
  // 1,000 under way, each for 0.5 ms at the least.
  expect(rows[0]?.ceilingPerS).toBeCloseTo(2_000_000);
  expect(rows[0]?.share).toBeCloseTo(0.005, 3);
  const [cells] = rowsOf(networkSection(rows));
  expect(cells).toContain('2,000,000');
});

test('nothing is told of servers on the same machine', () => {
  expect(rowsWhen(() => ({}))).toEqual([]);
});
