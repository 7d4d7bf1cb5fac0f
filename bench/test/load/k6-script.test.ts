import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { countedBy, type K6Request, parseOutput, planOf } from '../../src/load/k6-script.ts';
import { openOrder } from './orders.ts';

/** A request every ms, 10 ms of ramp and 90 of window. */
const SCHEDULE = { periodNs: 1e6, rampNs: 1e7, durationNs: 1e8 };
const PLAN = { ...planOf(openOrder('http://127.0.0.1:1'), [0]), ...SCHEDULE };

/** One that began so long after its planned instant, and was answered so long after that; null for one cut off. */
function request(number: number, lateNs: number, tookNs: number | null): K6Request {
  const begunNs = number * SCHEDULE.periodNs + lateNs;
  const end = tookNs === null ? null : { ns: begunNs + tookNs, place: 0, ending: 'ok' as const };
  return { number, begunNs, end };
}

const countsOf = (requests: K6Request[], dropped = 0) => {
  return countedBy([{ dropped, bytes: 0, requests }], PLAN);
};
const timesOf = (histogram: string) => hdr.decodeFromCompressedBase64(histogram);

test('lines of requests are read, those without an end too', () => {
  const requests = '+ 3 3000000\n+ 4 4000100\n- 4 5000000 1 wrongBody\n';
  expect(parseOutput(`{"dropped":2,"bytes":70}\n${requests}`)).toEqual({
    ...{ dropped: 2, bytes: 70 },
    requests: [
      { number: 3, begunNs: 3e6, end: null },
      { number: 4, begunNs: 4_000_100, end: { ns: 5e6, place: 1, ending: 'wrongBody' } },
    ],
  });
});

test.each([
  ['no summary', '+ 3 3000000'],
  ['an end without a beginning', '{"dropped":0,"bytes":0}\n- 4 5000000 1 ok'],
  ['a request that begins twice', '{"dropped":0,"bytes":0}\n+ 4 5\n+ 4 6'],
  ['a request that ends twice', '{"dropped":0,"bytes":0}\n+ 4 5\n- 4 6 0 ok\n- 4 6 0 ok'],
  ['an unknown end', '{"dropped":0,"bytes":0}\n+ 4 5\n- 4 6 0 lucky'],
])('%s is an error that shows it', (_what, text) => {
  expect(() => parseOutput(text)).toThrow('k6 ended without figures');
});

test('the window has what begins in it, at the age that it has by then', () => {
  const requests = [request(5, 0, 1e6), request(20, 0.5e6, 2e6), request(30, 2e6, null)];
  const { ledger, window, latencyHistogram, agesHistograms, pace } = countsOf(requests);
  expect(ledger).toMatchObject({ sent: 3, ok: 2, inFlight: 1 });
  expect(window).toMatchObject({ sent: 2, ok: 1 });
  expect(timesOf(latencyHistogram).maxValue).toBeCloseTo(2500, -1);
  // Planned at 30 ms, and still there at 100.
  expect(timesOf(agesHistograms?.inFlight ?? '').maxValue).toBeCloseTo(70_000, -2);
  expect(pace?.lateness?.late).toBe(1);
});

test('without a plan latency counts from where a request began', () => {
  const { latencyHistogram, pace } = countsOf([request(20, 5e6, 2e6)], 1);
  expect(timesOf(latencyHistogram).maxValue).toBeCloseTo(2000, -1);
  expect(pace).toMatchObject({ dropped: 1, lateness: null });
});

const PER_S = 2000;
const TEXT = readFileSync(join(ROOT, 'docs/SCALE.md'), 'utf8');

/** Latencies with a long tail, the same each time, ns. */
const latencyOf = (number: number) => 1e6 * (1 + ((number * 7919) % 99_991) / 9999.1) ** 2;

/** The requests of one of several generators in so many seconds; its clock is this much too fast. */
function requestsOf(generator: number, of: number, seconds: number, drift: number): K6Request[] {
  const periodNs = 1e9 / (PER_S * of);
  return Array.from({ length: PER_S * seconds }, (_, own) => {
    const number = own * of + generator;
    const begunNs = Math.round(number * periodNs);
    const endNs = Math.round(begunNs + latencyOf(number) * (1 + drift));
    return { number, begunNs, end: { ns: endNs, place: 0, ending: 'ok' as const } };
  });
}

/** What many generators tell in so many seconds, merged. */
function merged(generators: number, seconds: number, drift: (generator: number) => number) {
  const ratePerS = PER_S * generators;
  const schedule = { periodNs: 1e9 / ratePerS, rampNs: 0, durationNs: seconds * 1e9 + 1e12 };
  const outputs = Array.from({ length: generators }, (_, generator) => {
    const requests = requestsOf(generator, generators, seconds, drift(generator));
    return { dropped: 0, bytes: 0, requests };
  });
  return countedBy(outputs, { ...PLAN, ...schedule });
}

test.each([1, 10, 100])('the quantiles of %d generators are right within 0.1 %%', (generators) => {
  const seconds = generators === 100 ? 0.2 : 1;
  // Their clocks drift by up to 100 ppm, in either direction.
  const drift = (generator: number) => 1e-4 * Math.sin(generator);
  const { latencyHistogram, ledger, pace } = merged(generators, seconds, drift);
  const count = PER_S * seconds * generators;
  expect(ledger).toMatchObject({ sent: count, ok: count, inFlight: 0 });
  expect(pace).toMatchObject({ planned: count, dropped: 0 });
  const latencies = Array.from({ length: count }, (_, number) => latencyOf(number) / 1000);
  const exact = latencies.toSorted((a, b) => a - b);
  const histogram = timesOf(latencyHistogram);
  for (const percent of [50, 90, 99, 99.9]) {
    const wanted = exact[Math.ceil((percent / 100) * count) - 1] ?? 0;
    // Three digits, and the drift.
    expect(Math.abs(histogram.getValueAtPercentile(percent) / wanted - 1)).toBeLessThan(0.0012);
  }
  expect(latencyHistogram.length).toBeLessThan(8000);
});

test('the bytes of requests over ssh are as the document says', () => {
  const seconds = 30;
  for (const [generators, megabytes] of [
    [1, 2.7],
    [10, 28],
    [100, 290],
  ] as const) {
    const first = requestsOf(0, generators, 1, 0);
    // Of the middle of the slice: numbers and times grow longer.
    const shiftNs = (seconds / 2) * 1e9;
    const lines = first.map(({ number, begunNs, end }) => {
      const later = number + (PER_S * generators * seconds) / 2;
      return `+ ${later} ${begunNs + shiftNs}\n- ${later} ${(end?.ns ?? 0) + shiftNs} 0 ok\n`;
    });
    const bytes = (lines.join('').length / first.length) * PER_S * seconds * generators;
    expect(Math.abs(bytes / 1e6 / megabytes - 1), `${bytes}`).toBeLessThan(0.1);
    expect(TEXT).toContain(`${megabytes} MB`);
    const output = parseOutput(`{"dropped":0,"bytes":0}\n${lines.join('')}`);
    expect(output.requests).toHaveLength(first.length);
  }
});
