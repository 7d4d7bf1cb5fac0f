import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { beforeAll, describe, expect, test } from 'vitest';
import { FEWEST_LAUNCHES } from '../../src/figures/figures.ts';
import { areKnown, halfShare, type Known } from '../../src/figures/width.ts';
import {
  difference,
  type Estimate,
  estimate,
  pointOf,
  ratio,
  type Sample,
} from '../../src/math/statistics.ts';
import { compare, NEITHER, type Verdict } from '../../src/math/verdicts.ts';
import { CASES } from '../support/cases.ts';
import { BUSY_HOST, BUSY_PIECES, NOISES, type Noise, simulateRun } from '../support/simulation.ts';

const SEED = 20261120;
/** The limits below are those of so many runs; of fewer, chance takes more away. */
const ALL_RUNS = 8000;
const RUNS = Math.min(ALL_RUNS, CASES);
const EQUIVALENCE = 0.02;
const SERVERS = 5;
const TURN_S = 0.05;
/** All runs take longer than other tests. */
const LONG_MS = 180_000;

/** Where runs are simulated: in how many blocks a launch is, and how many runs there are. */
interface Host {
  noise: Noise;
  blocks: number;
  runs: number;
}

/** As few blocks as a quick run has. */
const FEW_BLOCKS = 24;
const FITTED: Record<string, Host> = {
  frameworks: { noise: NOISES.frameworks, blocks: FEW_BLOCKS, runs: RUNS },
  twins: { noise: NOISES.twins, blocks: FEW_BLOCKS, runs: RUNS },
};
/** Bursts of half a second disturb 40 % of all blocks; launches are long beside them. */
const BURSTS: Host = { noise: BUSY_PIECES, blocks: 100, runs: RUNS / 4 };
const HOSTS: Record<string, Host> = { ...FITTED, bursts: BURSTS };
const LAUNCHES = [3, 4, 6, 9];

/** Each host with each number of launches. */
function casesOf(hosts: Record<string, Host>, launches = LAUNCHES) {
  return Object.entries(hosts).flatMap(([name, host]) => {
    return launches.map((count) => ({ name, host, count }));
  });
}

/** Three standard errors of 5 % of so many runs, which chance hardly ever adds to that. */
const chance = (runs: number) => 3 * Math.sqrt((0.05 * 0.95) / runs);
/** So much more than in all of a host's runs. */
const more = ({ runs }: Host) => chance(runs) - chance((ALL_RUNS * runs) / RUNS);

/** Whether at least 94 % of runs are covered, and not nearly all, as by intervals that are too wide. */
function expectCovered(share: number, host: Host): void {
  expect(share).toBeGreaterThan(0.94 - more(host));
  expect(share).toBeLessThan(0.985 + more(host));
}

function expectAtMost5Percent(share: number, { runs }: Host): void {
  expect(share).toBeLessThan(0.05 + chance(runs));
}

/** For each of several equal servers its samples, one of each launch. */
type Run = Sample[][];

/** Simulated runs of equal servers: for each what each of its blocks costs a request. */
function* blocksOf({ noise, blocks, runs }: Host, launches: number): Generator<Run> {
  const random = xoroshiro128plus(SEED);
  const amounts = { launches, rounds: blocks, windowS: TURN_S, sliceS: TURN_S };
  for (let run = 0; run < runs; run++) yield simulateRun(random, noise, SERVERS, amounts);
}

function runsOf(host: Host, launches: number): Run[] {
  return Array.from(blocksOf(host, launches), (run) => run.map(inLaunches));
}

/**
 * All CPU time of a launch over all requests answered. A busy server uses as much CPU time in each turn, and answers
 * the fewer requests the dearer they are.
 */
function inLaunches(blocks: readonly Sample[]): Sample[] {
  return [...Map.groupBy(blocks, ({ launch }) => launch)].map(([launch, own]) => {
    const cpu = own.length;
    const answers = own.reduce((sum, { value }) => sum + 1 / value, 0);
    return { launch, value: cpu / answers };
  });
}

function shareOf(runs: readonly Run[], holds: (run: Run) => boolean): number {
  return mean(runs.map((run) => (holds(run) ? 1 : 0)));
}

/**
 * What an estimate is one of: what launches give on average, on the machine as it is during the run. That is not
 * what requests cost on an undisturbed machine: bursts and settling only ever make dearer, and what they add to
 * every launch alike no interval over launches can see.
 */
function truthOf(runs: readonly Run[]): number {
  return mean(runs.flat().map((samples) => pointOf(estimate(samples)) ?? Number.NaN));
}

function covers(found: Estimate, truth: number): boolean {
  return found.kind === 'interval' && found.low <= truth && truth <= found.high;
}

/** A server that costs so many times as much. */
function dearer(samples: readonly Sample[] = [], times = 1): Sample[] {
  return samples.map(({ launch, value }) => ({ launch, value: value * times }));
}

/** Verdicts on these pairs of servers as one family, of which the first of each costs so many times as much. */
function verdictsOf(run: Run, pairs: readonly (readonly [number, number])[], times = 1): Verdict[] {
  const family = pairs.map(([own, other]) => ({
    sides: { own: dearer(run[own], times), other: run[other] ?? [] },
    isLowerBound: NEITHER,
  }));
  const rules = { better: 'less', equivalence: EQUIVALENCE } as const;
  return compare(family, rules).map(({ verdict }) => verdict);
}

const PAIR = [[1, 0]] as const;
/** Which server a step is of, and over which, as with frameworks: two stand on the floor, and one on each of those. */
const STEPS = [
  [1, 0],
  [2, 1],
  [3, 0],
  [4, 3],
] as const;
/** Any two of five. */
const ALL_PAIRS = Array.from({ length: SERVERS }, (_, own) => {
  return Array.from({ length: own }, (__, other) => [own, other] as const);
}).flat();

/** Of equal servers the difference and the ratio of the first two are covered, and none of these pairs is told apart. */
function expectEqualServers(
  runs: readonly Run[],
  pairs: readonly (readonly [number, number])[],
  host: Host,
): void {
  const differences = shareOf(runs, ([other = [], own = []]) => {
    return covers(difference({ own, other }), 0);
  });
  const ratios = shareOf(runs, ([other = [], own = []]) => covers(ratio({ own, other }), 1));
  for (const share of [differences, ratios]) expectCovered(share, host);
  const apart = shareOf(runs, (run) => verdictsOf(run, pairs).some(isWrong));
  expectAtMost5Percent(apart, host);
}

const isWrong = (verdict: Verdict) => verdict === 'faster' || verdict === 'slower';

// Of 4,000 runs: levels 95.2 to 97.4 %, a little too often, since the drift of the machine widens them; differences
// and ratios 94.3 to 95.2 %; with bursts all of them 94 to 96 %.
describe.each(casesOf(HOSTS))('in the noise of $name, from $count launches', ({ host, count }) => {
  let runs: Run[] = [];
  let truth = Number.NaN;
  beforeAll(() => {
    runs = runsOf(host, count);
    truth = truthOf(runs);
  }, LONG_MS);

  test('the interval of a level covers what launches give on average', () => {
    const share = shareOf(runs, ([own = []]) => covers(estimate(own), truth));
    expectCovered(share, host);
  });

  test.each([1, 1.5])(
    'that of a difference covers it where one costs %d times as much',
    (times) => {
      const share = shareOf(runs, ([other = [], own]) => {
        const sides = { own: dearer(own, times), other };
        return covers(difference(sides), (times - 1) * truth);
      });
      expectCovered(share, host);
    },
  );

  test.each([1, 1.5])('that of a ratio covers it where one costs %d times as much', (times) => {
    const share = shareOf(runs, ([other = [], own]) => {
      return covers(ratio({ own: dearer(own, times), other }), times);
    });
    expectCovered(share, host);
  });

  test('the same server twice is called slower in at most 5 % of runs', () => {
    const share = shareOf(runs, (run) => verdictsOf(run, PAIR).includes('slower'));
    expectAtMost5Percent(share, host);
  });

  test.each([
    { family: STEPS, pairs: 4 },
    { family: ALL_PAIRS, pairs: 10 },
  ])('any of $pairs pairs of equal servers is told apart in at most 5 % of runs', (given) => {
    expect(given.family).toHaveLength(given.pairs);
    const share = shareOf(runs, (run) => verdictsOf(run, given.family).some(isWrong));
    expectAtMost5Percent(share, host);
  });

  test.each([
    { family: PAIR, pairs: 1 },
    { family: STEPS, pairs: 4 },
  ])('any of $pairs a whole margin apart is called the same in at most 5 % of runs', (given) => {
    const share = shareOf(runs, (run) => {
      return verdictsOf(run, given.family, 1 + EQUIVALENCE).includes('same');
    });
    expectAtMost5Percent(share, host);
  });

  // Else all of the above would hold of a test that never says anything.
  test.skipIf(count < 4)('what costs 10 % more is found in nearly every run', () => {
    const share = shareOf(runs, (run) => verdictsOf(run, PAIR, 1.1).includes('slower'));
    expect(share).toBeGreaterThan(0.95 - more(host));
  });
});

test.each(Object.entries(FITTED))(
  'in the noise of %s, with blocks as samples intervals would cover far too seldom',
  (_, { noise }) => {
    const host: Host = { noise, blocks: FEW_BLOCKS, runs: RUNS / 8 };
    const blocks = [...blocksOf(host, 6)];
    const truth = truthOf(blocks.map((run) => run.map(inLaunches)));
    const share = shareOf(blocks, ([own = []]) => {
      const asLaunches = own.map(({ value }, launch) => ({ launch, value }));
      return covers(estimate(asLaunches), truth);
    });
    expect(share).toBeLessThan(0.8);
  },
);

// A burst of 2 s is a third of a launch here, so launches are far from normally distributed: of 4,000 runs intervals of
// levels cover 79 to 81 %. Two servers share the bursts, so what they differ by is known as well as ever.
test.each(LAUNCHES)(
  'bursts as long as a third of a launch leave the difference and the ratio of two servers right: %d launches',
  (count) => {
    const host: Host = { noise: BUSY_HOST, blocks: FEW_BLOCKS, runs: RUNS / 4 };
    const runs = runsOf(host, count);
    expectEqualServers(runs, ALL_PAIRS, host);
  },
);

/** Runs go on to so many launches at most. */
const MOST = 40;
const UNTIL_RUNS = Math.min(10_000, CASES);
const TABLES = [
  { servers: 2, pairs: PAIR },
  { servers: SERVERS, pairs: STEPS },
];
const GOALS = [0.0075, 0.01, 0.02].flatMap((share) => {
  return TABLES.map((table) => ({ ...table, share }));
});

/** How well the ratio of each other server to the first is known after so many launches. */
function knownAfter([first = [], ...others]: Run, launches: number): Known[] {
  const other = first.slice(0, launches);
  return others.map((samples) => {
    const own = samples.slice(0, launches);
    return { launches, share: halfShare(ratio({ own, other })) };
  });
}

// Of 10,000 runs: ratios and differences 94.2 to 95.1 %, any wrong verdict of a kind in 1.4 to 3.0 %. If runs ended on the
// width alone, those of two servers from 3 launches would be covered in 90 % at ±1 %, and 6 % would find a difference.
describe.each(Object.entries(FITTED))('with --until, in the noise of %s', (_, { noise }) => {
  const host: Host = { noise, blocks: FEW_BLOCKS, runs: UNTIL_RUNS };
  let runs: Run[] = [];
  /** Of each run what is known after each number of launches. */
  let known: Known[][][] = [];
  beforeAll(() => {
    runs = runsOf(host, MOST);
    known = runs.map((run) => {
      return Array.from({ length: MOST + 1 }, (__, launches) => knownAfter(run, launches));
    });
  }, LONG_MS);

  test.each(GOALS)(
    '$servers servers to ±$share are covered, and judged wrongly in at most 5 %',
    ({ servers, pairs, share }) => {
      const ended = runs.map((run, index) => {
        const ratios = (launches: number) => known[index]?.[launches]?.slice(0, servers - 1) ?? [];
        let launches = FEWEST_LAUNCHES;
        while (launches < MOST && !areKnown(ratios(launches), share)) launches++;
        return run.map((samples) => samples.slice(0, launches));
      });
      expectEqualServers(ended, pairs, host);
      const same = shareOf(ended, (run) =>
        verdictsOf(run, pairs, 1 + EQUIVALENCE).includes('same'),
      );
      expectAtMost5Percent(same, host);
    },
    LONG_MS,
  );
});
