import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/load/measurement.ts';
import { mergeMeasurements, mergeOutcomes } from '../../src/load/merge.ts';
import type { Outcome } from '../../src/load/protocol.ts';
import { agesOf, makeMeasurement } from '../support/make-record.ts';

/** Of the generator that reads the server's processes. */
const FIRST: Measurement = {
  ...makeMeasurement({
    ...{ ok: 95, wrongStatus: 1, timedOut: 2, disconnected: 2, inFlight: 10, windowS: 1.01 },
    ...{ latenciesMs: [1, 2], lostAgesMs: [3], inFlightAgesMs: [4, 5], generatorCpuMs: 800 },
    ...{ halfway: { s: 0.5, ok: 40 }, serverBytes: 9e7, workersCpuMs: [400, 500], waitMs: 5 },
    ...{ blocks: [50, 46].map((answers) => ({ cpuNs: 4e8, answers, chargedNs: 5e8, ns: 6e8 })) },
    ...{ turns: { all: 500, empty: 400, idleNs: 312_000 }, idleNsPerS: 2e6, isQuiet: true },
    ...{ services: { redis: { cpuNs: 3e7, waitNs: 1e6, bytes: 9e6 } }, hasSettled: true },
    ...{ system: { stealMs: 10 }, disturbed: [1], pace: { dropped: 3, late: 1 } },
    throttling: { periods: 10, throttledPeriods: 4, throttledNs: 3e8 },
  }),
  openedNs: 5e9,
};

/** Of another one, which reads nothing but itself. */
const OTHER: Measurement = {
  ...makeMeasurement({
    ...{ ok: 30, wrongStatus: 4, wrongBody: 5, timedOut: 6, inFlight: 11, windowS: 1.02 },
    ...{ latenciesMs: [2, 30], lostAgesMs: [10, 20], inFlightAgesMs: [6], generatorCpuMs: 900 },
    ...{ halfway: { s: 0.51, ok: 60 }, cpuUsPerResponse: 0, serverBytes: 0, workersCpuMs: [] },
    ...{ blocks: [20, 19].map((answers) => ({ cpuNs: 0, answers, ns: 6.1e8 })) },
    ...{ turns: { all: 90_000, empty: 100, idleNs: 78_000 }, system: { stealMs: 20 } },
    pace: { dropped: 4, late: 2 },
  }),
  ...{ openedNs: 5.1e9, warmupNs: 4e8, drainNs: 5e6, drainCapped: true },
};

const merged = mergeMeasurements(FIRST, OTHER);

test('what became of requests adds up, within the window and over all', () => {
  const counts = { sent: 166, ok: 125, wrongStatus: 5, wrongBody: 5, timedOut: 8, disconnected: 2 };
  expect(merged.ledger).toEqual({ ...counts, inFlight: 21 });
  expect(merged.window).toEqual({ ...counts, bytes: FIRST.window.bytes + OTHER.window.bytes });
  expect(merged.halfway).toEqual({ ns: 0.5e9, ok: 100 });
  expect(merged.pace).toMatchObject({ planned: 173, dropped: 7, lateness: { late: 3 } });
});

test('a time is in its histogram as often as in both', () => {
  const { lost, inFlight } = agesOf(merged);
  const histograms = [hdr.decodeFromCompressedBase64(merged.latencyHistogram), lost, inFlight];
  const both = [FIRST, OTHER].flatMap(({ window }) => window.ok);
  expect(both).toEqual([95, 30]);
  expect(histograms.map(({ totalCount }) => totalCount)).toEqual([96 + 30, 3, 3]);
  expect(histograms.map(({ maxValue }) => Math.round(maxValue / 1000))).toEqual([30, 20, 6]);
});

test('ages are only known where every generator looked', () => {
  const blind = { ...OTHER, agesHistograms: null };
  expect(mergeMeasurements(FIRST, blind).agesHistograms).toBeNull();
  expect(mergeMeasurements(blind, FIRST).agesHistograms).toBeNull();
});

test('the CPU time of all generators adds up, and what only the first reads is as it read it', () => {
  expect(merged.cpu).toEqual({ ...FIRST.cpu, generator: { cpuNs: 17e8, waitNs: 0 } });
  const { workersCpuNs, services, memory, peak, openedNs, windowNs, system } = FIRST;
  expect(merged).toMatchObject({ workersCpuNs, services, memory, peak });
  const { throttling, leadIn, disturbed, idleNsPerS, isQuiet } = FIRST;
  expect(merged).toMatchObject({ openedNs, windowNs, system, throttling });
  expect(merged).toMatchObject({ leadIn, disturbed, idleNsPerS, isQuiet });
});

test('blocks have the answers of both, and the CPU time that the first read', () => {
  expect(merged.blocks).toEqual(
    [70, 65].map((answers) => ({ cpuNs: 4e8, answers, chargedNs: 5e8, ns: 6e8 })),
  );
});

test('the slowest counts, and a cap that any of them came to', () => {
  expect(merged).toMatchObject({ warmupNs: 4e8, drainNs: 1e7, drainCapped: true });
  expect(merged.warmupCapped).toBe(false);
  expect(mergeMeasurements(FIRST, { ...OTHER, warmupCapped: true }).warmupCapped).toBe(true);
});

test('the turns are those of the busiest generator, wherever it stands', () => {
  expect(merged.turns).toEqual(OTHER.turns);
  expect(mergeMeasurements(OTHER, FIRST).turns).toEqual(OTHER.turns);
});

test('three are merged as two', () => {
  const three = [FIRST, OTHER, OTHER].reduce(mergeMeasurements);
  expect(three.generators).toBe(3);
  expect(three.ledger.ok).toBe(95 + 30 + 30);
});

describe('the outcome of two generators', () => {
  const done: Outcome = { kind: 'measured', measurement: makeMeasurement({ ok: 10 }) };
  const failed: Outcome = { kind: 'failed', message: 'it broke' };
  const refused: Outcome = { kind: 'refused' };
  const stopped: Outcome = { kind: 'stopped' };

  test('is a measurement where both have measured', () => {
    const both = mergeOutcomes(done, done);
    expect(both).toMatchObject({ kind: 'measured', measurement: { window: { ok: 20 } } });
  });

  test.each([
    [done, stopped, stopped],
    [done, failed, failed],
    [stopped, refused, refused],
    [stopped, failed, failed],
    [stopped, stopped, stopped],
  ])('%j and %j', (a, b, outcome) => {
    expect(mergeOutcomes(a, b)).toEqual(outcome);
    expect(mergeOutcomes(b, a)).toEqual(outcome);
  });
});
