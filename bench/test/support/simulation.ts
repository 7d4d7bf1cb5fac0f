import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { shuffleInPlace } from 'simple-statistics';

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

/** Something else comes and goes all the time, as blocks see it: bursts of half a second, 50 % dearer. */
export const BUSY_BLOCKS: Noise = {
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

/** How much a launch measures of each server. */
export interface Amounts {
  /** Of the whole run, about whose middle the machine drifts. */
  launches: number;
  blocks: number;
  /** From the start of one block to that of the next. */
  blockS: number;
}

/**
 * Launch by launch, what each block of so many equal servers, alive together, costs a request; 1 on an undisturbed
 * machine.
 */
export function* simulateLaunches(
  random: RandomGenerator,
  noise: Noise,
  servers: number,
  { launches, blocks, blockS }: Amounts,
): Generator<number[][]> {
  const slots = blocks * servers;
  // The same in every launch.
  const settling = Array.from({ length: slots }, (_, slot) => {
    return noise.settling.share * Math.exp((-slot * blockS) / noise.settling.decayS);
  });
  const order = Array.from({ length: servers }, (_, server) => server);
  const draw = () => uniformFloat64(random);
  const drawNormal = normals(random);
  const drift = LAUNCHES.drift * drawNormal();
  for (let launch = 0; launch < launches; launch++) {
    const sinceMiddle = launch - (launches - 1) / 2;
    const common = LAUNCHES.common * drawNormal() + drift * sinceMiddle;
    const logs = order.map(() => common + LAUNCHES.cell * drawNormal());
    const costs = logs.map((): number[] => []);
    const burstAt = simulateBursts(random, noise, slots * blockS, blockS);
    for (let slot = 0; slot < slots; slot++) {
      if (slot % servers === 0) shuffleInPlace(order, draw);
      const server = order[slot % servers] ?? 0;
      const block = noise.slice * drawNormal();
      const log = (logs[server] ?? 0) + (settling[slot] ?? 0) + burstAt(slot * blockS) + block;
      costs[server]?.push(Math.exp(log));
    }
    yield costs;
  }
}

/**
 * How much slower blocks are, by the share of them that bursts fill, asked for from the first one on. Bursts begin
 * long before the launch, so that one may be on at its start.
 */
function simulateBursts(
  random: RandomGenerator,
  { bursts }: Noise,
  untilS: number,
  blockS: number,
): (at: number) => number {
  const all: { start: number; end: number; depth: number }[] = [];
  for (let end = -10 * bursts.lastS; end < untilS; ) {
    const start = end + bursts.apartS * exponential(random);
    end = start + bursts.lastS * exponential(random);
    all.push({ start, end, depth: bursts.depth * exponential(random) });
  }
  let first = 0;
  return (at) => {
    while ((all[first]?.end ?? untilS) <= at && first < all.length) first++;
    let sum = 0;
    for (let place = first; place < all.length; place++) {
      const { start, end, depth } = all[place] ?? { start: untilS, end: untilS, depth: 0 };
      if (start >= at + blockS) break;
      sum += depth * (Math.min(end, at + blockS) - Math.max(start, at));
    }
    return sum / blockS;
  };
}

/** Standard normal numbers, in pairs (Box and Muller 1958). */
function normals(random: RandomGenerator): () => number {
  let other: number | null = null;
  return () => {
    if (other !== null) {
      const number = other;
      other = null;
      return number;
    }
    const radius = Math.sqrt(2 * exponential(random));
    const angle = 2 * Math.PI * uniformFloat64(random);
    other = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Standard normal. */
export function normal(random: RandomGenerator): number {
  return normals(random)();
}

/** Exponential, with a mean of 1. */
function exponential(random: RandomGenerator): number {
  return -Math.log(1 - uniformFloat64(random));
}
