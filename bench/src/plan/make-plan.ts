import { UserError } from '../base/errors.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { RunOptions } from '../request/run-options.ts';
import { SERVICE_NAMES } from '../services/index.ts';
import type { Machine } from '../system/machine.ts';
import { limitsOf } from '../targets/copies.ts';
import { servicesOf, type Target } from '../targets/targets.ts';
import { variantLine } from '../targets/variants.ts';
import { drawLaunch } from './draw.ts';
import { type Load, mostConnections, type PilotResult, withoutInterleaving } from './loads.ts';
import { type Arrangement, type Cell, cellFor, type Plan, type PlannedService } from './plan.ts';
import {
  canRun,
  groupByMemory,
  requireFiles,
  requireMemory,
  requireNode,
  requirePorts,
  separateFixedPorts,
} from './resources.ts';
import { coresFor, plainest, resolveTopologies, serverRef, type Topology } from './topology.ts';

/** A load, and the servers that it is put on. The same load may be assigned several times. */
export interface LoadAssignment {
  load: Load;
  on: readonly Topology[];
  /** The targets that have it; all by default. */
  of?: (target: Target) => boolean;
  /** Its cells are made once for each of these; only the standard one by default. */
  arrangements?: readonly Arrangement[];
  /** Its servers are started for it alone: no other load has been on their processes. */
  fresh?: boolean;
}

export interface LoadInputs {
  options: RunOptions;
  topologies: Topology[];
  machine: Machine;
  pilot: PilotResult;
}

/** What a kind of run decides about its plan. */
export interface PlanRules {
  /** The load of the pilot that other loads are derived from; null if they need none. */
  pilot(options: RunOptions): Omit<LoadAssignment, 'on'> | null;
  /** The loads of a run, the main one first, each with its topologies. */
  loads(inputs: LoadInputs): LoadAssignment[];
  rounds(options: RunOptions): number;
  groupOrder(options: RunOptions): Plan['groupOrder'];
}

const PILOT_ROUNDS = 3;

/** Decides everything about a run. @throws UserError if files, ports or memory don't suffice, or a target can't run. */
export function makePlan(
  rules: PlanRules,
  options: RunOptions,
  targets: Target[],
  machine: Machine,
  { probing = [], pilot = { kind: 'none' } }: { probing?: Target[]; pilot?: PilotResult } = {},
): Plan {
  const mostCores = limitsOf(targets).at(-1);
  const pinned = resolveTopologies(options.topologies, machine, mostCores);
  const topologies = options.unpinned
    ? pinned.map((topology) => ({ ...topology, cores: null, spareCores: [] }))
    : pinned;
  const assigned = rules.loads({ options, topologies, machine, pilot });
  const own = [...new Map(assigned.map(({ load }) => [load.id, load])).values()];
  const loads = mostCores === undefined ? own : own.map(withoutInterleaving);
  requireNode(targets, topologies);
  const measured = [...targets, ...probing];
  requireFiles(Math.max(...loads.map((load) => mostConnections(load, measured.length))), machine);
  requirePorts(Math.max(...loads.map(({ connections }) => connections)), machine);
  const cells = makeCells(targets, assigned, topologies);
  if (cells.length === 0) throw nothingToRun(targets);
  // A probe shows how much headroom there was where servers were kept busy.
  const busy = assigned.filter(({ load }) => load.saturates);
  const probes = makeCells(probing, busy, topologies);

  const contiguous = new Set(loads.filter(({ method }) => method !== 'sliced').map(({ id }) => id));
  const sliced = [...cells, ...probes].filter(({ load }) => !contiguous.has(load));
  const fresh = new Set(assigned.filter((each) => each.fresh).map(({ load }) => load.id));
  // A load with fresh processes shares its servers with no other.
  const sharing = Map.groupBy(sliced, ({ load }) => (fresh.has(load) ? load : null));
  const groups = [
    ...[...sharing.values()]
      .flatMap((together) => groupByMemory(together, topologies, machine.memoryAvailableBytes))
      .flatMap((group) => separateFixedPorts(group, targets)),
    ...cells.filter(({ load }) => contiguous.has(load)).map((cell) => [cell]),
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
    services: planServices(measured, machine),
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

/** The plan of the pilot that loads are derived from; null if none need it. @throws UserError as `makePlan`. */
export function makePilotPlan(
  rules: PlanRules,
  options: RunOptions,
  targets: Target[],
  machine: Machine,
): Plan | null {
  const pilot = rules.pilot(options);
  if (pilot === null) return null;
  // Better to refuse what the run itself will need before the pilot than after it.
  requireFiles(options.connections, machine);
  requirePorts(options.connections, machine);
  const pilotRules: PlanRules = {
    ...rules,
    // A request that comes alone takes the same time in every topology, so one of them is enough.
    loads: ({ topologies }) => {
      return [{ ...pilot, on: pilot.load.saturates ? topologies : plainest(topologies) }];
    },
    rounds: () => PILOT_ROUNDS,
    groupOrder: () => 'drawn',
  };
  return makePlan(pilotRules, { ...options, launches: 1, until: null }, targets, machine);
}

/** The servers to verify, in groups that fit into memory. @throws UserError as `makePlan`, but for files and ports. */
export function planVerification(names: TopologyName[], targets: Target[], machine: Machine) {
  const topologies = resolveTopologies(names, machine);
  requireNode(targets, topologies);
  const servers = topologies.flatMap((topology) => {
    const own = targets.filter((target) => canRun(target, topology));
    return own.map(({ name }) => serverRef(name, topology));
  });
  if (servers.length === 0) throw nothingToRun(targets);
  const groups = groupByMemory(servers, topologies, machine.memoryAvailableBytes);
  requireMemory(groups, topologies, machine);
  return { topologies, groups, services: planServices(targets, machine) };
}

/** Topology by topology and load by load; each cell once, however often its load is assigned to it. */
function makeCells(targets: Target[], assigned: LoadAssignment[], topologies: Topology[]): Cell[] {
  const cells = topologies.flatMap((topology) =>
    assigned
      .filter(({ on }) => on.includes(topology))
      .flatMap(({ load, of = () => true, arrangements = ['standard'] }) => {
        const own = targets.filter((target) => of(target) && canRun(target, topology));
        return own.flatMap(({ name }) => {
          return arrangements.map((each) => cellFor(serverRef(name, topology), load, each));
        });
      }),
  );
  return [...new Map(cells.map((cell) => [cell.id, cell])).values()];
}

/** The services of these targets, on the cores that a single process of theirs has. */
export function planServices(targets: readonly Target[], machine: Machine): PlannedService[] {
  const { cores } = coresFor(1, machine);
  return SERVICE_NAMES.flatMap((name) => {
    const own = targets.filter((target) => servicesOf(target).includes(name));
    return own.length === 0 ? [] : [{ name, targets: own.map((target) => target.name), cores }];
  });
}

function rootsOf(targets: readonly Target[]): Plan['roots'] {
  const roots = targets.flatMap((target) => {
    const root = variantLine(target, targets).at(-1);
    return root === undefined || root === target ? [] : [[target.name, root.name]];
  });
  return Object.fromEntries(roots);
}

function warmupOf({ warmupS, warmupRate, driver }: RunOptions): Plan['warmup'] {
  const ns = warmupS * 1e9;
  if (ns === 0) return { kind: 'none' };
  if (warmupRate === null) return { kind: 'settled', capNs: ns };
  const { perS: ratePerS, connections } = warmupRate;
  return { kind: 'paced', ns, driver, ratePerS, connections };
}

function nothingToRun(targets: readonly Target[]): UserError {
  return targets.length === 0
    ? new UserError('no target', 'Name some with --targets.')
    : new UserError(
        'no target runs in these topologies: process managers keep only Node',
        'Add single to --topology, or a Node to --runtime.',
      );
}
