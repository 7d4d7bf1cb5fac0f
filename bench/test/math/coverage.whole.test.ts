import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { areKnown, halfShare, type Known } from '../../src/figures/width.ts';
import { type Estimate, estimate, pointOf, ratio, type Sample } from '../../src/math/statistics.ts';
import { type Comparison, compare, type Verdict } from '../../src/math/verdicts.ts';
import { FEWEST_UNTIL } from '../../src/request/amounts.ts';
import { CASES } from '../support/random.ts';
import { BUSY_BLOCKS, BUSY_HOST, NOISES, type Noise, simulateRun } from '../support/simulation.ts';

const SEED = 20261120;
/** The limits below are for so many runs; with fewer, chance adds to them. */
const ALL_RUNS = 8000;
const RUNS = Math.min(ALL_RUNS, CASES);
const EQUIVALENCE = 0.02;
const SERVERS = 5;
// All runs take longer than other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** The machine of simulated runs, the blocks of each launch, as few as a quick run has, and the number of runs. */
const hostOf = (noise: Noise, runs = RUNS, blocks = 24) => ({ noise, blocks, runs });
type Host = ReturnType<typeof hostOf>;
const FITTED = { frameworks: hostOf(NOISES.frameworks), twins: hostOf(NOISES.twins) };
/** Bursts of half a second disturb 40 % of all blocks; launches are long beside them. */
const BURSTS = hostOf(BUSY_BLOCKS, RUNS / 4, 100);
const LAUNCHES = [3, 4, 6, 9];
const CASES_OF_HOSTS = Object.entries({ ...FITTED, bursts: BURSTS }).flatMap(([name, host]) => {
  return LAUNCHES.map((count) => ({ name, host, count }));
});

/** Three standard errors of a share of 5 % among so many runs; chance hardly ever adds more. */
const chance = (runs: number) => 3 * Math.sqrt((0.05 * 0.95) / runs);
/** What chance adds beyond the number of runs that the limits are for. */
const more = ({ runs }: Host) => Math.max(0, chance(runs) - chance(ALL_RUNS));

/** At least 94 % of runs are covered, but not nearly all, as they would be by intervals that are too wide. */
function expectCovered<T>(host: Host, runs: readonly T[], isCovered: (run: T) => boolean): void {
  const share = shareOf(runs, isCovered);
  expect(share).toBeGreaterThan(0.94 - more(host));
  expect(share).toBeLessThan(0.985 + more(host));
}

function expectAtMost5Percent<T>(host: Host, runs: readonly T[], isWrong: (run: T) => boolean) {
  expect(shareOf(runs, isWrong)).toBeLessThan(0.05 + chance(host.runs));
}

/** The samples of each of several equal servers, one for each launch. */
type Run = Sample[][];

/** CPU time over answers: a busy server uses the same CPU time in each turn, and answers fewer dear requests in it. */
function inLaunch(blocks: readonly number[]): number {
  let answers = 0;
  for (const cost of blocks) answers += 1 / cost;
  return blocks.length / answers;
}

/** Simulated runs of equal servers, each with random numbers of its own. */
function runsOf({ noise, blocks, runs }: Host, launches: number): Run[] {
  const random = xoroshiro128plus(SEED);
  const amounts = { launches, blocks, blockS: 0.05 };
  return Array.from({ length: runs }, () => {
    random.jump();
    return simulateRun(random.clone(), noise, SERVERS, amounts, inLaunch);
  });
}

function shareOf<T>(runs: readonly T[], holds: (run: T) => boolean): number {
  return mean(runs.map((run) => (holds(run) ? 1 : 0)));
}

/**
 * The true value of an estimate: the average over launches, on the machine as it is during the run. On an undisturbed
 * machine requests cost less: bursts and settling only ever add to their cost, and an interval over launches can't show
 * what they add to every launch alike.
 */
function truthOf(runs: readonly Run[]): number {
  return mean(runs.flat().map((samples) => pointOf(estimate(samples)) ?? Number.NaN));
}

function covers(found: Estimate | undefined, truth: number): boolean {
  return found?.kind === 'interval' && found.low <= truth && truth <= found.high;
}

type Pairs = readonly (readonly [own: number, other: number])[];

const PAIR: Pairs = [[1, 0]];
/** As with frameworks: two are built on the floor, and one on each of those. */
const STEPS: Pairs = [
  [1, 0],
  [2, 1],
  [3, 0],
  [4, 3],
];
const ALL_PAIRS: Pairs = [...STEPS, [2, 0], [3, 1], [3, 2], [4, 0], [4, 1], [4, 2]];

/** These pairs of servers as one family; the first of each costs so many times as much. */
function compared(run: Run, pairs: Pairs, times = 1): Comparison[] {
  const family = pairs.map(([own, other]) => {
    const dearer = (run[own] ?? []).map(({ launch, value }) => ({ launch, value: value * times }));
    return { sides: { own: dearer, other: run[other] ?? [] } };
  });
  const found = compare(family, { better: 'less', equivalence: EQUIVALENCE, fewest: 3 });
  return found.map(({ comparison }) => comparison);
}

function areCalled(comparisons: readonly Comparison[], ...verdicts: Verdict[]): boolean {
  return comparisons.some(({ verdict }) => verdicts.includes(verdict));
}

/** Both intervals cover a pair of which one costs so many times as much as the other, whose requests cost `truth`. */
function expectPairCovered(pairs: readonly Comparison[][], host: Host, times = 1, truth = 1): void {
  expectCovered(host, pairs, ([pair]) => covers(pair?.difference, (times - 1) * truth));
  expectCovered(host, pairs, ([pair]) => covers(pair?.ratio, times));
}

/** The difference and the ratio of the first pair of equal servers are covered, and no pair is told apart. */
function expectEqual(runs: readonly Run[], pairs: Pairs, host: Host): void {
  const found = runs.map((run) => compared(run, pairs));
  expectPairCovered(found, host);
  expectAtMost5Percent(host, found, (each) => areCalled(each, 'faster', 'slower'));
}

function expectMarginSeen(runs: readonly Run[], pairs: Pairs, host: Host): void {
  expectAtMost5Percent(host, runs, (run) => {
    return areCalled(compared(run, pairs, 1 + EQUIVALENCE), 'same');
  });
}

// Of 4,000 runs: levels 95.2 to 97.4 %, a little too often, since the drift of the machine widens them; differences
// and ratios 94.3 to 95.2 %; with bursts all of them 94 to 96 %.
describe.each(CASES_OF_HOSTS)('in the noise of $name, from $count launches', ({ host, count }) => {
  let runs: Run[] = [];
  let truth = Number.NaN;
  beforeAll(() => {
    runs = runsOf(host, count);
    truth = truthOf(runs);
  });

  test('the interval of a level covers the average over launches', () => {
    expectCovered(host, runs, ([own = []]) => covers(estimate(own), truth));
  });

  test('the intervals of a difference and a ratio cover them where one costs 1.5 times as much', () => {
    const found = runs.map((run) => compared(run, PAIR, 1.5));
    expectPairCovered(found, host, 1.5, truth);
  });

  test('the same server twice is called slower in at most 5 % of runs', () => {
    expectAtMost5Percent(host, runs, (run) => areCalled(compared(run, PAIR), 'slower'));
  });

  test.each([{ pairs: STEPS }, { pairs: ALL_PAIRS }])(
    'any of $pairs.length pairs of equal servers is told apart in at most 5 % of runs',
    ({ pairs }) => expectEqual(runs, pairs, host),
  );

  test.each([{ pairs: PAIR }, { pairs: STEPS }])(
    'any of $pairs.length a whole margin apart is called the same in at most 5 % of runs',
    ({ pairs }) => expectMarginSeen(runs, pairs, host),
  );

  // Otherwise all of the above would hold for a test without any power.
  test.skipIf(count < 4)('what costs 10 % more is found in nearly every run', () => {
    const share = shareOf(runs, (run) => areCalled(compared(run, PAIR, 1.1), 'slower'));
    expect(share).toBeGreaterThan(0.95 - more(host));
  });
});

// A burst of 2 s is a third of a launch here, so launches are far from normally distributed: of 4,000 runs intervals of
// levels cover 79 to 81 %. Two servers share the bursts, so their difference is known as well as ever.
test.each(LAUNCHES)('bursts of a third of a launch leave ratios right: %d launches', (count) => {
  const host = hostOf(BUSY_HOST, RUNS / 4);
  expectEqual(runsOf(host, count), ALL_PAIRS, host);
});

const MOST = 40;
const UNTIL_RUNS = Math.min(10_000, CASES);
const TABLES = [
  { servers: 2, pairs: PAIR },
  { servers: SERVERS, pairs: STEPS },
];
const GOALS = [0.0075, 0.01, 0.02].flatMap((share) => TABLES.map((table) => ({ ...table, share })));

/** How precisely the ratio of each other server to the first is known. */
function knownOf([other = [], ...others]: Run): Known[] {
  return others.map((own) => ({ launches: own.length, share: halfShare(ratio({ own, other })) }));
}

// Of 10,000 runs: ratios and differences 94.2 to 95.1 %, any wrong verdict of a kind in 1.4 to 3.0 %. If runs ended on the
// width alone, those of two servers from 3 launches would be covered in 90 % at ±1 %, and 6 % would find a difference.
describe.each(Object.entries(FITTED))('with --until, in the noise of %s', (_, { noise }) => {
  const host = hostOf(noise, UNTIL_RUNS);
  let runs: Run[] = [];
  beforeAll(() => {
    runs = runsOf(host, MOST);
  });

  const RIGHT = '$servers servers to ±$share are covered, and judged wrongly in at most 5 %';
  test.each(GOALS)(RIGHT, ({ servers, pairs, share }) => {
    const ended = runs.map((whole) => {
      const grownTo = (count: number) => whole.map((samples) => samples.slice(0, count));
      // No run ends before that many.
      let count = FEWEST_UNTIL;
      while (count < MOST && !areKnown(knownOf(grownTo(count).slice(0, servers)), share)) count++;
      return grownTo(count);
    });
    expectEqual(ended, pairs, host);
    expectMarginSeen(ended, pairs, host);
  });
});
