import { UserError } from '../base/errors.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { Machine } from '../system/machine.ts';
import { limitsOf } from '../targets/copies.ts';
import { lineOf } from '../targets/lineage.ts';
import type { Target } from '../targets/targets.ts';
import { drawLaunch } from './draw.ts';
import { inOneGo, type Load, mostConnections, type PilotResult } from './loads.ts';
import { type Arrangement, type Cell, cellFor, type Plan } from './plan.ts';
import {
  aliveTogether,
  apart,
  canRun,
  requireFiles,
  requireMemory,
  requireNode,
  requirePorts,
} from './resources.ts';
import { type PlannedService, planServices } from './services.ts';
import {
  plainest,
  resolveTopologies,
  type ServerRef,
  serverRef,
  type Topology,
} from './topology.ts';

/** A load, and the servers that it is put on; the same load may be placed several times. */
export interface LoadAssignment {
  load: Load;
  on: readonly Topology[];
  /** The targets that have it; all of them where nothing is said. */
  of?: (target: Target) => boolean;
  /** How its cells are arranged, each once; the standard way where nothing is said. */
  arrangements?: readonly Arrangement[];
  /** Its servers are started for it alone: no other load has been on their processes. */
  fresh?: true;
}

/** What loads may be made from. */
export interface LoadInputs {
  options: RunOptions;
  topologies: Topology[];
  machine: Machine;
  /** What the pilot has found out. */
  pilot: PilotResult;
}

/** What a kind of run decides of its plan. */
export interface PlanRules {
  /** The load of the pilot that the others are derived from; null where they need none. */
  pilot(options: RunOptions): Omit<LoadAssignment, 'on'> | null;
  /** The loads of a run, the one that it is about first, each with the topologies that it is put on. */
  loads(grounds: LoadInputs): LoadAssignment[];
  /** Of a launch, where it is sliced. */
  rounds(options: RunOptions): number;
  groupOrder(options: RunOptions): Plan['groupOrder'];
}

/** Slices of each cell in a pilot. */
const PILOT_ROUNDS = 3;

/** Beside the targets, what a plan may take into account. */
interface PlanExtras {
  /** Targets that become probes. */
  probing?: Target[];
  /** What a pilot has found out. */
  pilot?: PilotResult;
}

/**
 * Decides everything: topologies and cores, loads, cells, which of them are alive together, and the
 * order of every round, all from the options, the rules of the kind of run, the targets, the machine
 * and the seed.
 * @throws UserError when the machine lacks file descriptors or memory for it, or a target can't run
 * in a topology.
 */
export function makePlan(
  rules: PlanRules,
  options: RunOptions,
  targets: Target[],
  machine: Machine,
  { probing = [], pilot = { kind: 'none' } }: PlanExtras = {},
): Plan {
  const topologies = topologiesFor(options, targets, machine);
  const placed = rules.loads({ options, topologies, machine, pilot });
  const own = [...new Map(placed.map(({ load }) => [load.id, load])).values()];
  const loads = mostCores(targets) === null ? own : own.map(inOneGo);
  requireNode(targets, topologies);
  const servers = targets.length + probing.length;
  requireFiles(Math.max(...loads.map((load) => mostConnections(load, servers))), machine);
  requirePorts(Math.max(...loads.map(({ connections }) => connections)), machine);
  const cells = makeCells(targets, placed, topologies);
  if (cells.length === 0) throw nothingToRun(targets);
  // A probe tells how much room there was where servers were kept busy.
  const busy = placed.filter(({ load }) => load.saturates);
  const probes = makeCells(probing, busy, topologies);
  const isSliced = ({ load }: Cell) => {
    return loads.some(({ id, method }) => id === load && method === 'sliced');
  };
  const together = sharing([...cells, ...probes].filter(isSliced), placed);
  const groups = [
    ...together
      .flatMap((those) => aliveTogether(those, topologies, machine.memoryAvailableBytes))
      .flatMap((group) => apart(group, targets)),
    ...cells.filter((cell) => !isSliced(cell)).map((cell) => [cell]),
  ];
  requireMemory(groups, topologies, machine);

  const { seed, equivalence, until, failOn, p99Ns, launches } = options;
  const plan: Plan = {
    seed,
    warmup: warmupOf(options),
    generatorCores: machine.canPin && machine.hostsGenerator ? machine.cores.slice(0, 1) : null,
    topologies,
    loads,
    pilot,
    cells,
    probes,
    roots: rootsOf(targets),
    services: planServices([...targets, ...probing], machine),
    equivalence,
    until,
    failOn,
    p99Ns,
    groups: groups.map((group) => group.map(({ id }) => id)),
    groupOrder: rules.groupOrder(options),
    rounds: rules.rounds(options),
    launches: [],
  };
  for (let launch = 0; launch < launches; launch++) plan.launches.push(drawLaunch(plan));
  return plan;
}

/**
 * The plan of the short run that has to come first, so that the loads of the real one can be derived
 * from it; null where nothing has to.
 * @throws UserError as `makePlan`.
 */
export function makePilotPlan(
  rules: PlanRules,
  options: RunOptions,
  targets: Target[],
  machine: Machine,
): Plan | null {
  const pilot = rules.pilot(options);
  if (pilot === null) return null;
  // What the real run will need is better said before than after the pilot.
  requireFiles(options.connections, machine);
  requirePorts(options.connections, machine);
  const pilotRules: PlanRules = {
    ...rules,
    // What a request takes alone is the same in every topology; the first is as good as any.
    loads: ({ topologies }) => {
      return [{ ...pilot, on: pilot.load.saturates ? topologies : plainest(topologies) }];
    },
    rounds: () => PILOT_ROUNDS,
    groupOrder: () => 'drawn',
  };
  return makePlan(pilotRules, { ...options, launches: 1, until: null }, targets, machine);
}

/**
 * The servers to start for a verification, without those that can't run in a topology, in groups that fit
 * into memory at once.
 * @throws UserError as `makePlan`, but for file descriptors.
 */
export function planVerification(
  names: TopologyName[],
  targets: Target[],
  machine: Machine,
): { topologies: Topology[]; groups: ServerRef[][]; services: PlannedService[] } {
  const topologies = resolveTopologies(names, machine);
  requireNode(targets, topologies);
  const servers = topologies.flatMap((topology) =>
    targets
      .filter((target) => canRun(target, topology))
      .map(({ name }) => serverRef(name, topology)),
  );
  if (servers.length === 0) throw nothingToRun(targets);
  const groups = aliveTogether(servers, topologies, machine.memoryAvailableBytes);
  requireMemory(groups, topologies, machine);
  return { topologies, groups, services: planServices(targets, machine) };
}

function topologiesFor(options: RunOptions, targets: Target[], machine: Machine): Topology[] {
  const topologies = resolveTopologies(options.topologies, machine, mostCores(targets));
  if (!options.unpinned) return topologies;
  return topologies.map((topology) => ({ ...topology, cores: null, spareCores: [] }));
}

/** Topology by topology, load by load; each cell once, however often its load is placed on it. */
function makeCells(
  targets: readonly Target[],
  placed: readonly LoadAssignment[],
  topologies: readonly Topology[],
): Cell[] {
  const cells = topologies.flatMap((topology) =>
    placed
      .filter(({ on }) => on.includes(topology))
      .flatMap(({ load, of = () => true, arrangements = ['standard'] }) =>
        targets
          .filter((target) => of(target) && canRun(target, topology))
          .flatMap(({ name }) => {
            const ref = serverRef(name, topology);
            return arrangements.map((each) => cellFor(ref, load, each));
          }),
      ),
  );
  return [...new Map(cells.map((cell) => [cell.id, cell])).values()];
}

function rootsOf(targets: readonly Target[]): Plan['roots'] {
  const variants = targets.flatMap((target) => {
    const [, ...line] = lineOf(target, targets);
    return line.slice(-1).map(({ name }) => [target.name, name]);
  });
  return Object.fromEntries(variants);
}

/** Cells whose servers may be the same: those of each load that wants its own, and all others. */
function sharing(cells: readonly Cell[], placed: readonly LoadAssignment[]): Cell[][] {
  const fresh = new Set(placed.flatMap(({ load, fresh: own }) => (own ? [load.id] : [])));
  const parts = Map.groupBy(cells, ({ load }) => (fresh.has(load) ? load : null));
  return [...parts.values()];
}

function warmupOf({ warmupS, warmupRate, driver }: RunOptions): Plan['warmup'] {
  const ns = warmupS * 1e9;
  if (ns === 0) return { kind: 'none' };
  if (warmupRate === null) return { kind: 'settled', capNs: ns };
  const { perS: ratePerS, connections } = warmupRate;
  return { kind: 'paced', ns, driver, ratePerS, connections };
}

/** The highest CPU limit of these; null where none has one. */
function mostCores(targets: readonly Target[]): number | null {
  return limitsOf(targets).at(-1) ?? null;
}

function nothingToRun(targets: readonly Target[]): UserError {
  return targets.length === 0
    ? new UserError('no target', 'Name some with --targets.')
    : new UserError(
        'no target runs in these topologies: process managers keep only Node',
        'Add single to --topology, or a Node to --runtime.',
      );
}
