import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Estimate,
  estimate,
  estimateRatio,
  pointOf,
  type Sample,
} from '../../src/math/statistics.ts';
import { compare, type Verdict } from '../../src/math/verdicts.ts';
import {
  BUSY_HOST,
  BUSY_PIECES,
  LAPS,
  NOISES,
  type Noise,
  ratiosOf,
  SHORT_SLICES,
  simulateRun,
} from '../support/simulation.ts';

const SEED = 20261120;
const RUNS = 8000;
const EQUIVALENCE = 0.02;
/** 5 % of so many runs, and three standard errors, which chance hardly ever adds to that. */
const AT_MOST_5_PERCENT = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / RUNS);

/** Simulated runs of five equal servers. */
function* runsOf(noise: Noise, seed = SEED): Generator<Sample[][]> {
  const random = xoroshiro128plus(seed);
  for (let run = 0; run < RUNS; run++) yield simulateRun(random, noise, 5);
}

/** The share of runs for which something holds. */
function shareOf(runs: Iterable<Sample[][]>, holds: (run: Sample[][]) => boolean): number {
  return mean(Array.from(runs, (run) => (holds(run) ? 1 : 0)));
}

/**
 * What an estimate is an estimate of: what launches give on average, on the machine as it is during
 * the run. That is not the speed of an undisturbed machine: bursts and settling only ever make
 * slower, the median of a launch drops most of that, and what is left (2.5 % in the noise of
 * frameworks, 3.8 % in that of twins) is in every launch alike, where no interval over
 * launches can see it: those cover the undisturbed 1 in 79 and 45 % of runs. Cells that are alive
 * together share it, so for a ratio the truth is the true ratio.
 */
function truthOf(noise: Noise): number {
  const values = Array.from(runsOf(noise, SEED + 1), ([cell = []]) => {
    return pointOf(estimate(cell)) ?? Number.NaN;
  });
  return mean(values);
}

function covers(found: Estimate, truth: number): boolean {
  return found.kind === 'interval' && found.low <= truth && truth <= found.high;
}

/** The samples as they would be if each slice were a launch. */
function slicesAsLaunches(samples: Sample[]): Sample[] {
  return samples.map(({ value }, launch) => ({ launch, value }));
}

/** Verdicts on these pairs as one family, of which the first of each truly costs so many times more. */
function verdictsOf(pairs: [Sample[], Sample[]][], times = 1): Verdict[] {
  const family = pairs.map(([cell, other]) => ({
    ratios: ratiosOf(cell, other).map(({ launch, value }) => ({ launch, value: value * times })),
    mayBeBetter: { first: false, second: false },
  }));
  const rules = { better: 'less', equivalence: EQUIVALENCE } as const;
  return compare(family, rules).map(({ verdict }) => verdict);
}

function allPairs(run: Sample[][]): [Sample[], Sample[]][] {
  return run.flatMap((cell, index) => {
    return run.slice(0, index).map((other): [Sample[], Sample[]] => [cell, other]);
  });
}

const toldApart = (verdict: Verdict) => verdict === 'faster' || verdict === 'slower';

// Of 100,000 runs: estimates 96.1 and 96.4 %, ratios 95.1 and 95.0 % (frameworks, twins).
// An estimate covers a little too often, since the drift of the machine widens it: half as much drift
// again, and it is 96.9 and 97.3 %. In ratios drift cancels.
describe.each(Object.entries(NOISES))('in the noise of %s, the interval', (_, noise) => {
  let truth = Number.NaN;
  beforeAll(() => {
    truth = truthOf(noise);
  });

  test('of an estimate covers what launches give on average in 93 to 97 % of runs', () => {
    const share = shareOf(runsOf(noise), ([cell = []]) => covers(estimate(cell), truth));
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  });

  test('of a ratio covers the true ratio in 93 to 97 % of runs', () => {
    const share = shareOf(runsOf(noise), ([cell = [], other = []]) => {
      return covers(estimateRatio(ratiosOf(cell, other)), 1);
    });
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  });

  // 83.5 and 77.8 % for estimates, 91.4 and 83.6 % for ratios, which most of a launch drops out of.
  test('would cover far too seldom with slices, not launches, as sampling units', () => {
    const estimates = shareOf(runsOf(noise), ([cell = []]) => {
      return covers(estimate(slicesAsLaunches(cell)), truth);
    });
    const ratios = shareOf(runsOf(noise), ([cell = [], other = []]) => {
      return covers(estimateRatio(slicesAsLaunches(ratiosOf(cell, other))), 1);
    });
    expect(estimates).toBeLessThan(0.87);
    expect(ratios).toBeLessThan(0.93);
  });
});

// Both directions together, which is the stricter limit: `faster` alone has half of it. Of 100,000
// runs: one pair 4.8 and 4.1 %, any of ten pairs 4.6 and 4.3 %, and the same in spite of a whole
// margin 2.7 and 4.7 %.
describe.each(Object.entries(NOISES))('in the noise of %s, the verdict', (_, noise) => {
  test('tells two equal servers apart in at most 5 % of runs', () => {
    const share = shareOf(runsOf(noise), ([cell = [], other = []]) => {
      return verdictsOf([[cell, other]]).some(toldApart);
    });
    expect(share).toBeLessThan(AT_MOST_5_PERCENT);
  });

  test('tells any two of five equal servers apart in at most 5 % of runs', () => {
    const share = shareOf(runsOf(noise), (run) => verdictsOf(allPairs(run)).some(toldApart));
    expect(share).toBeLessThan(AT_MOST_5_PERCENT);
  });

  test('takes servers that are a whole margin apart for the same in at most 5 % of runs', () => {
    const share = shareOf(runsOf(noise), ([cell = [], other = []]) => {
      return verdictsOf([[cell, other]], 1 + EQUIVALENCE).includes('same');
    });
    expect(share).toBeLessThan(AT_MOST_5_PERCENT);
  });

  test('finds what costs 10 % more in nearly every run', () => {
    const share = shareOf(runsOf(noise), ([cell = [], other = []]) => {
      return verdictsOf([[cell, other]], 1.1).includes('slower');
    });
    expect(share).toBeGreaterThan(0.95);
  });
});

// Bursts that disturb 40 % of all slices, or of all pieces: what falls on one side of a pair and not on the other goes
// either way.
test.each([
  { unit: 'rounds', noise: BUSY_HOST, amounts: SHORT_SLICES, runs: RUNS },
  { unit: 'laps', noise: BUSY_PIECES, amounts: LAPS, runs: RUNS / 4 },
])(
  'on a busy host that of a ratio within $unit covers the true one in 93 to 97 % of runs',
  (busy) => {
    const random = xoroshiro128plus(SEED);
    const runs = Array.from({ length: busy.runs }, () => {
      return simulateRun(random, busy.noise, 2, busy.amounts);
    });
    const share = shareOf(runs, ([cell = [], other = []]) => {
      return covers(estimateRatio(ratiosOf(cell, other)), 1);
    });
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  },
);
