import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { shuffleInPlace } from 'simple-statistics';
import type { Sample } from '../../src/math/statistics.ts';

/** Why the slices of one server differ: relative changes of CPU per request, on the log scale. */
export interface Noise {
  /** Standard deviation from slice to slice. */
  slice: number;
  /** Bursts of other work slow down what is measured. These are means of exponential distributions. */
  bursts: { apartS: number; lastS: number; depth: number };
  /** A launch is slower after its start, by a share that decays exponentially. */
  settling: { share: number; decayS: number };
}

/**
 * Fitted to two runs on a quiet host, of the five servers and of twins: single processes under the cost load in
 * contiguous slices. Method of simulated moments: variance, kurtosis and skewness within rounds, quantiles about the
 * median of a launch, covariance by distance in time, variance and mean of rounds, and the variance over launches of
 * the median log ratio (frameworks 9.7e-4, simulated the same; twins 2.9e-4, simulated 6.7e-4). The length of bursts
 * hardly matters to the fit, from 1 to 9 s.
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

/** Other work comes and goes all the time, and disturbs about 40 % of the short slices. */
export const BUSY_HOST: Noise = {
  slice: 0.017,
  bursts: { apartS: 4, lastS: 2, depth: 0.5 },
  settling: { share: 0.07, decayS: 9 },
};

/** The same for blocks: bursts of half a second that make requests 50 % dearer. */
export const BUSY_BLOCKS: Noise = {
  slice: 0.05,
  bursts: { apartS: 0.8, lastS: 0.5, depth: 0.5 },
  settling: { share: 0.07, decayS: 9 },
};

/**
 * Standard deviations between launches, pooled over those two runs and two of the floor, since one record has too few
 * launches; the part that slices contribute is removed.
 */
const LAUNCHES = {
  /** Effect of a launch on one cell: 1.3 %, none, 1.7 % and none in these records. */
  cell: 0.011,
  /** Effect of a launch on all cells: 2.9, 1.8, 3.9 and 1.0 %. */
  common: 0.026,
  /** Drift of a run from launch to launch: -1.8, +1.0, -0.6 and -0.3 %. */
  drift: 0.009,
};

/**
 * The samples of each server: in each launch what `inLaunch` makes of the cost of a request in each block, which is 1 on
 * an undisturbed machine. The servers are equal and run side by side; a block starts every `blockS` seconds, and the
 * machine drifts over all `launches`.
 */
export function simulateRun(
  random: RandomGenerator,
  noise: Noise,
  servers: number,
  { launches, blocks, blockS }: { launches: number; blocks: number; blockS: number },
  inLaunch: (costs: readonly number[]) => number,
): Sample[][] {
  const slots = blocks * servers;
  // The same in every launch.
  const settling = Array.from({ length: slots }, (_, slot) => {
    return noise.settling.share * Math.exp((-slot * blockS) / noise.settling.decayS);
  });
  const order = Array.from({ length: servers }, (_, server) => server);
  const samples = order.map((): Sample[] => []);
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
    for (const [server, own] of costs.entries()) {
      samples[server]?.push({ launch, value: inLaunch(own) });
    }
  }
  return samples;
}

/** How much bursts slow down the block that starts at a time, s. Blocks have to be asked for in order. */
function simulateBursts(random: RandomGenerator, { bursts }: Noise, endS: number, blockS: number) {
  const all: { start: number; end: number; depth: number }[] = [];
  // Long before the launch, so that one may be on at its start.
  for (let end = -10 * bursts.lastS; end < endS; ) {
    const start = end + bursts.apartS * exponential(random);
    end = start + bursts.lastS * exponential(random);
    all.push({ start, end, depth: bursts.depth * exponential(random) });
  }
  return (at: number): number => {
    while (all[0] && all[0].end <= at) all.shift();
    let sum = 0;
    for (const { start, end, depth } of all) {
      if (start >= at + blockS) break;
      sum += depth * (Math.min(end, at + blockS) - Math.max(start, at));
    }
    return sum / blockS;
  };
}

/** Draws standard normal numbers, which come in pairs (Box and Muller 1958). */
function normals(random: RandomGenerator): () => number {
  let other: number | null = null;
  return () => {
    const kept = other;
    other = null;
    if (kept !== null) return kept;
    const radius = Math.sqrt(2 * exponential(random));
    const angle = 2 * Math.PI * uniformFloat64(random);
    other = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

export function normal(random: RandomGenerator): number {
  return normals(random)();
}

/** An exponential number with a mean of 1. */
function exponential(random: RandomGenerator): number {
  return -Math.log(1 - uniformFloat64(random));
}
