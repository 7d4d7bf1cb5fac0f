import type { Suite } from '../targets/targets.ts';
import type { TopologyName } from './option-values.ts';

/** How much is measured; times in seconds, as the user gives them. */
export interface Amounts {
  connections: number;
  pipelining: number;
  durationS: number;
  sliceS: number;
  launches: number;
  warmupS: number;
}

/**
 * What each kind of run does when nothing else is asked for. The loads of the suites' `full` are the
 * published ones; where the load is a rate, connections are the most requests under way.
 */
export const DEFAULTS = {
  frameworks: {
    full: { connections: 1000, pipelining: 1, durationS: 30, sliceS: 1, launches: 6, warmupS: 1.5 },
    quick: {
      connections: 1000,
      pipelining: 1,
      durationS: 0.9,
      sliceS: 0.3,
      launches: 3,
      warmupS: 1,
    },
  },
  cluster: {
    full: { connections: 1000, pipelining: 10, durationS: 12, sliceS: 12, launches: 5, warmupS: 1 },
    quick: {
      connections: 1000,
      pipelining: 10,
      durationS: 12,
      sliceS: 12,
      launches: 2,
      warmupS: 0.5,
    },
  },
  'pm2-tax': {
    full: {
      connections: 100,
      pipelining: 10,
      durationS: 30,
      sliceS: 0.5,
      launches: 6,
      warmupS: 1.5,
    },
    quick: { connections: 100, pipelining: 10, durationS: 3, sliceS: 0.3, launches: 3, warmupS: 1 },
  },
  rate: {
    full: { connections: 1000, pipelining: 1, durationS: 60, sliceS: 5, launches: 6, warmupS: 1.5 },
    quick: { connections: 1000, pipelining: 1, durationS: 6, sliceS: 2, launches: 3, warmupS: 1 },
  },
  curve: {
    full: { connections: 1000, pipelining: 1, durationS: 12, sliceS: 1, launches: 4, warmupS: 1.5 },
    quick: {
      connections: 1000,
      pipelining: 1,
      durationS: 1.5,
      sliceS: 0.5,
      launches: 3,
      warmupS: 1,
    },
  },
} satisfies Record<Suite | 'pm2-tax' | 'rate' | 'curve', { full: Amounts; quick: Amounts }>;

/** Plain `node`, and everything that can be between it and a single process. */
export const TAX_TOPOLOGIES: TopologyName[] = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
/** Whose manager's price is measured unless something else is asked for. */
export const TAX_TARGETS = ['fastify-app'];

/** What the harness measures itself with: the cost load, and about three minutes in all. */
export const TRUTH: Amounts = {
  connections: 100,
  pipelining: 10,
  durationS: 12.6,
  sliceS: 0.2,
  launches: 9,
  warmupS: 0.45,
};
/**
 * The same for the price of measuring: an even number of launches, a warm-up that leaves nothing
 * behind that a server does only once, and four times the slices, since half a percent is to be seen.
 */
export const PRICE: Amounts = { ...TRUTH, durationS: 64, launches: 20, warmupS: 1.5 };
/** Two figures closer than this are the same, unless --equivalence says otherwise. */
export const EQUIVALENCE = 0.02;
/** How two methods are compared unless something else is asked for. */
export const METHODS = { repeats: 6, wallS: 75 };
/** Less wall time has no room for a launch and a slice of each server. */
export const MIN_WALL_S = 8;
/** `--until` ends here at the latest, unless --max-time says otherwise. */
export const MAX_TIME_S = 3600;

export const MIN_SLICE_S = 0.1;
