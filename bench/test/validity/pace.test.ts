import { expect, test } from 'vitest';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Happened } from '../support/make-record.ts';
import { about, flagIn, flagsWhen, onceIn, testFlag, type When } from './cells.ts';

type Slices = Happened | ((launch: number, round: number) => Happened);

/** At 10,000 requests/s, of which nothing is wrong but what is told. */
function atRate(happened: Slices): When {
  const kept: Happened = { ok: 10_000, inFlight: 0, latenciesMs: [1], pace: {} };
  const story = (launch: number, round: number) => {
    return { ...kept, ...(typeof happened === 'object' ? happened : happened(launch, round)) };
  };
  const options = { rates: [{ kind: 'per second' as const, perS: 10_000 }] };
  return [story, { suite: ratesOf('frameworks'), options }, 'floor/single/rate-10000'];
}

test('nothing is wrong where the plan was kept, or where there is none', () => {
  expect(flagsWhen(...atRate({}))).toEqual([]);
  const codes = flagsWhen({ timedOut: 50_000, latenciesMs: [] }).map(({ code }) => code);
  expect(codes.filter((code) => /LATE|DROPPED|BACKLOG/.test(code))).toEqual([]);
});

test('GENERATOR_LOST says in how many slices a share of the plan is not known', () => {
  const flags = flagsWhen(...atRate(onceIn({ pace: { lost: 5000 } })));
  const share = expect.closeTo(1 / 3, 5);
  expect(flagIn(flags, 'GENERATOR_LOST')).toMatchObject({ slices: 1, of: 9, share });
});

const late = (isLate: (launch: number, round: number) => boolean) => {
  return atRate((launch, round) => {
    return {
      pace: isLate(launch, round) ? { late: 101, latenessMs: [40] } : { latenessMs: [0.1] },
    };
  });
};
const inFirst = (rounds: number) => late((_, round) => round < rounds);
const always = (latenessMs: number[] | null, pace: Happened['pace'] = {}) => {
  return atRate({ pace: { latenessMs, ...pace } });
};
const told = (slices: number, p99Ms: number) => {
  return { late: slices, slices: 9, p99Ns: about(p99Ms * 1e6, -5) };
};

testFlag('LATE', [
  ['more than a quarter of the slices were late', told(3, 0.1), ...inFirst(1)],
  ['most were, by the median slice', told(6, 40), ...inFirst(2)],
  ['fewer were', null, ...late((launch, round) => launch < 2 && round === 0)],
  ['more than 1 % was late', told(9, 1.5), ...always([1.5], { late: 101 })],
  ['1 % was', null, ...always([1.5], { late: 100 })],
  ['less of the plan was', null, ...always([1.5], { late: 100, dropped: 1 })],
  ['the generator cannot tell', null, ...always(null)],
  ['nothing was sent', null, ...atRate({ ok: 0, latenciesMs: [], pace: { dropped: 10_000 } })],
]);

test('DROPPED fires on a single request that was never sent', () => {
  const flag = { code: 'DROPPED', dropped: 1, planned: 90_001 };
  expect(flagsWhen(...atRate(onceIn({ pace: { dropped: 1 } })))).toEqual([flag]);
});

const answered = (share: number) => ({ answeredShare: about(share, 9) });
const lacking = { ok: 9000, wrongBody: 500, pace: { dropped: 500 } };

testFlag('BACKLOG', [
  ['not 95 % of the plan was answered', answered(0.94), ...atRate({ ok: 9400, inFlight: 600 })],
  ['95 % was', null, ...atRate({ ok: 9500, inFlight: 500 })],
  ['the last of few requests is in flight', null, ...atRate({ ok: 15, inFlight: 1 })],
  ['two are', answered(0.875), ...atRate({ ok: 14, inFlight: 2 })],
  ['some had another answer or none', answered(0.9), ...atRate(lacking)],
]);

test('slices in which the generator was late say nothing of the server', () => {
  const bursts = (_launch: number, round: number): Happened => {
    if (round !== 1) return { pace: { latenessMs: [0.1] } };
    return { ok: 5000, pace: { late: 5000, latenessMs: [40], dropped: 5000 } };
  };
  expect(flagsWhen(...atRate(bursts)).map(({ code }) => code)).toEqual(['LATE']);
});
