import { chunk } from 'simple-statistics';
import { mostInterleaved } from '../plan/loads.ts';
import {
  blocksOf,
  type Cell,
  cellOf,
  type Group,
  isProbe,
  loadOf,
  type Plan,
  topologyOf,
} from '../plan/plan.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';

/** The slices of these cells: several are of one load on the same cores, and are taken block by block. */
export interface SliceStep {
  cells: string[];
  round: number;
}

/** One thing that is done in a launch of a group. */
export type Step =
  | { kind: 'start'; servers: ServerRef[] }
  /** With the load of this cell, on its server. */
  | { kind: 'warm-up'; cell: string }
  /** While nobody asks for anything. */
  | { kind: 'idle' }
  | ({ kind: 'slices' } & SliceStep)
  | { kind: 'end of round'; round: number }
  | { kind: 'stop' };

/**
 * What a launch of a group does, in its order: the one list that is carried out, and by which its
 * progress is counted. Servers that are not started again are left out; nothing is done where no
 * cell is left.
 */
export function stepsOf(plan: Plan, group: Group, broken: ReadonlySet<string>): Step[] {
  const isWhole = (id: string) => !broken.has(cellOf(plan, id).server);
  const cells = group.cells.filter(isWhole).map((id) => cellOf(plan, id));
  if (cells.length === 0) return [];
  const servers = new Map([...cells, ...group.idle].map((ref) => [ref.server, ref]));
  const rounds = group.rounds.map((order, round) => slicesOf(plan, order.filter(isWhole), round));
  // What is interleaved warms up by itself, on the connections that it is measured on.
  const interleaved = rounds[0]?.flatMap((step) => (step.cells.length > 1 ? step.cells : []));
  const warm = new Set(interleaved?.map((id) => cellOf(plan, id).server));
  // A probe is there for an order of size.
  const cold = cells.filter(({ id, server }) => !isProbe(plan, id) && !warm.has(server));
  return [
    { kind: 'start', servers: [...servers.values()].map(refOf) },
    ...warmUpsOf(plan, cold),
    { kind: 'idle' },
    ...rounds.flatMap((steps, round): Step[] => [...steps, { kind: 'end of round', round }]),
    { kind: 'stop' },
  ];
}

/** The slices of a round; what is interleaved and keeps servers busy comes first, since it warms them up. */
function slicesOf(plan: Plan, order: string[], round: number): Extract<Step, { kind: 'slices' }>[] {
  const together = Map.groupBy(order, (id) => interleavingOf(plan, id));
  return [...together.values()]
    .flatMap((ids) => parted(plan, ids))
    .toSorted((a, b) => precedenceOf(plan, b) - precedenceOf(plan, a))
    .map((cells) => ({ kind: 'slices', cells, round }));
}

function precedenceOf(plan: Plan, [id = '', ...others]: string[]): number {
  if (others.length === 0) return 0;
  return loadOf(plan, cellOf(plan, id).load).saturates ? 2 : 1;
}

/** As few parts as hold no more cells each than an interleaving may, about as large as one another. */
function parted(plan: Plan, cells: string[]): string[][] {
  const [first = ''] = cells;
  const load = loadOf(plan, cellOf(plan, first).load);
  const most = load.kind === 'closed' ? mostInterleaved(load) : 1;
  const parts = Math.ceil(cells.length / most);
  return chunk(cells, Math.ceil(cells.length / parts));
}

/** What the cells of one interleaving have in common, their load and the cores of their servers; a cell alone its name. */
function interleavingOf(plan: Plan, id: string): string {
  const cell = cellOf(plan, id);
  const { cores } = topologyOf(plan, cell.topology);
  return blocksOf(plan, cell) > 1 ? `${cell.load} on ${cores ?? cell.topology}` : id;
}

/** What is still planned after a group of a launch, as far as it is known which servers failed. */
export function stepsAfter(record: RunRecord, launch: number, group: Group): Step[] {
  const { plan } = record;
  const broken = brokenIn(record);
  return plan.launches.flatMap((groups, index) => {
    if (index < launch) return [];
    const rest = index === launch ? groups.slice(groups.indexOf(group) + 1) : groups;
    return rest.flatMap((each) => stepsOf(plan, each, broken));
  });
}

/** The servers that are not started again: those that failed before they were measured in any other launch. */
export function brokenIn({ failures, slices, plan }: RunRecord): Set<string> {
  const lost = failures.filter(({ server, launch }) => {
    return !slices.some((slice) => {
      return slice.launch !== launch && cellOf(plan, slice.cell).server === server;
    });
  });
  return new Set(lost.map(({ server }) => server));
}

/** Each server is warmed up under that of its loads which brings the most requests in the least time. */
function warmUpsOf(plan: Plan, cells: readonly Cell[]): Step[] {
  if (plan.warmup.kind === 'none') return [];
  return [...Map.groupBy(cells, ({ server }) => server).values()].flatMap((own): Step[] => {
    const cell = own.find(({ load }) => loadOf(plan, load).headline === 'cpu') ?? own[0];
    return cell === undefined ? [] : [{ kind: 'warm-up', cell: cell.id }];
  });
}

function refOf({ server, target, topology }: ServerRef): ServerRef {
  return { server, target, topology };
}

/** All that a plan does, as long as no server fails. */
export function stepsOfPlan(plan: Plan): Step[] {
  return plan.launches.flat().flatMap((group) => stepsOf(plan, group, new Set()));
}
