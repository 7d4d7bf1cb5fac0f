import { describe, expect, test } from 'vitest';
import { flagIn, flagsWhen } from './cells.ts';

describe('BAD_RESPONSE', () => {
  test('fires on a single wrong answer, and counts those of whole slices', () => {
    const flags = flagsWhen((launch, round) => {
      return launch === 1 && round === 2 ? { wrongStatus: 1, wrongBody: 2 } : {};
    });
    expect(flags).toEqual([{ code: 'BAD_RESPONSE', wrong: 3, answers: 9 * 98_000 + 3 }]);
  });

  test('is silent where every answer was right, even if some never came', () => {
    const flags = flagsWhen({ timedOut: 3, disconnected: 2 });
    expect(flagIn(flags, 'BAD_RESPONSE')).toBeNull();
  });
});

describe('LEDGER', () => {
  test('fires where more than 0.1 % of the requests are unaccounted for', () => {
    const flags = flagsWhen({ unaccounted: 100 });
    expect(flags).toEqual([{ code: 'LEDGER', sent: 9 * 99_100, unaccounted: 900 }]);
  });

  test('is silent below', () => {
    expect(flagsWhen({ unaccounted: 98 })).toEqual([]);
  });

  test('too many in one slice do not make up for too few in another', () => {
    const flags = flagsWhen((_launch, round) => ({ unaccounted: [200, -200][round] ?? 0 }));
    expect(flagIn(flags, 'LEDGER')).toMatchObject({ unaccounted: 1200 });
  });
});

describe('LITTLE', () => {
  test('fires where the latency is longer than so many requests under way can explain', () => {
    const flags = flagsWhen({ latenciesMs: [12] });
    expect(flags).toEqual([
      {
        code: 'LITTLE',
        ratio: expect.closeTo(1.176, 3),
        // 1 % were still in flight at the end; 2 %, one mean latency and 15 ms of 1 s are
        // allowed, and 0.1 ms beside 12 for the next request.
        low: expect.closeTo(1 - 0.0101 - 0.047 - 0.0083, 3),
        high: expect.closeTo(1.047, 3),
      },
    ]);
  });

  test('fires where it is shorter', () => {
    const flags = flagsWhen({ latenciesMs: [9.5] });
    expect(flags).toMatchObject([{ code: 'LITTLE', ratio: expect.closeTo(0.931, 3) }]);
  });

  test.each([0.965, 1.025])('is silent at %d times what it should be', (times) => {
    expect(flagIn(flagsWhen({ latenciesMs: [(times * 1000) / 98] }), 'LITTLE')).toBeNull();
  });

  test('allows for what cuts through the edges of a short window', () => {
    const short = { windowS: 0.3, ok: 29_400, inFlight: 1000 };
    const latenciesMs = [(1.06 * 1000) / 98];
    expect(flagIn(flagsWhen({ ...short, latenciesMs }), 'LITTLE')).toBeNull();
    expect(flagIn(flagsWhen({ latenciesMs }), 'LITTLE')).not.toBeNull();
  });

  test('is silent where lost requests held the places that are missing', () => {
    const long = { windowS: 30, ok: 2_800_000, latenciesMs: [10], cpuUsPerResponse: 10.5 };
    // Answered ones held 93.3 %; 100 that waited for 10 s held 3.3 % of 1,000 for 30 s, or twice that.
    expect(flagIn(flagsWhen({ ...long, timedOut: 100 }), 'LITTLE')).toBeNull();
    expect(flagIn(flagsWhen({ ...long, timedOut: 10 }), 'LITTLE')).not.toBeNull();
  });

  test('is silent where hardly anything was answered, before the time-out or after it', () => {
    const overload = { ok: 40, latenciesMs: [3000], inFlight: 10_000 };
    for (const happened of [
      { ...overload, windowS: 6 },
      { ...overload, windowS: 30, timedOut: 25_000 },
    ]) {
      expect(flagIn(flagsWhen(happened, { options: { pipelining: 10 } }, ID), 'LITTLE')).toBeNull();
    }
  });
});

const ID = 'floor/single/custom';

test('LITTLE allows for the time between an answer and the next request', () => {
  const quick = (latencyMs: number) => {
    const options = { connections: 10 };
    const happened = { ok: 50_000, latenciesMs: [latencyMs], cpuUsPerResponse: 10 };
    return flagIn(flagsWhen(happened, { options }, 'floor/single/custom'), 'LITTLE');
  };
  expect(quick(0.2)).toBeNull();
  expect(quick(0.15)).toBeNull();
  expect(quick(0.05)).not.toBeNull();
});

test('LITTLE allows for the ends of the turns of an interleaving', () => {
  const flag = (times: number, id: string) => {
    const options = { connections: 100, pipelining: 10 };
    const happened = { windowS: 3, ok: 3 * 98_000, latenciesMs: [(times * 1000) / 98] };
    return flagIn(flagsWhen(happened, { options }, id), 'LITTLE');
  };
  // Sixty turns of 50 ms, and a request takes 10 ms.
  expect(flag(0.83, 'floor/single/cost')).toBeNull();
  expect(flag(0.75, 'floor/single/cost')).not.toBeNull();
  expect(flag(1.1, 'floor/single/cost')).not.toBeNull();
});

test('LITTLE adds up how long requests waited that an unbroken load never answered', () => {
  const options = { contiguous: true, connections: 10 };
  const flag = (ages: number[]) => {
    // Half of the ten places, for 1 s, are the answered ones'.
    const happened = { ok: 5000, latenciesMs: [1], inFlight: 5, lostAgesMs: [] };
    return flagIn(flagsWhen({ ...happened, inFlightAgesMs: ages }, { options }, ID), 'LITTLE');
  };
  expect(flag([1000, 1000, 1000, 1000, 1000])).toBeNull();
  expect(flag([500, 500, 500, 500, 500])).toMatchObject({ ratio: expect.closeTo(0.5, 2) });
});

describe('CENSORED', () => {
  test('fires on a single request that was lost', () => {
    const flags = flagsWhen((launch, round) => {
      return launch === 0 && round === 0 ? { timedOut: 2, disconnected: 1 } : {};
    });
    const counts = { timedOut: 2, disconnected: 1, answered: 9 * 98_000 };
    expect(flags).toEqual([
      { code: 'CENSORED', ...counts, waiting: expect.toSatisfy((share) => share < 0.01) },
    ]);
  });

  test('is silent where all were answered or still under way', () => {
    expect(flagsWhen({ latenciesMs: [(0.98 * 1000) / 98] })).toEqual([]);
  });

  test('fires where most still waited at the end, though nothing had timed out', () => {
    const overload = { ok: 40, latenciesMs: [3000], inFlight: 10_000, windowS: 6 };
    const flags = flagsWhen(overload, { options: { pipelining: 10 } }, ID);
    expect(flagIn(flags, 'CENSORED')).toEqual({
      code: 'CENSORED',
      timedOut: 0,
      disconnected: 0,
      answered: 360,
      // 40 of 3 s held 2 of 10,000 places for 6 s.
      waiting: expect.closeTo(0.998, 4),
    });
  });
});
