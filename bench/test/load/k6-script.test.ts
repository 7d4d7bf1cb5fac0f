import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';
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
  ['nothing', ''],
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

test('segments come to the same as all their requests together', () => {
  const requests = Array.from({ length: 100 }, (_, number) => {
    return request(number, (number % 7) * 1e5, number % 9 === 0 ? null : 1e5 * (1 + (number % 13)));
  });
  const segments = [0, 1, 2].map((index) => {
    const own = requests.filter(({ number }) => number % 3 === index);
    return { dropped: 0, bytes: 0, requests: own };
  });
  expect(countedBy(segments, PLAN)).toEqual(countsOf(requests));
});
