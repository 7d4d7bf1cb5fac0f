import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/load/measurement.ts';
import { mergeMeasurements, mergeOutcomes } from '../../src/load/merge.ts';
import type { Outcome } from '../../src/load/protocol.ts';
import { agesOf, makeHistogram, makeMeasurement } from '../support/make-record.ts';

const used = (cpuNs: number, waitNs: number) => ({ cpuNs, waitNs });

/** Of the generator that reads the server's processes. */
const FIRST: Measurement = {
  warmupNs: 3e8,
  warmupCapped: false,
  openedNs: 5e9,
  windowNs: 1.01e9,
  mainThread: null,
  halfway: { ns: 0.5e9, ok: 40 },
  generators: 1,
  drainNs: 7e6,
  drainCapped: false,
  ledger: {
    sent: 210,
    ok: 190,
    wrongStatus: 1,
    wrongBody: 2,
    timedOut: 3,
    disconnected: 4,
    inFlight: 10,
  },
  window: {
    sent: 100,
    ok: 95,
    wrongStatus: 1,
    wrongBody: 0,
    timedOut: 2,
    disconnected: 2,
    bytes: 1e4,
  },
  latencyHistogram: makeHistogram([1, 2]),
  agesHistograms: { lost: makeHistogram([3]), inFlight: makeHistogram([4, 5]) },
  cpu: {
    server: used(9e8, 5e6),
    manager: used(1e6, 1e3),
    harness: used(2e6, 2e3),
    generator: used(8e8, 3e6),
  },
  services: { redis: { cpuNs: 3e7, waitNs: 1e6, bytes: 9e6, peakBytes: 12e6 } },
  workersCpuNs: [4e8, 5e8],
  system: { stealNs: 1e7, busyNs: 2e9, throttledNs: 0 },
  throttling: { periods: 10, throttledPeriods: 4, throttledNs: 3e8 },
  memory: { server: 9e7, manager: 4e7 },
  peak: { server: 10e7, manager: 5e7 },
  turns: { all: 500, empty: 400, idleNs: 312000 },
  pace: null,
  series: [],
  leadIn: { blocks: 20, answers: 40_000, ns: 1e9, hasSettled: true },
  blocks: [
    { cpuNs: 4e8, answers: 50, chargedNs: 5e8, ns: 0.6e9 },
    { cpuNs: 3e8, answers: 46, chargedNs: 4e8, ns: 0.7e9 },
  ],
  disturbed: [1],
  idleNsPerS: 2e6,
  isQuiet: true,
  requests: [],
};

/** Of another one, which reads nothing but itself. */
const OTHER: Measurement = {
  ...FIRST,
  warmupNs: 4e8,
  openedNs: 5.1e9,
  windowNs: 1.02e9,
  mainThread: null,
  halfway: { ns: 0.51e9, ok: 60 },
  drainNs: 5e6,
  drainCapped: true,
  ledger: {
    sent: 107,
    ok: 70,
    wrongStatus: 8,
    wrongBody: 7,
    timedOut: 6,
    disconnected: 5,
    inFlight: 11,
  },
  window: {
    sent: 50,
    ok: 30,
    wrongStatus: 4,
    wrongBody: 5,
    timedOut: 6,
    disconnected: 5,
    bytes: 5e3,
  },
  latencyHistogram: makeHistogram([2, 30]),
  agesHistograms: { lost: makeHistogram([10, 20]), inFlight: makeHistogram([6]) },
  cpu: { server: used(0, 0), manager: used(0, 0), harness: used(0, 0), generator: used(9e8, 4e6) },
  services: {},
  workersCpuNs: [],
  system: { stealNs: 2e7, busyNs: 3e9, throttledNs: 0 },
  memory: { server: 0, manager: 0 },
  peak: { server: 0, manager: 0 },
  turns: { all: 90_000, empty: 100, idleNs: 78000 },
  leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
  blocks: [
    { cpuNs: 0, answers: 20, chargedNs: 0, ns: 0.61e9 },
    { cpuNs: 0, answers: 19, chargedNs: 0, ns: 0.71e9 },
  ],
  disturbed: [],
  idleNsPerS: 0,
  isQuiet: null,
};

const merged = mergeMeasurements(FIRST, OTHER);

test('what became of requests adds up, within the window and over all', () => {
  expect(merged.ledger).toEqual({
    sent: 317,
    ok: 260,
    wrongStatus: 9,
    wrongBody: 9,
    timedOut: 9,
    disconnected: 9,
    inFlight: 21,
  });
  expect(merged.window).toEqual({
    sent: 150,
    ok: 125,
    wrongStatus: 5,
    wrongBody: 5,
    timedOut: 8,
    disconnected: 7,
    bytes: 1.5e4,
  });
  expect(merged.halfway).toEqual({ ns: 0.5e9, ok: 100 });
});

test('a latency is in the histogram as often as in both', () => {
  const histogram = hdr.decodeFromCompressedBase64(merged.latencyHistogram);
  expect(histogram.totalCount).toBe(4);
  expect(Math.round(histogram.getValueAtPercentile(25) / 1000)).toBe(1);
  expect(Math.round(histogram.getValueAtPercentile(75) / 1000)).toBe(2);
  expect(Math.round(histogram.maxValue / 1000)).toBe(30);
});

test('an age is in its histogram as often as in both', () => {
  const { lost, inFlight } = agesOf(merged);
  expect(lost.totalCount).toBe(3);
  expect(Math.round(lost.maxValue / 1000)).toBe(20);
  expect(inFlight.totalCount).toBe(3);
  expect(Math.round(inFlight.maxValue / 1000)).toBe(6);
});

test('ages are only known where every generator looked', () => {
  const blind = { ...OTHER, agesHistograms: null };
  expect(mergeMeasurements(FIRST, blind).agesHistograms).toBeNull();
  expect(mergeMeasurements(blind, FIRST).agesHistograms).toBeNull();
});

test('the CPU time of all generators adds up, and the servers is that of the first', () => {
  expect(merged.cpu).toEqual({ ...FIRST.cpu, generator: used(17e8, 7e6) });
  expect(merged.workersCpuNs).toEqual(FIRST.workersCpuNs);
  expect(merged.services).toEqual(FIRST.services);
  expect(merged.memory).toEqual(FIRST.memory);
  expect(merged.peak).toEqual(FIRST.peak);
});

test('blocks have the answers of both, and the CPU time that the first read', () => {
  expect(merged.blocks).toEqual([
    { cpuNs: 4e8, answers: 70, chargedNs: 5e8, ns: 0.6e9 },
    { cpuNs: 3e8, answers: 65, chargedNs: 4e8, ns: 0.7e9 },
  ]);
  const { leadIn, disturbed, idleNsPerS, isQuiet } = FIRST;
  expect(merged).toMatchObject({ leadIn, disturbed, idleNsPerS, isQuiet });
});

test('the window and the system are those of the first', () => {
  expect(merged).toMatchObject({ windowNs: FIRST.windowNs, system: FIRST.system });
});

test('the slowest counts, and a cap that any of them came to', () => {
  expect(merged).toMatchObject({ warmupNs: 4e8, drainNs: 7e6, drainCapped: true });
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
  expect(three.ledger.sent).toBe(210 + 107 + 107);
  expect(hdr.decodeFromCompressedBase64(three.latencyHistogram).totalCount).toBe(6);
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
