import { describe, expect, test } from 'vitest';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Happened } from '../support/make-record.ts';
import { flagIn, flagsWhen, onceIn } from './cells.ts';

/** The flags at 10,000 requests/s, of which nothing is wrong but what is told. */
function flagsAtRate(happened: Parameters<typeof flagsWhen>[0]) {
  const kept: Happened = { ok: 10_000, inFlight: 0, latenciesMs: [1], pace: {} };
  const story = (launch: number, round: number) => {
    return { ...kept, ...(typeof happened === 'object' ? happened : happened(launch, round)) };
  };
  const options = { rates: [{ kind: 'per second' as const, perS: 10_000 }] };
  return flagsWhen(story, { suite: ratesOf('frameworks'), options }, 'floor/single/rate-10000');
}

test('nothing is wrong where the plan was kept, or where there is none', () => {
  expect(flagsAtRate({})).toEqual([]);
  const codes = flagsWhen({ timedOut: 50_000, latenciesMs: [] }).map(({ code }) => code);
  expect(codes.filter((code) => /LATE|DROPPED|BACKLOG/.test(code))).toEqual([]);
});

test('GENERATOR_LOST says in how many slices a share of the plan is not known', () => {
  const flags = flagsAtRate(onceIn({ pace: { lost: 5000 } }));
  const share = expect.closeTo(1 / 3, 5);
  expect(flagIn(flags, 'GENERATOR_LOST')).toMatchObject({ slices: 1, of: 9, share });
});

describe('LATE', () => {
  const late = (isLate: (launch: number, round: number) => boolean, parts = {}) => {
    return (launch: number, round: number): Happened => {
      const kept = isLate(launch, round) ? { late: 101, latenessMs: [40] } : { latenessMs: [0.1] };
      return { pace: { ...kept, ...parts } };
    };
  };
  const inFirst = (rounds: number) => late((_, round) => round < rounds);
  const always = (pace: NonNullable<Happened['pace']>): Happened => ({ pace });

  type Slices = Parameters<typeof flagsAtRate>[0];
  test.each<[string, Slices, flag: { late: number; p99Ms?: number } | null]>([
    ['more than a quarter of the slices were late', inFirst(1), { late: 3, p99Ms: 0.1 }],
    ['most were, by the median slice', inFirst(2), { late: 6, p99Ms: 40 }],
    ['fewer were', late((launch, round) => launch < 2 && round === 0), null],
    ['more than 1 % was late', always({ late: 101, latenessMs: [1.5] }), { late: 9 }],
    ['1 % was', always({ late: 100, latenessMs: [1.5] }), null],
    ['less of the plan was', always({ late: 100, dropped: 1, latenessMs: [1.5] }), null],
    ['the generator cannot tell', always({ latenessMs: null }), null],
    ['nothing was sent', { ok: 0, latenciesMs: [], pace: { dropped: 10_000 } }, null],
  ])('where %s is %o', (_, happened, flag) => {
    const found = flagIn(flagsAtRate(happened), 'LATE');
    expect(found && { late: found.late, slices: found.slices }).toEqual(
      flag && { late: flag.late, slices: 9 },
    );
    if (flag?.p99Ms !== undefined) expect((found?.p99Ns ?? 0) / 1e6).toBeCloseTo(flag.p99Ms, 1);
  });
});

test('DROPPED fires on a single request that was never sent', () => {
  const flag = { code: 'DROPPED', dropped: 1, planned: 90_001 };
  expect(flagsAtRate(onceIn({ pace: { dropped: 1 } }))).toEqual([flag]);
});

test.each<[string, Happened, share: number | undefined]>([
  ['less than 95 % of what was planned was answered', { ok: 9400, inFlight: 600 }, 0.94],
  ['95 % was', { ok: 9500, inFlight: 500 }, undefined],
  ['the last of few requests is in flight', { ok: 15, inFlight: 1 }, undefined],
  ['two are', { ok: 14, inFlight: 2 }, 0.875],
  ['some had another answer or none', { ok: 9000, wrongBody: 500, pace: { dropped: 500 } }, 0.9],
])('where %s the share of BACKLOG is %j', (_, happened, share) => {
  const found = flagIn(flagsAtRate(happened), 'BACKLOG')?.answeredShare;
  expect(found).toEqual(share && expect.closeTo(share, 9));
});

test('slices in which the generator was late say nothing of the server', () => {
  const bursts = (_launch: number, round: number): Happened => {
    if (round !== 1) return { pace: { latenessMs: [0.1] } };
    return { ok: 5000, pace: { late: 5000, latenessMs: [40], dropped: 5000 } };
  };
  expect(flagsAtRate(bursts).map(({ code }) => code)).toEqual(['LATE']);
});
