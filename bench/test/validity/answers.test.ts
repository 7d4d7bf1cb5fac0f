import { describe, expect, test } from 'vitest';
import { flagsWhen, flagWhen, onceIn, type When } from './cells.ts';

const CUSTOM = 'floor/single/custom';

test('BAD_RESPONSE fires on one wrong answer, counts those of whole slices, and none that never came', () => {
  const flags = flagsWhen(onceIn({ wrongStatus: 1, wrongBody: 2 }));
  expect(flags).toEqual([{ code: 'BAD_RESPONSE', wrong: 3, answers: 9 * 98_000 + 3 }]);
  expect(flagWhen('BAD_RESPONSE', { timedOut: 3, disconnected: 2 })).toBeNull();
});

test('LEDGER fires where more than 0.1 % of the requests are unaccounted for, slice by slice', () => {
  const flag = { code: 'LEDGER', sent: 9 * 99_100, unaccounted: 900 };
  expect(flagsWhen({ unaccounted: 100 })).toEqual([flag]);
  expect(flagsWhen({ unaccounted: 98 })).toEqual([]);
  // Too many in one slice do not make up for too few in another.
  const uneven = flagWhen('LEDGER', (_, round) => ({ unaccounted: [200, -200][round] ?? 0 }));
  expect(uneven).toMatchObject({ unaccounted: 1200 });
});

describe('LITTLE', () => {
  /** As long as so many times what 1,000 requests under way explain. */
  const times = (factor: number) => ({ latenciesMs: [(factor * 1000) / 98] });

  test('fires where the latency is longer than so many requests under way can explain', () => {
    // 1 % were still in flight at the end; 2 %, one mean latency and 15 ms of 1 s are allowed, and 0.1 ms beside 12
    // for the next request.
    const low = expect.closeTo(1 - 0.0101 - 0.047 - 0.0083, 3);
    expect(flagsWhen({ latenciesMs: [12] })).toEqual([
      { code: 'LITTLE', ratio: expect.closeTo(1.176, 3), low, high: expect.closeTo(1.047, 3) },
    ]);
  });

  const short = { windowS: 0.3, ok: 29_400, inFlight: 1000 };
  const long = { windowS: 30, ok: 2_800_000, latenciesMs: [10], cpuUsPerResponse: 10.5 };
  const pipelined = { options: { pipelining: 10 } };
  const overload = { ok: 40, latenciesMs: [3000], inFlight: 10_000 };
  const late = { ...overload, windowS: 30, timedOut: 25_000 };
  const quick = (latencyMs: number) => ({ ok: 50_000, latenciesMs: [latencyMs] });
  const ten = { options: { connections: 10 } };
  // Sixty turns of 50 ms, and a request takes 10 ms.
  const turns = { windowS: 3, ok: 3 * 98_000 };
  const cost = [{ options: { connections: 100, pipelining: 10 } }, 'floor/single/cost'] as const;
  // Half of the ten places, for 1 s, are the answered ones'.
  const aged = (ms: number) => {
    const inFlightAgesMs = [ms, ms, ms, ms, ms];
    return { ok: 5000, latenciesMs: [1], inFlight: 5, lostAgesMs: [], inFlightAgesMs };
  };
  const unbroken = [{ options: { contiguous: true, connections: 10 } }, CUSTOM] as const;

  test.each<[string, boolean, ...When]>([
    ['it is shorter', true, { latenciesMs: [9.5] }],
    ['it is hardly shorter', false, times(0.965)],
    ['it is hardly longer', false, times(1.025)],
    ['it is 1.06 times as long', true, times(1.06)],
    ['that can be the edges of a short window', false, { ...short, ...times(1.06) }],
    // Answered ones held 93.3 %; 100 that waited for 10 s held 3.3 % of 1,000 for 30 s, or twice that.
    ['lost requests held the places that are missing', false, { ...long, timedOut: 100 }],
    ['too few were lost for that', true, { ...long, timedOut: 10 }],
    ['hardly anything was answered', false, { ...overload, windowS: 6 }, pipelined, CUSTOM],
    ['hardly anything was answered in time', false, late, pipelined, CUSTOM],
    ['ten connections wait for nothing', false, quick(0.2), ten, CUSTOM],
    ['the next request takes as long as it can', false, quick(0.15), ten, CUSTOM],
    ['the next request can not take so long', true, quick(0.05), ten, CUSTOM],
    ['turns of an interleaving come to their ends', false, { ...turns, ...times(0.83) }, ...cost],
    ['that can not be the ends of turns', true, { ...turns, ...times(0.75) }, ...cost],
    ['turns do not make it longer', true, { ...turns, ...times(1.1) }, ...cost],
    ['those in flight have waited all the time', false, aged(1000), ...unbroken],
    ['those in flight have waited for half of it', true, aged(500), ...unbroken],
  ])('where %s fires: %s', (_, fires, ...when) => {
    expect(flagWhen('LITTLE', ...when) !== null).toBe(fires);
  });
});

test('CENSORED fires on a single request that was lost', () => {
  const lost = { timedOut: 2, disconnected: 1 };
  const waiting = expect.toSatisfy((share) => share < 0.01);
  const flag = { code: 'CENSORED', ...lost, answered: 9 * 98_000, waiting };
  expect(flagsWhen(onceIn(lost))).toEqual([flag]);
  // None was lost, or some are still under way.
  expect(flagsWhen({ latenciesMs: [(0.98 * 1000) / 98] })).toEqual([]);
});

test('CENSORED fires where most still waited at the end, though nothing had timed out', () => {
  const overload = { ok: 40, latenciesMs: [3000], inFlight: 10_000, windowS: 6 };
  expect(flagWhen('CENSORED', overload, { options: { pipelining: 10 } }, CUSTOM)).toEqual({
    ...{ code: 'CENSORED', timedOut: 0, disconnected: 0, answered: 360 },
    // 40 of 3 s held 2 of 10,000 places for 6 s.
    waiting: expect.closeTo(0.998, 4),
  });
});
