import { describe, expect, test } from 'vitest';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Happened } from '../support/make-record.ts';
import { flagIn, flagsWhen } from './cells.ts';

const RATE = { kind: 'per second', perS: 10_000 } as const;

/** The flags at 10,000 requests/s, of which nothing is wrong but what is told. */
function flagsAtRate(happened: Parameters<typeof flagsWhen>[0]) {
  const kept: Happened = { ok: 10_000, inFlight: 0, latenciesMs: [1], pace: {} };
  const story = (launch: number, round: number) => ({
    ...kept,
    ...(typeof happened === 'object' ? happened : happened(launch, round)),
  });
  return flagsWhen(
    story,
    { suite: ratesOf('frameworks'), options: { rates: [RATE] } },
    'floor/single/rate-10000',
  );
}

test('nothing is wrong where the plan was kept', () => {
  expect(flagsAtRate({})).toEqual([]);
});

describe('LATE', () => {
  /** The flag where the first slices of each launch are late, as many as told. */
  const flagOf = (late: number, parts: Happened['pace'] = {}) => {
    const flags = flagsAtRate((_launch, round) => ({
      pace: {
        ...(round < late ? { late: 101, latenessMs: [40] } : { latenessMs: [0.1] }),
        ...parts,
      },
    }));
    return flagIn(flags, 'LATE');
  };

  test('fires where the generator was late in more than a quarter of the slices', () => {
    expect(flagOf(1)).toMatchObject({ code: 'LATE', late: 3, slices: 9 });
    expect(flagOf(3)).toMatchObject({ late: 9, slices: 9 });
  });

  test('tells how late it was in the median slice', () => {
    expect(flagOf(1)?.p99Ns).toBeCloseTo(0.1e6, -4);
    expect(flagOf(2)?.p99Ns).toBeCloseTo(40e6, -5);
  });

  test('is silent below', () => {
    const flags = flagsAtRate((launch, round) => ({
      pace: launch < 2 && round === 0 ? { late: 5000, latenessMs: [40] } : { latenessMs: [0.1] },
    }));
    expect(flags).toEqual([]);
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

describe('DROPPED', () => {
  test('fires on a single request that was never sent', () => {
    const flags = flagsAtRate((launch, round) => {
      return { pace: { dropped: launch === 1 && round === 1 ? 1 : 0 } };
    });
    expect(flags).toEqual([{ code: 'DROPPED', dropped: 1, planned: 90_001 }]);
  });
});

describe('BACKLOG', () => {
  test('fires where less than 95 % of what was planned was answered in the windows', () => {
    const flags = flagsAtRate({ ok: 9400, inFlight: 600 });
    expect(flagIn(flags, 'BACKLOG')).toEqual({ code: 'BACKLOG', answeredShare: 0.94 });
  });

  test('is silent at 95 %', () => {
    expect(flagIn(flagsAtRate({ ok: 9500, inFlight: 500 }), 'BACKLOG')).toBeNull();
  });

  test('is silent where the last request of a slice is under way when it ends, however few there are', () => {
    expect(flagIn(flagsAtRate({ ok: 15, inFlight: 1 }), 'BACKLOG')).toBeNull();
    expect(flagIn(flagsAtRate({ ok: 14, inFlight: 2 }), 'BACKLOG')).not.toBeNull();
  });

  test('counts as unanswered what was never sent, or answered otherwise than declared', () => {
    const flags = flagsAtRate({ ok: 9000, wrongBody: 500, pace: { dropped: 500 } });
    expect(flagIn(flags, 'BACKLOG')?.answeredShare).toBeCloseTo(0.9, 9);
  });
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
