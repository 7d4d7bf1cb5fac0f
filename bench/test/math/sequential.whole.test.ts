/** Whether looking after each launch raises false alarms, by the decisions that are really taken. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { mean } from 'simple-statistics';
import { describe, expect, test, vi } from 'vitest';
import { judge, levelAtLook, SPENT } from '../../src/math/sequential.ts';
import { changeAt, inEachLaunch, logRatios, type Sample } from '../../src/math/statistics.ts';
import type { Verdict } from '../../src/math/verdicts.ts';
import { percent } from '../../src/report/format.ts';
import { ROOT } from '../docs/documents.ts';
import { CASES } from '../support/random.ts';
import { BUSY_BLOCKS, NOISES, type Noise, simulateRun } from '../support/simulation.ts';

const METHOD = readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8').replaceAll(/\s+/g, ' ');
const SEED = 20261125;
/** 10,000 in the full tier, of which METHOD says what they come to. */
const RUNS = Math.min(10_000, 5 * CASES);
const EQUIVALENCE = 0.02;
/** A run of six minutes, in each launch of which a server has three blocks: noise was fitted to such. */
const AMOUNTS = { launches: 24, blocks: 3, blockS: 0.7 };
const LEVELS = Array.from({ length: AMOUNTS.launches }, (_, look) => {
  const fractions = Array.from({ length: look + 1 }, (_, own) => (own + 1) / AMOUNTS.launches);
  return levelAtLook(fractions, SPENT);
});
// All runs take longer than other tests.
vi.setConfig({ testTimeout: 120_000 });

/** The chance of one of so many, with three standard errors more. */
const atMost = (chance: number) => chance + 3 * Math.sqrt((chance * (1 - chance)) / RUNS);

/** One process in so many of Fastify settles at so many times the cost of the others. */
const ODD = { chance: 1 / 40, times: 1.38 };

/** Of each of three equal servers, what a request costs in each launch. */
function samplesOf(random: RandomGenerator, noise: Noise, isOdd: boolean): Sample[][] {
  return simulateRun(random, noise, 3, AMOUNTS, mean).map((samples) => {
    return samples.map(({ launch, value }) => {
      const times = isOdd && uniformFloat64(random) < ODD.chance ? ODD.times : 1;
      return { launch, value: times * value };
    });
  });
}

/** The verdict that a run ends with, of a side that costs so many times as much as the first, and when it ends. */
function outcomeOf(run: readonly Sample[][], times: number) {
  const [first = [], again = [], side = []] = run;
  const dearer = side.map(({ launch, value }) => ({ launch, value: value * times }));
  const both = inEachLaunch({ own: first, other: again }, (one, two) => Math.sqrt(one * two));
  const logs = logRatios({ own: dearer, other: both });
  const logsOfCopy = logRatios({ own: again, other: first });
  for (let launches = 1; ; launches++) {
    const level = LEVELS[launches - 1] ?? 0;
    const seen = (all: number[]) => changeAt(level, all.slice(0, launches));
    const verdict = judge(seen(logs), seen(logsOfCopy), EQUIVALENCE);
    if (verdict !== "can't tell" || launches === AMOUNTS.launches) return { verdict, launches };
  }
}

/** Which share of the runs has each verdict, and after how many launches they end on average. */
function outcomesOf(noise: Noise, times: number, isOdd = false) {
  const random = xoroshiro128plus(SEED);
  const all = Array.from({ length: RUNS }, () => {
    return outcomeOf(samplesOf(random, noise, isOdd), times);
  });
  const share = (...verdicts: readonly Verdict[]) => {
    return all.filter(({ verdict }) => verdicts.includes(verdict)).length / RUNS;
  };
  return { share, launches: mean(all.map(({ launches }) => launches)) };
}

/** METHOD says what 10,000 come to. */
function expectSaid(text: string): void {
  if (RUNS === 10_000) expect(METHOD.includes(text), text).toBe(true);
}

describe(`of ${RUNS} runs that look after each launch`, () => {
  test.each([
    ['frameworks', NOISES.frameworks],
    ['twins', NOISES.twins],
    ['bursts', BUSY_BLOCKS],
  ])('at most one of twenty finds a difference where there is none: %s', (_name, noise) => {
    for (const isOdd of [false, true]) {
      const alarms = outcomesOf(noise, 1, isOdd).share('slower', 'faster');
      expect(alarms).toBeLessThan(atMost(0.05));
      if (noise === NOISES.frameworks && !isOdd) {
        expectSaid(`${percent(alarms)} found a difference between equal sides`);
      }
    }
  });

  test('19 of 20 find 3 % in 24 launches, and hardly one says less', () => {
    const { share, launches } = outcomesOf(NOISES.frameworks, 1.03);
    expect(share('slower')).toBeGreaterThan(0.95);
    expect(share('same', 'faster')).toBeLessThan(atMost(0.05));
    const found = percent(share('slower'));
    expectSaid(`with one of 3 %, ${found} did, after ${launches.toFixed(1)} launches`);
  });

  test('four of five find 3 % where one process in forty is a third more expensive', () => {
    const share = outcomesOf(NOISES.frameworks, 1.03, true).share('slower');
    expect(share).toBeGreaterThan(0.8);
    expectSaid(`with such processes ${percent(share)}`);
  });
});
