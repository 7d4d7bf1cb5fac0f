import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import { type Cell, makePlan, type Plan } from '../../plan/plan.ts';
import { MEMORY_SHARE, memoryOf, requireMemory } from '../../plan/resources.ts';
import { type ServerRef, serverRef } from '../../plan/topology.ts';
import type { RunOptions } from '../../request/run-options.ts';
import type { Machine } from '../../system/machine.ts';
import type { LocalTarget } from '../../targets/targets.ts';
import { TWINS, truthTargets } from '../truth/targets.ts';

/**
 * How a slice is taken. All but one are of the server that was verified: as the harness always does
 * it; with CPU and memory read ten times a second meanwhile; with all other servers stopped; on all
 * cores. The last is of its twin, which nobody verified.
 */
export const VARIANTS = ['standard', 'sampled', 'alone', 'unpinned', 'unverified'] as const;
export type Variant = (typeof VARIANTS)[number];

/** What the harness does, each told by the slices with it over those without it. */
export const PRICES = [
  { name: 'sampling', with: 'sampled', without: 'standard' },
  { name: 'verification', with: 'standard', without: 'unverified' },
  { name: 'neighbours', with: 'standard', without: 'alone' },
  { name: 'pinning', with: 'standard', without: 'unpinned' },
] as const satisfies { name: string; with: Variant; without: Variant }[];
export type Price = (typeof PRICES)[number];
export type PriceName = Price['name'];

/** Servers beside the twins that are alive, and idle, where memory allows. */
const NEIGHBOURS = 10;

/** One start of all servers. */
export interface PriceLaunch {
  /** The twins; which is which changes from launch to launch. */
  verified: Cell;
  unverified: Cell;
  /** The order of the slices, round by round. */
  rounds: Variant[][];
}

/** Everything a price run will do, decided before it starts anything. */
export interface PricePlan {
  /** A run on the twins, for its load, cores, and lengths of warm-ups and slices. */
  base: Plan;
  neighbours: ServerRef[];
  /** In the order of `VARIANTS`; without those that make no sense on this machine. */
  variants: Variant[];
  launches: PriceLaunch[];
}

/** The cheapest server there is, under this name: any price shows most in it. */
export function priceTarget(name: string): LocalTarget {
  const [twin] = truthTargets(0).targets;
  if (twin === undefined) throw new Error('there is no twin');
  return { ...twin, name, label: name };
}

/**
 * Decides everything from the options, the machine and the seed.
 * @throws UserError when the machine lacks file descriptors, or memory for both twins.
 */
export function makePricePlan(options: RunOptions, machine: Machine): PricePlan {
  const base = makePlan(options, TWINS.map(priceTarget), machine);
  const { topologies, cells } = base;
  requireMemory([cells], topologies, machine);
  const [a, b] = cells;
  const [topology] = topologies;
  if (!a || !b || !topology) throw new Error('a price run needs both twins');
  const wanted = Array.from({ length: NEIGHBOURS }, (_, index) => {
    return serverRef(`neighbour-${index + 1}`, topology);
  });
  const budget = machine.memoryAvailableBytes * MEMORY_SHARE;
  const neighbours = wanted.filter((_, index) => {
    return memoryOf([...cells, ...wanted.slice(0, index + 1)], topologies) <= budget;
  });
  const makesSense = (variant: Variant) => variant !== 'unpinned' || topology.cores !== null;
  const variants = VARIANTS.filter(makesSense);
  const random = xoroshiro128plus(base.seed);
  const launches = Array.from({ length: options.launches }, (_, launch) => ({
    ...(launch % 2 === 0 ? { verified: a, unverified: b } : { verified: b, unverified: a }),
    rounds: Array.from({ length: base.rounds }, () => {
      return shuffle(variants, () => uniformFloat64(random));
    }),
  }));
  return { base, neighbours, variants, launches };
}
