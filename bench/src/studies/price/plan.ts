import { shuffler } from '../../plan/draw.ts';
import { withoutInterleaving } from '../../plan/loads.ts';
import { makePlan, type PlanRules } from '../../plan/make-plan.ts';
import { type Arrangement, cellFor, cellOf, type Group, type Plan } from '../../plan/plan.ts';
import { MEMORY_SHARE, memoryOf, requireMemory } from '../../plan/resources.ts';
import { type ServerRef, serverRef } from '../../plan/topology.ts';
import type { RunOptions } from '../../request/run-options.ts';
import type { Machine } from '../../system/machine.ts';
import type { LocalTarget } from '../../targets/targets.ts';
import { startOnNode, TWIN_NAMES, truthTarget, withoutWork } from '../truth/targets.ts';

/** How a slice is taken: of the verified server in an arrangement or, as the last one, of its unverified twin. */
export const VARIANTS = ['standard', 'sampled', 'alone', 'unpinned', 'unverified'] as const;
export type Variant = (typeof VARIANTS)[number];

/** What the harness does, each shown by the slices with it over those without it. */
export const PRICES = [
  { name: 'sampling', with: 'sampled', without: 'standard' },
  { name: 'verification', with: 'standard', without: 'unverified' },
  { name: 'neighbours', with: 'standard', without: 'alone' },
  { name: 'pinning', with: 'standard', without: 'unpinned' },
] as const satisfies { name: string; with: Variant; without: Variant }[];
export type PriceName = (typeof PRICES)[number]['name'];

/** Idle servers next to the twins, as far as memory allows. */
const NEIGHBOURS = Array.from({ length: 10 }, (_, index) => `neighbour-${index + 1}`);

/** The cheapest server there is, under this name: it shows any price most clearly. */
function priceTarget(name: string): LocalTarget {
  const nothing = withoutWork(name);
  return truthTarget(nothing, startOnNode(nothing, 0));
}

export const PRICE_TARGETS = {
  twins: TWIN_NAMES.map(priceTarget),
  neighbours: NEIGHBOURS.map(priceTarget),
};

/** A run with every variant in each round; the twins take turns at being verified. @throws UserError as `makePlan`. */
export function makePricePlan(rules: PlanRules, options: RunOptions, machine: Machine): Plan {
  const plan = makePlan(rules, options, PRICE_TARGETS.twins, machine);
  const { cells: twins, topologies } = plan;
  requireMemory([twins], topologies, machine);
  // In one piece, since an arrangement holds for a whole slice, and all slices are to be taken alike.
  const loads = plan.loads.map(withoutInterleaving);
  const [topology] = topologies;
  const [load] = loads;
  if (!topology || !load) throw new Error('a price run needs a topology and a load');
  const wanted = NEIGHBOURS.map((name) => serverRef(name, topology));
  const budget = machine.memoryAvailableBytes * MEMORY_SHARE;
  const idle = wanted.filter((_, index) => {
    return memoryOf([...twins, ...wanted.slice(0, index + 1)], topologies) <= budget;
  });
  const arrangements: Arrangement[] = ['standard', 'sampled', 'alone'];
  // A server that shares all cores can't be unpinned from any.
  if (topology.cores !== null) arrangements.push('unpinned');
  const arranged = (twin: ServerRef) => arrangements.map((each) => cellFor(twin, load, each));
  const groupOf = (launch: number): Group => {
    const [verified, unverified] = launch % 2 === 0 ? twins : twins.toReversed();
    if (!verified || !unverified) throw new Error('a price run needs both twins');
    const cells = [...arranged(verified), unverified].map(({ id }) => id);
    const shuffled = shuffler(plan.seed, launch);
    const rounds = Array.from({ length: plan.rounds }, () => shuffled(cells));
    return { cells, idle, unverified: [unverified.server], rounds };
  };
  return {
    ...plan,
    loads,
    cells: twins.flatMap(arranged),
    launches: plan.launches.map((_, launch) => [groupOf(launch)]),
  };
}

export function variantOf(plan: Plan, launch: number, id: string): Variant {
  const { arrangement, server } = cellOf(plan, id);
  const groups = plan.launches[launch] ?? [];
  if (arrangement === 'profiled') throw new Error('the price of profiling is no variant');
  return groups.some(({ unverified }) => unverified.includes(server)) ? 'unverified' : arrangement;
}
