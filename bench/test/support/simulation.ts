import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { shuffle } from 'simple-statistics';
import type { Sample } from '../../src/math/statistics.ts';

/**
 * What makes the slices of one server differ: shares of a figure where less is better (CPU per
 * request), on the log scale.
 */
export interface Noise {
  /** Standard deviation from slice to slice. */
  slice: number;
  /**
   * Something else runs on the machine for a while: only ever slower, whichever cell is measured.
   * All three are means of exponential distributions: seconds between bursts, seconds that one
   * lasts, and how much slower it makes.
   */
  bursts: { apartS: number; lastS: number; depth: number };
  /** After its start a launch is slower, by a share that decays exponentially. */
  settling: { share: number; decayS: number };
}

/**
 * Fitted to two runs on a quiet host, of the five servers and of twins, always to the single processes under
 * the cost load in slices in one go. Found by the method of simulated moments: variance, kurtosis and skewness within rounds, quantiles
 * about the median of a launch, covariance by distance in time, variance and mean of rounds, and the
 * variance over launches of the median log ratio (9.7e-4 of frameworks and as much simulated;
 * 2.9e-4 of twins, 6.7e-4 simulated). How long bursts last hardly matters to the fit, from 1 to
 * 9 s.
 */
export const NOISES = {
  frameworks: {
    slice: 0.032,
    bursts: { apartS: 49, lastS: 3, depth: 0.11 },
    settling: { share: 0.07, decayS: 9 },
  },
  twins: {
    slice: 0.017,
    bursts: { apartS: 53, lastS: 3, depth: 0.015 },
    settling: { share: 0.12, decayS: 11 },
  },
} satisfies Record<string, Noise>;

/** Something else comes and goes all the time, and disturbs about 40 % of the short slices. */
export const BUSY_HOST: Noise = {
  slice: 0.017,
  bursts: { apartS: 4, lastS: 2, depth: 0.5 },
  settling: { share: 0.07, decayS: 9 },
};

/** Something else comes and goes all the time, as pieces see it: bursts of half a second, 50 % dearer. */
export const BUSY_PIECES: Noise = {
  slice: 0.05,
  bursts: { apartS: 0.8, lastS: 0.5, depth: 0.5 },
  settling: { share: 0.07, decayS: 9 },
};

/**
 * What differs from launch to launch takes more launches to know than one record has: standard
 * deviations pooled over those two runs and two of the floor, without what slices put into them.
 */
const LAUNCHES = {
  /** Of a launch's effect on one cell: 1.3 %, none, 1.7 % and none by record. */
  cell: 0.011,
  /** Of its effect on all cells alike: 2.9, 1.8, 3.9 and 1.0 %. */
  common: 0.026,
  /** Of a run's drift from launch to launch: -1.8, +1.0, -0.6 and -0.3 %. */
  drift: 0.009,
};

/** How much a run measures. */
interface Amounts {
  launches: number;
  rounds: number;
  windowS: number;
  /** From the start of one slice to that of the next. */
  sliceS: number;
}

/** A run as those were. */
const LONG_SLICES: Amounts = { launches: 6, rounds: 5, windowS: 1, sliceS: 1.2 };
/** A run of many short slices. */
export const SHORT_SLICES: Amounts = { launches: 5, rounds: 12, windowS: 0.5, sliceS: 0.7 };
/** A run whose slices are dealt in pieces, in which each lap is what a round is in others. */
export const LAPS: Amounts = { launches: 8, rounds: 150, windowS: 0.05, sliceS: 0.05 };
/** As that, of as few launches and laps as a quick run has. */
export const FEW_LAPS = { launches: 4, rounds: 24, windowS: 0.05, sliceS: 0.05 } satisfies Amounts;

/**
 * A run of so many equal servers, alive together, that would cost 1 each on an undisturbed machine:
 * for each its samples, launch by launch and round by round.
 */
export function simulateRun(
  random: RandomGenerator,
  noise: Noise,
  servers: number,
  { launches, rounds, windowS, sliceS } = LONG_SLICES,
): Sample[][] {
  const run = Array.from({ length: servers }, (): Sample[] => []);
  const drift = LAUNCHES.drift * normal(random);
  for (let launch = 0; launch < launches; launch++) {
    const sinceMiddle = launch - (launches - 1) / 2;
    const common = LAUNCHES.common * normal(random) + drift * sinceMiddle;
    const cells = run.map((samples) => {
      return { samples, log: common + LAUNCHES.cell * normal(random) };
    });
    const order = Array.from({ length: rounds }, () => {
      return shuffle(cells, () => uniformFloat64(random));
    }).flat();
    const bursts = simulateBursts(random, noise, order.length * sliceS);
    for (const [index, { samples, log }] of order.entries()) {
      const at = index * sliceS;
      const settling = noise.settling.share * Math.exp(-at / noise.settling.decayS);
      const slice = noise.slice * normal(random);
      const burst = burstsAt(at, windowS, bursts);
      samples.push({ launch, value: Math.exp(log + settling + burst + slice) });
    }
  }
  return run;
}

/** The ratios of two cells of a run within its rounds. */
export function ratiosOf(cell: Sample[], other: Sample[]): Sample[] {
  return cell.map(({ launch, value }, index) => {
    return { launch, value: value / (other[index]?.value ?? Number.NaN) };
  });
}

interface Burst {
  start: number;
  end: number;
  depth: number;
}

/** From long before the launch, so that one may be on at its start. */
function simulateBursts(random: RandomGenerator, { bursts }: Noise, untilS: number): Burst[] {
  const all: Burst[] = [];
  for (let end = -10 * bursts.lastS; end < untilS; ) {
    const start = end + bursts.apartS * exponential(random);
    end = start + bursts.lastS * exponential(random);
    all.push({ start, end, depth: bursts.depth * exponential(random) });
  }
  return all;
}

/** How much slower the window of a slice is, by the share of it that bursts fill. */
function burstsAt(at: number, windowS: number, bursts: Burst[]): number {
  const filled = ({ start, end }: Burst) => Math.min(end, at + windowS) - Math.max(start, at);
  return bursts.reduce((sum, each) => sum + each.depth * Math.max(0, filled(each)), 0) / windowS;
}

/** Standard normal (Box and Muller 1958). */
export function normal(random: RandomGenerator): number {
  const radius = Math.sqrt(2 * exponential(random));
  return radius * Math.cos(2 * Math.PI * uniformFloat64(random));
}

/** Exponential, with a mean of 1. */
export function exponential(random: RandomGenerator): number {
  return -Math.log(1 - uniformFloat64(random));
}
