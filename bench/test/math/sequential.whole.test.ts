/** Whether looking after each launch raises false alarms, by the decisions that are really taken. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { mean } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { ALPHA, changeAt, judge, levelAtLook } from '../../src/math/sequential.ts';
import { inEachLaunch, logRatios, type Sample } from '../../src/math/statistics.ts';
import type { Verdict } from '../../src/math/verdicts.ts';
import { CASES } from '../support/cases.ts';
import { BUSY_BLOCKS, NOISES, type Noise, simulateLaunches } from '../support/simulation.ts';

const SEED = 20261125;
/** 10,000 in the full tier. */
const SITTINGS = Math.min(10_000, 5 * CASES);
const EQUIVALENCE = 0.02;
/** A run of six minutes, in each launch of which a server has three blocks: noise was fitted to such. */
const AMOUNTS = { launches: 24, blocks: 3, blockS: 0.7 };
/** Of the interval at each look. */
const LEVELS = Array.from({ length: AMOUNTS.launches }, (_, look) => {
  const fractions = Array.from({ length: look + 1 }, (_, own) => (own + 1) / AMOUNTS.launches);
  return levelAtLook(fractions, ALPHA);
});
const SERVERS = 3;
const LONG_MS = 120_000;

/** The chance of one of so many, with three standard errors more. */
const atMost = (chance: number) => chance + 3 * Math.sqrt((chance * (1 - chance)) / SITTINGS);

/** Of each of three equal servers, what a request costs in each launch. */
function simulateSitting(random: RandomGenerator, noise: Noise): Sample[][] {
  const launches = [...simulateLaunches(random, noise, SERVERS, AMOUNTS)];
  return Array.from({ length: SERVERS }, (_, server) => {
    return launches.map((costs, launch) => ({ launch, value: mean(costs[server] ?? []) }));
  });
}

/** The verdict that a sitting ends with, of a side that costs so many times as much as the first. */
function verdictOf(run: readonly Sample[][], times: number): Verdict {
  const [first = [], again = [], side = []] = run;
  const dearer = side.map(({ launch, value }) => ({ launch, value: value * times }));
  for (let launches = 1; ; launches++) {
    const level = LEVELS[launches - 1] ?? 0;
    const [a, copy, b] = [first, again, dearer].map((all) => all.slice(0, launches));
    const both = inEachLaunch({ own: a ?? [], other: copy ?? [] }, (one, two) => {
      return Math.sqrt(one * two);
    });
    const differenceOf = (own: Sample[] = [], other: Sample[] = []) => {
      return changeAt(level, logRatios({ own, other }));
    };
    const verdict = judge(differenceOf(b, both), differenceOf(copy, a), EQUIVALENCE);
    if (verdict !== "can't tell" || launches === AMOUNTS.launches) return verdict;
  }
}

/** Of how many sittings the verdict is one of these, as a share. */
function shareOf(noise: Noise, times: number, verdicts: readonly Verdict[]): number {
  const random = xoroshiro128plus(SEED);
  let count = 0;
  for (let sitting = 0; sitting < SITTINGS; sitting++) {
    if (verdicts.includes(verdictOf(simulateSitting(random, noise), times))) count++;
  }
  return count / SITTINGS;
}

describe(`of ${SITTINGS} sittings that look after each launch`, () => {
  test.each([
    ['the frameworks', NOISES.frameworks],
    ['twins', NOISES.twins],
    ['bursts', BUSY_BLOCKS],
  ])(
    'with the spread of %s at most one of twenty finds a difference where there is none',
    (_name, noise) => {
      expect(shareOf(noise, 1, ['slower', 'faster'])).toBeLessThan(atMost(0.05));
    },
    LONG_MS,
  );

  test(
    '19 of 20 find 3 % in 24 launches, and hardly one says less',
    () => {
      expect(shareOf(NOISES.frameworks, 1.03, ['slower'])).toBeGreaterThan(0.95);
      expect(shareOf(NOISES.frameworks, 1.03, ['same', 'faster'])).toBeLessThan(atMost(0.05));
    },
    LONG_MS,
  );
});
