import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import { z } from 'zod';
import { UserError } from './errors.ts';
import { aliveTogether, requireFiles, requireMemory, requireNode } from './limits.ts';
import type { Machine } from './machine.ts';
import { DEFAULTS, type RunOptions, type TopologyName } from './options.ts';
import { RUN_SUITES, type Target } from './targets.ts';
import {
  resolveTopologies,
  type ServerRef,
  serverRef,
  type Topology,
  topologySchema,
} from './topology.ts';

const loadSchema = z.object({
  id: z.enum(['published', 'cost', 'custom']),
  connections: z.int(),
  pipelining: z.int(),
});
/** What is put on a server. */
export type Load = z.infer<typeof loadSchema>;

const cellSchema = z.object({
  /** `target/topology/load`. */
  id: z.string(),
  /** The server it belongs to: `target/topology`. */
  server: z.string(),
  target: z.string(),
  topology: z.string(),
  load: loadSchema.shape.id,
});
/** A target in a topology under a load. */
export type Cell = z.infer<typeof cellSchema>;

const groupSchema = z.object({
  /** The cells whose servers are alive together. */
  cells: z.array(z.string()),
  /** The order of the cells, round by round. */
  rounds: z.array(z.array(z.string())),
});
export type Group = z.infer<typeof groupSchema>;

export const planSchema = z.object({
  suite: z.enum(RUN_SUITES),
  seed: z.int(),
  method: z.enum(['sliced', 'contiguous']),
  sliceNs: z.number(),
  warmupNs: z.number(),
  generatorCores: z.array(z.int()).nullable(),
  topologies: z.array(topologySchema),
  loads: z.array(loadSchema),
  cells: z.array(cellSchema),
  /** Cells that get one slice in each launch, in its last round, and are in no table. */
  probes: z.array(cellSchema),
  /** Two figures that differ by no more than this share are the same. */
  equivalence: z.number(),
  /** Launches go on until every ratio is known to ± this share; null where their number is fixed. */
  until: z.object({ share: z.number(), maxTimeNs: z.number() }).nullable(),
  /** Cells whose servers are alive together. */
  groups: z.array(z.array(z.string())),
  /** Rounds of a launch. */
  rounds: z.int(),
  launches: z.array(z.array(groupSchema)),
});

/** Everything a run will do, decided before it starts anything. */
export type Plan = z.infer<typeof planSchema>;

/** The load under which the server is the limit, so that CPU per request is unbiased. */
const COST: Load = { id: 'cost', connections: 100, pipelining: 10 };
/** Keeps the seeds of a run's launches apart from those of a run with the next seed. */
const LAUNCH_STRIDE = 1_000_003;

/**
 * Decides everything: topologies and cores, loads, cells, which of them are alive together, and the
 * order of every round, all from the options, the targets, the machine and the seed. Targets that
 * are `probing` become probes.
 * @throws UserError when the machine lacks file descriptors or memory for it, or a target can't run
 * in a topology.
 */
export function makePlan(
  options: RunOptions,
  targets: Target[],
  machine: Machine,
  probing: Target[] = [],
): Plan {
  const [generatorCore] = machine.cores;
  const topologies = resolveTopologies(options.topologies, machine);
  requireNode(targets, topologies);
  const loads = resolveLoads(options, topologies);
  requireFiles(Math.max(...loads.map(({ connections }) => connections)), machine);
  const cells = makeCells(targets, topologies, loads);
  if (cells.length === 0) {
    throw new UserError(`the ${options.suite} suite has no target`, 'Name some with --targets.');
  }
  const probes = makeCells(probing, topologies, loads);
  const groups = options.contiguous
    ? cells.map((cell) => [cell])
    : aliveTogether([...cells, ...probes], topologies, machine.memoryAvailableBytes);
  requireMemory(groups, topologies, machine);

  const launchS = options.durationS / options.launches;
  const rounds = options.contiguous ? 1 : Math.max(1, Math.round(launchS / options.sliceS));
  const plan: Plan = {
    suite: options.suite,
    seed: options.seed,
    method: options.contiguous ? 'contiguous' : 'sliced',
    sliceNs: Math.round(options.contiguous ? options.sliceS * 1e9 : (launchS / rounds) * 1e9),
    warmupNs: Math.round(options.warmupS * 1e9),
    generatorCores: generatorCore !== undefined && machine.canPin ? [generatorCore] : null,
    topologies,
    loads,
    cells,
    probes,
    groups: groups.map((group) => group.map(({ id }) => id)),
    rounds,
    equivalence: options.equivalence,
    until: options.until,
    launches: [],
  };
  for (let launch = 0; launch < options.launches; launch++) plan.launches.push(drawLaunch(plan));
  return plan;
}

/**
 * The next launch of a plan: the groups and the order of each round, drawn from the seed and the
 * launch's number.
 */
export function drawLaunch(plan: Plan): Group[] {
  const random = xoroshiro128plus(plan.seed + plan.launches.length * LAUNCH_STRIDE);
  const shuffled = <T>(items: T[]): T[] => shuffle(items, () => uniformFloat64(random));
  const probes = new Set(plan.probes.map(({ id }) => id));
  // The classic method measures in order; everything else in a random one.
  const classic = plan.method === 'contiguous' && plan.suite === 'frameworks';
  const order = classic ? plan.groups : shuffled(plan.groups);
  return order.map((cells) => {
    const compared = cells.filter((id) => !probes.has(id));
    const rounds = Array.from({ length: plan.rounds }, (_, round) =>
      shuffled(round === plan.rounds - 1 ? cells : compared),
    );
    return { cells, rounds };
  });
}

/**
 * The servers to start for a verification, in groups that fit into memory at once.
 * @throws UserError as `makePlan`, but for file descriptors.
 */
export function planVerification(
  names: TopologyName[],
  targets: Target[],
  machine: Machine,
): { topologies: Topology[]; groups: ServerRef[][] } {
  const topologies = resolveTopologies(names, machine);
  requireNode(targets, topologies);
  const servers = topologies.flatMap((topology) =>
    targets.map(({ name }) => serverRef(name, topology)),
  );
  const groups = aliveTogether(servers, topologies, machine.memoryAvailableBytes);
  requireMemory(groups, topologies, machine);
  return { topologies, groups };
}

/** The cell of this name in a plan. @throws when the plan has none. */
export function cellOf(plan: Plan, id: string): Cell {
  return byId([...plan.cells, ...plan.probes], id);
}
/** The topology of this name in a plan. @throws when the plan has none. */
export function topologyOf(plan: Plan, id: string): Topology {
  return byId(plan.topologies, id);
}
/** The load of this name in a plan. @throws when the plan has none. */
export function loadOf(plan: Plan, id: string): Load {
  return byId(plan.loads, id);
}

function byId<T extends { id: string }>(items: T[], id: string): T {
  const item = items.find((each) => each.id === id);
  if (item === undefined) throw new Error(`the plan has no "${id}"`);
  return item;
}

/** Cost is read from single processes; where none was asked for, there is no cost load. */
function resolveLoads(options: RunOptions, topologies: Topology[]): Load[] {
  const { suite, connections, pipelining, contiguous } = options;
  const costs = suite !== 'cluster' && !contiguous;
  const singles = topologies.some(({ workers }) => workers === null);
  const published = DEFAULTS[suite === 'cluster' ? 'cluster' : 'frameworks'].full;
  const isLike = (load: Pick<Load, 'connections' | 'pipelining'>) => {
    return connections === load.connections && pipelining === load.pipelining;
  };
  if (costs && singles && isLike(COST)) return [COST];
  const main: Load = { id: isLike(published) ? 'published' : 'custom', connections, pipelining };
  return costs && singles ? [main, COST] : [main];
}

function makeCells(targets: Target[], topologies: Topology[], loads: Load[]): Cell[] {
  const fits = (topology: Topology, load: Load) => load.id !== 'cost' || topology.workers === null;
  return topologies.flatMap((topology) =>
    loads
      .filter((load) => fits(topology, load))
      .flatMap((load) =>
        targets.map(({ name }) => {
          const ref = serverRef(name, topology);
          return { ...ref, id: `${ref.server}/${load.id}`, load: load.id };
        }),
      ),
  );
}
