import { describe, expect, test } from 'vitest';
import { cpuPairs, cpuPerRequestOf, ratios, throughputOf } from '../../src/figures/figures.ts';
import { lapRatios } from '../../src/figures/laps.ts';
import type { Piece } from '../../src/load/measurement.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeMeasurement } from '../support/make-record.ts';

/** Pieces of 1,000 answers each, at so many µs of CPU each. */
function pieces(...us: number[]): Piece[] {
  return us.map((each) => ({ cpuNs: each * 1e6, answers: 1000 }));
}

/** A slice whose requests cost 10 µs on average. */
function slice(dealt: Piece[], happened: Happened = {}): Slice {
  const measurement = makeMeasurement({ ok: 4000, ...happened, pieces: dealt });
  return { cell: 'app', launch: 2, round: 1, startedNs: 0, measurement, handler: null };
}

const costOf = ({ cpuNs, answers }: Piece) => cpuNs / answers;
/** In its second lap the machine was disturbed, in the third during the one's piece alone. */
const OWN = slice(pieces(12, 24, 36, 12));
const BASE = slice(pieces(10, 20, 10, 10));
const TIMES = [1.2, 1.2, 3.6, 1.2];

describe('what pieces tell lap by lap', () => {
  test('is the one over the other in the same lap', () => {
    const told = lapRatios(OWN, BASE, costOf);
    expect(told).toHaveLength(TIMES.length);
    for (const [lap, times] of TIMES.entries()) expect(told?.[lap]).toBeCloseTo(times, 9);
  });

  test.each([
    ['a slice in one piece', slice([]), slice([])],
    ['pieces of another number', OWN, slice(pieces(10, 20, 10))],
    ['a piece with few answers', OWN, slice([...pieces(10, 20, 10), { cpuNs: 1e6, answers: 99 }])],
    ['processes that nobody knows', OWN, slice(pieces(10, 20, 10, 10), { workersCpuMs: [] })],
    ['requests that differ in what they cost', mixed(OWN), mixed(BASE)],
  ])('is nothing of %s', (_, own, base) => {
    expect(lapRatios(own, base, costOf)).toBeNull();
    expect(lapRatios(base, own, costOf)).toBeNull();
  });
});

describe('the ratios of two cells', () => {
  test('are those of CPU per request lap by lap, each of its launch', () => {
    const told = ratios([OWN], [BASE], cpuPerRequestOf);
    expect(told.map(({ launch }) => launch)).toEqual([2, 2, 2, 2]);
    expect(told.map(({ value }) => value)).toEqual(lapRatios(OWN, BASE, costOf));
    expect(cpuPairs([OWN], [BASE]).ratios).toEqual(told);
  });

  test('are one a round where pieces do not tell it', () => {
    expect(ratios([OWN], [BASE], throughputOf)).toEqual([{ launch: 2, value: 1 }]);
    expect(ratios([slice([])], [BASE], cpuPerRequestOf)).toEqual([{ launch: 2, value: 1 }]);
  });

  test('go with what the base costs over whole rounds', () => {
    expect(cpuPairs([OWN], [BASE]).base).toEqual([{ launch: 2, value: 10_000 }]);
  });
});

function mixed({ measurement, ...rest }: Slice): Slice {
  const answers = { ok: 2000, wrongStatus: 0, wrongBody: 0 };
  return { ...rest, measurement: { ...measurement, requests: [answers, answers] } };
}
