import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  betweenLaunches,
  type Estimate,
  estimate,
  estimateRatio,
  lowerQuartiles,
  pointOf,
  type Sample,
} from '../../src/math/statistics.ts';
import { compare, NEITHER, type Verdict } from '../../src/math/verdicts.ts';
import { BUSY_HOST, NOISES, type Noise, SHORT_SLICES, simulateRun } from '../support/simulation.ts';

const SEED = 20270214;
const RUNS = 4000;
const SERVERS = 5;
const EQUIVALENCE = 0.02;
/** 5 % of so many runs, and three standard errors, which chance hardly ever adds to that. */
const AT_MOST_5_PERCENT = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / RUNS);

/** What a run of equal servers, of which the first of a pair may cost more, came to. */
interface Outcome {
  cost: Estimate;
  difference: Estimate;
  ratio: Estimate;
  /** Of all pairs, as one family. */
  verdicts: Verdict[];
  /** Of a pair of which the first costs 2 % and 10 % more. */
  marginMore: Verdict[];
  muchMore: Verdict[];
  /** Differences of a pair within rounds, as where noise goes either way. */
  withinRounds: Estimate;
}

const times = (a: number, b: number) => a / b;
const more = (a: number, b: number) => a - b;

function outcomeOf(run: Sample[][]): Outcome {
  const [cell = [], other = []] = run;
  const quartiles = run.map((samples) => lowerQuartiles(samples));
  const [own = [], base = []] = quartiles;
  const verdictsOf = (pairs: Sample[][]) => {
    const family = pairs.map((ratios) => ({ ratios, mayBeBetter: NEITHER }));
    const compared = compare(family, { better: 'less', equivalence: EQUIVALENCE });
    return compared.map(({ verdict }) => verdict);
  };
  const ratios = betweenLaunches(own, base, times);
  const dearer = (by: number) => ratios.map(({ launch, value }) => ({ launch, value: value * by }));
  const allPairs = quartiles.flatMap((first, index) => {
    return quartiles.slice(0, index).map((second) => betweenLaunches(first, second, times));
  });
  return {
    cost: estimate(own),
    difference: estimate(betweenLaunches(own, base, more)),
    ratio: estimateRatio(ratios),
    verdicts: verdictsOf(allPairs),
    marginMore: verdictsOf([dearer(1 + EQUIVALENCE)]),
    muchMore: verdictsOf([dearer(1.1)]),
    withinRounds: estimate(
      cell.map(({ launch, value }, index) => {
        return { launch, value: value - (other[index]?.value ?? Number.NaN) };
      }),
    ),
  };
}

function simulate(noise: Noise): Outcome[] {
  const random = xoroshiro128plus(SEED);
  return Array.from({ length: RUNS }, () => {
    return outcomeOf(simulateRun(random, noise, SERVERS, SHORT_SLICES));
  });
}

/** The share of runs for which something holds. */
function shareOf(runs: Outcome[], holds: (run: Outcome) => boolean): number {
  return mean(runs.map((run) => (holds(run) ? 1 : 0)));
}

function covers(found: Estimate, truth: number): boolean {
  return found.kind === 'interval' && found.low <= truth && truth <= found.high;
}

/** What launches give on average: noise that adds does so in the lower quartile too, if little. */
function meanOf(runs: Outcome[], of: (run: Outcome) => Estimate): number {
  return mean(runs.map((run) => pointOf(of(run)) ?? Number.NaN));
}

/** How far differences of equal servers are from none: the root of their mean square. */
function errorOf(runs: Outcome[], of: (run: Outcome) => Estimate): number {
  return Math.sqrt(mean(runs.map((run) => (pointOf(of(run)) ?? Number.NaN) ** 2)));
}

const toldApart = (verdict: Verdict) => verdict === 'faster' || verdict === 'slower';

const HOSTS = Object.entries({ ...NOISES, 'a busy host': BUSY_HOST });

describe.each(HOSTS)('by the lower quartile of launches, in the noise of %s,', (_, noise) => {
  let runs: Outcome[] = [];
  beforeAll(() => {
    runs = simulate(noise);
  });

  test('the interval of CPU per request covers what launches give on average in 93 to 97.5 % of runs', () => {
    const truth = meanOf(runs, ({ cost }) => cost);
    const share = shareOf(runs, ({ cost }) => covers(cost, truth));
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.975);
  });

  test.each([
    { what: 'difference', of: (run: Outcome) => run.difference, truth: 0 },
    { what: 'ratio', of: (run: Outcome) => run.ratio, truth: 1 },
  ])('the interval of the $what of equal servers covers $truth in 93 to 97 % of runs', (each) => {
    const share = shareOf(runs, (run) => covers(each.of(run), each.truth));
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  });

  test('any two of five equal servers are told apart in at most 5 % of runs', () => {
    expect(shareOf(runs, ({ verdicts }) => verdicts.some(toldApart))).toBeLessThan(
      AT_MOST_5_PERCENT,
    );
  });

  test('servers a whole margin apart are taken for the same in at most 5 % of runs', () => {
    expect(shareOf(runs, ({ marginMore }) => marginMore.includes('same'))).toBeLessThan(
      AT_MOST_5_PERCENT,
    );
  });

  test('what costs 10 % more is found in nearly every run', () => {
    expect(shareOf(runs, ({ muchMore }) => muchMore.includes('slower'))).toBeGreaterThan(0.9);
  });
});

test('where 40 % of the slices are disturbed, differences of quartiles are far nearer to the truth than those within rounds', () => {
  const runs = simulate(BUSY_HOST);
  const byQuartile = errorOf(runs, ({ difference }) => difference);
  const byPairs = errorOf(runs, ({ withinRounds }) => withinRounds);
  expect(byQuartile).toBeLessThan(byPairs / 2);
});
