import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { Machine } from '../system/machine.ts';
import { RUN_SUITES, type RunSuite, type Target } from '../targets/targets.ts';
import {
  type Basis,
  basisSchema,
  fits,
  type Load,
  loadSchema,
  pilotLoad,
  resolveLoads,
  roundsOf,
} from './loads.ts';
import { aliveTogether, requireFiles, requireMemory, requireNode } from './resources.ts';
import {
  resolveTopologies,
  type ServerRef,
  serverRef,
  type Topology,
  topologySchema,
} from './topology.ts';

const cellSchema = z.object({
  /** `target/topology/load`. */
  id: z.string(),
  /** The server it belongs to: `target/topology`. */
  server: z.string(),
  target: z.string(),
  topology: z.string(),
  load: z.string(),
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
  warmupNs: z.number(),
  generatorCores: z.array(z.int()).nullable(),
  topologies: z.array(topologySchema),
  loads: z.array(loadSchema),
  /** What the loads were derived from. */
  basis: basisSchema,
  cells: z.array(cellSchema),
  /** Cells that get one slice in each launch, in its last round, and are in no table. */
  probes: z.array(cellSchema),
  /** Two figures that differ by no more than this share are the same. */
  equivalence: z.number(),
  /** Launches go on until every ratio is known to ± this share; null where their number is fixed. */
  until: z.object({ share: z.number(), maxTimeNs: z.number() }).nullable(),
  /** Cells whose servers are alive together. */
  groups: z.array(z.array(z.string())),
  /** Rounds of a launch, where it is sliced. */
  rounds: z.int(),
  launches: z.array(z.array(groupSchema)),
});

/** Everything a run will do, decided before it starts anything. */
export type Plan = z.infer<typeof planSchema>;

/** Slices of each cell in a pilot. */
const PILOT_ROUNDS = 3;
/** Keeps the seeds of a run's launches apart from those of a run with the next seed. */
const LAUNCH_STRIDE = 1_000_003;

/** Beside the targets, what a plan may take into account. */
interface Beside {
  /** Targets that become probes. */
  probing?: Target[];
  /** What a pilot has found out. */
  basis?: Basis;
}

/**
 * Decides everything: topologies and cores, loads, cells, which of them are alive together, and the
 * order of every round, all from the options, the targets, the machine and the seed.
 * @throws UserError when the machine lacks file descriptors or memory for it, or a target can't run
 * in a topology.
 */
export function makePlan(
  options: RunOptions,
  targets: Target[],
  machine: Machine,
  { probing = [], basis = { kind: 'none' } }: Beside = {},
): Plan {
  const topologies = resolveTopologies(options.topologies, machine);
  const loads = resolveLoads(options, topologies, machine, basis);
  return arrange({ options, targets, machine, topologies, loads, probing, basis });
}

/**
 * The plan of the short run that has to come first, so that the loads of the real one can be derived
 * from it; null where nothing has to.
 * @throws UserError as `makePlan`.
 */
export function makePilotPlan(
  options: RunOptions,
  targets: Target[],
  machine: Machine,
): Plan | null {
  const load = pilotLoad(options);
  if (load === null) return null;
  // What the real run will need is better said before than after the pilot.
  requireFiles(options.connections, machine);
  const topologies = resolveTopologies(options.topologies, machine);
  const durationS = PILOT_ROUNDS * options.sliceS;
  const short = { ...options, launches: 1, durationS, contiguous: false, until: null };
  const rest = { probing: [], basis: { kind: 'none' as const } };
  return arrange({ options: short, targets, machine, topologies, loads: [load], ...rest });
}

function arrange({
  options,
  targets,
  machine,
  topologies,
  loads,
  probing,
  basis,
}: {
  options: RunOptions;
  targets: Target[];
  machine: Machine;
  topologies: Topology[];
  loads: Load[];
} & Required<Beside>): Plan {
  const { suite } = options;
  const [generatorCore] = machine.cores;
  requireNode(targets, topologies);
  requireFiles(Math.max(...loads.map(({ connections }) => connections)), machine);
  const cellsOf = (these: Target[]) => makeCells(these, loads, { suite, topologies });
  const cells = cellsOf(targets);
  if (cells.length === 0) throw new UserError('no target', 'Name some with --targets.');
  const probes = cellsOf(probing);
  const isSliced = (cell: Cell) =>
    loads.some(({ id, method }) => id === cell.load && method === 'sliced');
  const together = [...cells, ...probes].filter(isSliced);
  const groups = [
    ...(together.length === 0
      ? []
      : aliveTogether(together, topologies, machine.memoryAvailableBytes)),
    ...cells.filter((cell) => !isSliced(cell)).map((cell) => [cell]),
  ];
  requireMemory(groups, topologies, machine);

  const plan: Plan = {
    suite,
    seed: options.seed,
    warmupNs: Math.round(options.warmupS * 1e9),
    generatorCores: generatorCore !== undefined && machine.canPin ? [generatorCore] : null,
    topologies,
    loads,
    basis,
    cells,
    probes,
    groups: groups.map((group) => group.map(({ id }) => id)),
    rounds: roundsOf(options),
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
  const isSliced = ([id = '']: string[]) => isSlicedCell(plan, id);
  // The classic method measures in order; everything else in a random one.
  const classic = plan.suite === 'frameworks' && !plan.groups.some(isSliced);
  const order = classic ? plan.groups : shuffled(plan.groups);
  return order.map((cells) => {
    const compared = cells.filter((id) => !probes.has(id));
    const count = isSliced(cells) ? plan.rounds : 1;
    const rounds = Array.from({ length: count }, (_, round) =>
      shuffled(round === count - 1 ? cells : compared),
    );
    return { cells, rounds };
  });
}

/** Whether a cell is measured in slices, beside others. */
export function isSlicedCell(plan: Plan, id: string): boolean {
  return loadOf(plan, cellOf(plan, id).load).method === 'sliced';
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

function makeCells(
  targets: Target[],
  loads: Load[],
  where: { suite: RunSuite; topologies: Topology[] },
): Cell[] {
  return where.topologies.flatMap((topology) =>
    loads
      .filter((load) => fits(load, topology, where))
      .flatMap((load) =>
        targets.map(({ name }) => {
          const ref = serverRef(name, topology);
          return { ...ref, id: `${ref.server}/${load.id}`, load: load.id };
        }),
      ),
  );
}
