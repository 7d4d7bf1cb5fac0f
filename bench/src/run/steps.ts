import { chunk } from 'simple-statistics';
import { mostInterleaved } from '../plan/loads.ts';
import {
  type Cell,
  cellOf,
  type Group,
  isProbe,
  isStandard,
  loadOf,
  type Plan,
  topologyOf,
} from '../plan/plan.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';

export type Step =
  | { kind: 'start'; servers: ServerRef[] }
  /** Warms the server of this cell up under the cell's load. */
  | { kind: 'warm-up'; cells: [Cell] }
  /** Measures what servers use without any load. */
  | { kind: 'idle' }
  /** Slices of these cells; several are interleaved, so they share a load and cores. */
  | { kind: 'slices'; cells: Cell[]; round: number }
  | { kind: 'end of round'; round: number }
  | { kind: 'stop' };

/** The steps of a launch of a group, for the run and its progress, without failed servers; none if no cell is left. */
export function stepsOf(plan: Plan, group: Group, failed: ReadonlySet<string>): Step[] {
  const leftOf = (ids: string[]) => {
    return ids.map((id) => cellOf(plan, id)).filter(({ server }) => !failed.has(server));
  };
  const cells = leftOf(group.cells);
  if (cells.length === 0) return [];
  const servers = new Map(
    [...cells, ...group.idle].map(({ server, target, topology }) => {
      return [server, { server, target, topology }];
    }),
  );
  const rounds = group.rounds.map((order, round) => slicesOf(plan, leftOf(order), round));
  // Interleaved servers warm up by themselves, on the connections that they are measured on.
  const interleaved = rounds[0]?.flatMap((step) => (step.cells.length > 1 ? step.cells : []));
  const warm = new Set(interleaved?.map(({ server }) => server));
  // A probe is only measured for its order of magnitude.
  const cold = cells.filter(({ id, server }) => !isProbe(plan, id) && !warm.has(server));
  return [
    { kind: 'start', servers: [...servers.values()] },
    ...warmUpsOf(plan, cold),
    { kind: 'idle' },
    ...rounds.flatMap((steps, round): Step[] => [...steps, { kind: 'end of round', round }]),
    { kind: 'stop' },
  ];
}

/** The slices of a round. Interleaved loads that keep servers busy come first, since they warm them up. */
function slicesOf(plan: Plan, order: Cell[], round: number): Extract<Step, { kind: 'slices' }>[] {
  const together = Map.groupBy(order, (cell) => interleavingOf(plan, cell));
  return [...together.values()]
    .flatMap((cells) => splitEvenly(plan, cells))
    .toSorted((a, b) => precedenceOf(plan, b) - precedenceOf(plan, a))
    .map((cells) => ({ kind: 'slices', cells, round }));
}

function precedenceOf(plan: Plan, [first, ...others]: Cell[]): number {
  if (first === undefined || others.length === 0) return 0;
  return loadOf(plan, first.load).saturates ? 2 : 1;
}

/** As few parts as possible, none with more cells than can be interleaved, of about the same size. */
function splitEvenly(plan: Plan, cells: Cell[]): Cell[][] {
  const load = loadOf(plan, cells[0]?.load ?? '');
  const most = load.kind === 'closed' ? mostInterleaved(load) : 1;
  const parts = Math.ceil(cells.length / most);
  return chunk(cells, Math.ceil(cells.length / parts));
}

/** The same for cells that are interleaved, by their load and their servers' cores; unique for any other. */
function interleavingOf(plan: Plan, cell: Cell): string {
  const load = loadOf(plan, cell.load);
  // Any other arrangement lasts for a whole slice.
  if (load.kind === 'open' || load.blocks === 1 || !isStandard(cell)) return cell.id;
  const { cores } = topologyOf(plan, cell.topology);
  return `${cell.load} on ${cores ?? cell.topology}`;
}

/** The steps that follow a group of a launch, without the servers that have failed so far. */
export function stepsAfter(record: RunRecord, launch: number, group: Group): Step[] {
  const { plan } = record;
  const failed = failedServers(record);
  const [current = [], ...later] = plan.launches.slice(launch);
  const rest = current.slice(current.indexOf(group) + 1);
  return [...rest, ...later.flat()].flatMap((each) => stepsOf(plan, each, failed));
}

/** Servers that are not started again: those that failed, and were measured in no other launch. */
export function failedServers({ failures, slices, plan }: RunRecord): Set<string> {
  const failed = failures.filter(({ server, launch }) => {
    return !slices.some((slice) => {
      return slice.launch !== launch && cellOf(plan, slice.cell).server === server;
    });
  });
  return new Set(failed.map(({ server }) => server));
}

/** How many launches of a record are whole, from the first: each of their slices was taken, or its server failed. */
export function wholeLaunches(record: RunRecord): number {
  const { plan, slices, failures, serviceFailures } = record;
  const taken = new Set(slices.map(({ launch, round, cell }) => `${launch} ${round} ${cell}`));
  const givenUp = failedServers(record);
  const isLost = (server: string, launch: number) =>
    givenUp.has(server) ||
    failures.some((failure) => failure.launch === launch && failure.server === server) ||
    serviceFailures.some((each) => each.launch === launch && each.servers.includes(server));
  const partial = plan.launches.findIndex((groups, launch) => {
    const rounds = groups.flatMap((group) => [...group.rounds.entries()]);
    return rounds.some(([round, ids]) => {
      const isDone = (id: string) => taken.has(`${launch} ${round} ${id}`);
      return ids.some((id) => !isDone(id) && !isLost(cellOf(plan, id).server, launch));
    });
  });
  return partial === -1 ? plan.launches.length : partial;
}

/** Each server is warmed up under the load that sends it the most requests in the least time. */
function warmUpsOf(plan: Plan, cells: readonly Cell[]): Step[] {
  if (plan.warmup.kind === 'none') return [];
  return [...Map.groupBy(cells, ({ server }) => server).values()].flatMap((own): Step[] => {
    const cell = own.find(({ load }) => loadOf(plan, load).headline === 'cpu') ?? own[0];
    return cell === undefined ? [] : [{ kind: 'warm-up', cells: [cell] }];
  });
}

/** All steps of a plan, as long as no server fails. */
export function stepsOfPlan(plan: Plan): Step[] {
  return plan.launches.flat().flatMap((group) => stepsOf(plan, group, new Set()));
}
