import type { RunOptions } from '../../request/run-options.ts';

export const METHODS = ['classic', 'sliced'] as const;
/** The usual way, each server once and unbroken; and all in short slices, in turn, in several launches. */
export type Method = (typeof METHODS)[number];

const SERVERS = 4;
/** About how long a launch of the sliced method takes, s. */
const LAUNCH_S = 13;
const SLICE_S = 0.3;
const WARMUP_S = 0.45;
/** About what the run takes in addition to the load itself, s; the real wall time is printed. */
const BESIDE_S = {
  /** To start, verify and stop one server, and to measure its idle use. */
  aloneStart: 1.35,
  /** The same for all servers together, and to wait until they are quiet. */
  start: 2.75,
  /** To connect for a server's warm-up, and to drain. */
  warmup: 0.2,
  /** The same for a slice. */
  slice: 0.08,
};

/** The options of a run that measures the servers in so much wall time, s, by this method. */
export function methodOptions(options: RunOptions, method: Method, wallS: number, seed: number) {
  const amounts = method === 'classic' ? classicAmounts(wallS) : slicedAmounts(wallS);
  const topologies: RunOptions['topologies'] = ['single'];
  return { ...options, ...amounts, topologies, connections: 100, pipelining: 10, seed };
}

function classicAmounts(wallS: number) {
  const durationS = wallS / SERVERS - BESIDE_S.aloneStart;
  return { contiguous: true, durationS, sliceS: durationS, launches: 1, warmupS: 0 };
}

/** As many whole slices as fit, adjusted in length so that they fill the time. */
function slicedAmounts(wallS: number) {
  const launches = Math.max(1, Math.round(wallS / LAUNCH_S));
  const launchS = wallS / launches - BESIDE_S.start;
  const loadS = launchS / SERVERS - WARMUP_S - BESIDE_S.warmup;
  const rounds = Math.max(1, Math.round(loadS / (SLICE_S + BESIDE_S.slice)));
  const sliceS = loadS / rounds - BESIDE_S.slice;
  const durationS = sliceS * rounds * launches;
  return { contiguous: false, durationS, sliceS, launches, warmupS: WARMUP_S };
}
