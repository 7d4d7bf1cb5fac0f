import { describe, expect, test } from 'vitest';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Happened } from '../support/make-record.ts';
import { flagIn, flagsWhen } from './cells.ts';

/** The flags at 10,000 requests/s, of which nothing is wrong but what is told. */
function flagsAtRate(happened: Parameters<typeof flagsWhen>[0]) {
  const kept: Happened = { ok: 10_000, inFlight: 0, latenciesMs: [1], pace: {} };
  const story = (launch: number, round: number) => ({
    ...kept,
    ...(typeof happened === 'object' ? happened : happened(launch, round)),
  });
  const options = { rates: [{ kind: 'per second' as const, perS: 10_000 }] };
  return flagsWhen(story, { suite: ratesOf('frameworks'), options }, 'floor/single/rate-10000');
}

test('nothing is wrong where the plan was kept', () => {
  expect(flagsAtRate({})).toEqual([]);
});

test('GENERATOR_LOST says in how many slices a share of the plan is not known', () => {
  const flags = flagsAtRate((launch, round) => ({
    pace: { lost: launch + round === 0 ? 5000 : 0 },
  }));
  const flag = flagIn(flags, 'GENERATOR_LOST');
  expect(flag).toMatchObject({ slices: 1, of: 9, share: expect.closeTo(1 / 3, 5) });
});

describe('LATE', () => {
  /** The flag where the first slices of each launch are late, as many as told. */
  const flagOf = (late: number, parts: Happened['pace'] = {}) => {
    const flags = flagsAtRate((_launch, round) => {
      const kept = round < late ? { late: 101, latenessMs: [40] } : { latenessMs: [0.1] };
      return { pace: { ...kept, ...parts } };
    });
    return flagIn(flags, 'LATE');
  };

  test('fires where more than a quarter of the slices were late, and says by how much in the median slice', () => {
    expect(flagOf(1)).toMatchObject({ late: 3, slices: 9, p99Ns: expect.closeTo(0.1e6, -4) });
    expect(flagOf(2)).toMatchObject({ late: 6, slices: 9, p99Ns: expect.closeTo(40e6, -5) });
    const few = flagsAtRate((launch, round) => ({
      pace: launch < 2 && round === 0 ? { late: 5000, latenessMs: [40] } : { latenessMs: [0.1] },
    }));
    expect(few).toEqual([]);
  });

  test('takes a slice as late beyond 1 % of what was sent', () => {
    expect(flagOf(0, { late: 100, latenessMs: [1.5] })).toBeNull();
    expect(flagOf(0, { late: 100, dropped: 1, latenessMs: [1.5] })).toBeNull();
    expect(flagOf(0, { late: 101, latenessMs: [1.5] })).toMatchObject({ late: 9 });
  });

  test('is silent where the generator cannot tell, or nothing at all was sent', () => {
    expect(flagOf(0, { latenessMs: null })).toBeNull();
    const nothing = flagsAtRate({ ok: 0, latenciesMs: [], pace: { dropped: 10_000 } });
    expect(flagIn(nothing, 'LATE')).toBeNull();
  });
});

test('DROPPED fires on a single request that was never sent', () => {
  const flags = flagsAtRate((launch, round) => {
    return { pace: { dropped: launch === 1 && round === 1 ? 1 : 0 } };
  });
  expect(flags).toEqual([{ code: 'DROPPED', dropped: 1, planned: 90_001 }]);
});

test.each<[string, Happened, share: number | undefined]>([
  ['less than 95 % of what was planned was answered', { ok: 9400, inFlight: 600 }, 0.94],
  ['95 % was', { ok: 9500, inFlight: 500 }, undefined],
  [
    'the last request of a slice is under way, however few there are',
    { ok: 15, inFlight: 1 },
    undefined,
  ],
  ['two are', { ok: 14, inFlight: 2 }, 0.875],
  [
    'some was never sent, or answered otherwise',
    { ok: 9000, wrongBody: 500, pace: { dropped: 500 } },
    0.9,
  ],
])('where %s the share of BACKLOG is told: %j', (_, happened, share) => {
  const found = flagIn(flagsAtRate(happened), 'BACKLOG')?.answeredShare;
  expect(found).toEqual(share && expect.closeTo(share, 9));
});

test('slices in which the generator was late say nothing of the server', () => {
  const bursts = (_launch: number, round: number) => {
    return round === 1
      ? { ok: 5000, pace: { late: 5000, latenessMs: [40], dropped: 5000 } }
      : { pace: { latenessMs: [0.1] } };
  };
  expect(flagsAtRate(bursts).map(({ code }) => code)).toEqual(['LATE']);
});

test('closed loops have no plan to keep', () => {
  const codes = flagsWhen({ timedOut: 50_000, latenciesMs: [] }).map(({ code }) => code);
  expect(codes.filter((code) => /LATE|DROPPED|BACKLOG/.test(code))).toEqual([]);
});
