import { z } from 'zod';
import { SERVICE_NAMES } from '../services/index.ts';
import { type Load, loadSchema, pilotResultSchema } from './loads.ts';
import { type ServerRef, serverRefSchema, type Topology, topologySchema } from './topology.ts';

/**
 * What is done to a server or its neighbours in a slice: nothing special; its CPU time and memory are read ten times a
 * second; all other servers are stopped; it may run on all cores; or V8 samples it.
 */
export const ARRANGEMENTS = ['standard', 'sampled', 'alone', 'unpinned', 'profiled'] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

const cellSchema = z.object({
  /** `target/topology/load`, and the arrangement where it is not the standard one. */
  id: z.string(),
  ...serverRefSchema.shape,
  load: z.string(),
  arrangement: z.enum(ARRANGEMENTS),
});
/** A target in a topology under a load, in an arrangement. */
export type Cell = z.infer<typeof cellSchema>;

const groupSchema = z.object({
  /** The cells whose servers are alive together. */
  cells: z.array(z.string()),
  /** Servers that are alive beside them, and idle. */
  idle: z.array(serverRefSchema),
  /** Servers that are not verified before the load. */
  unverified: z.array(z.string()),
  /** The order of the cells, round by round. */
  rounds: z.array(z.array(z.string())),
});
export type Group = z.infer<typeof groupSchema>;

const plannedServiceSchema = z.object({
  name: z.enum(SERVICE_NAMES),
  targets: z.array(z.string()),
  /** The cores that it shares with the servers; null if it shares all with the generator too. */
  cores: z.array(z.int()).nullable(),
});
/** A service that is started in each launch of a group that has servers of these targets. */
export type PlannedService = z.infer<typeof plannedServiceSchema>;

export const planSchema = z.object({
  seed: z.int(),
  warmup: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    /** Until the server has settled, or for this long. */
    z.object({ kind: z.literal('settled'), capNs: z.number().min(0) }),
    /** Requests at a rate, whether the server settles or not. */
    z.object({
      kind: z.literal('paced'),
      ns: z.number().positive(),
      ...loadSchema.options[1].pick({ driver: true, ratePerS: true, connections: true }).shape,
    }),
  ]),
  generatorCores: z.array(z.int()).nullable(),
  topologies: z.array(topologySchema),
  loads: z.array(loadSchema),
  /** What the loads were derived from. */
  pilot: pilotResultSchema,
  cells: z.array(cellSchema),
  /** Cells with one slice in each launch, in the last round of their load, which no table shows. */
  probes: z.array(cellSchema),
  /** For each variant, the target that it goes back to: they are drawn side by side. */
  roots: z.record(z.string(), z.string()).default({}),
  /** Started before the servers that need them. */
  services: z.array(plannedServiceSchema).default([]),
  /** Two figures that differ by no more than this share count as the same. */
  equivalence: z.number().positive().lt(1),
  /** As in `RunOptions`; null if the number of launches is fixed. */
  until: z
    .object({ share: z.number().positive().nullable(), maxTimeNs: z.number().positive() })
    .nullable(),
  /** A side that is slower by at least this share does not pass; null if all pass. */
  failOn: z.number().min(0).nullable().default(null),
  /** The limit for p99 at a rate; null without a limit. */
  p99Ns: z.number().positive().nullable().default(null),
  groups: z.array(z.array(z.string())),
  /** Groups run in the listed order, or in one drawn for each launch. */
  groupOrder: z.enum(['listed', 'drawn']),
  /** Rounds of a sliced launch. */
  rounds: z.int().min(1),
  launches: z.array(z.array(groupSchema)),
});

/** Everything a run will do, decided before it starts anything. */
export type Plan = z.infer<typeof planSchema>;

export type PacedWarmup = Extract<Plan['warmup'], { kind: 'paced' }>;

/** The longest that a server is warmed up until it has settled, ns; 0 without such a warm-up. */
export function longestWarmupNs({ warmup }: Plan): number {
  return warmup.kind === 'settled' ? warmup.capNs : 0;
}

export function isStandard({ arrangement }: Cell): boolean {
  return arrangement === 'standard';
}

/** The cell in which V8 samples this cell's server; null if there is none. */
export function sampledCellOf({ cells }: Plan, { server }: Cell): Cell | null {
  const isSampled = (cell: Cell) => cell.server === server && cell.arrangement === 'profiled';
  return cells.find(isSampled) ?? null;
}

/** The cell of a plan with this id. @throws if there is none. */
export function cellOf(plan: Plan, id: string): Cell {
  return byId([...plan.cells, ...plan.probes], id);
}

export function isProbe({ probes }: Plan, id: string): boolean {
  return probes.some((probe) => probe.id === id);
}

export function topologyOf(plan: Plan, id: string): Topology {
  return byId(plan.topologies, id);
}
export function loadOf(plan: Plan, id: string): Load {
  return byId(plan.loads, id);
}

function byId<T extends { id: string }>(items: T[], id: string): T {
  const item = items.find((each) => each.id === id);
  if (item === undefined) throw new Error(`the plan has no "${id}"`);
  return item;
}

export function cellFor(ref: ServerRef, { id }: Load, arrangement: Arrangement = 'standard'): Cell {
  const suffix = arrangement === 'standard' ? '' : `/${arrangement}`;
  return { ...ref, id: `${ref.server}/${id}${suffix}`, load: id, arrangement };
}
