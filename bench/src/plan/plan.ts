import { z } from 'zod';
import { type Load, loadSchema, pilotResultSchema } from './loads.ts';
import { plannedServiceSchema } from './services.ts';
import { type ServerRef, serverRefSchema, type Topology, topologySchema } from './topology.ts';

/**
 * What is done to the server, or to its neighbours, while a slice is taken: nothing beside what the
 * harness always does, its CPU time and memory read ten times a second, all other servers stopped, the
 * server let loose on all cores, or its functions sampled by V8.
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
/** A target in a topology under a load, as it is arranged for a slice. */
export type Cell = z.infer<typeof cellSchema>;

const groupSchema = z.object({
  /** The cells whose servers are alive together. */
  cells: z.array(z.string()),
  /** Servers that are alive beside them, and idle. */
  idle: z.array(serverRefSchema),
  /** Servers whose answers nobody looks at before the load. */
  unverified: z.array(z.string()),
  /** The order of the cells, round by round. */
  rounds: z.array(z.array(z.string())),
});
export type Group = z.infer<typeof groupSchema>;

export const planSchema = z.object({
  seed: z.int(),
  /** How servers are warmed up after a start. */
  warmup: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    /** Load of this length, in several pieces: as it was before servers were seen to have settled. */
    z.object({ kind: z.literal('timed'), ns: z.number().min(0) }),
    /** Until the server has settled, for this long at the most. */
    z.object({ kind: z.literal('settled'), capNs: z.number().min(0) }),
    /** Requests at a rate, whether the server settles in it or not. */
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
  /** Cells that get one slice in each launch, in the last round of their load, and are in no table. */
  probes: z.array(cellSchema),
  /** Of each target that is a variant, what it leads back to: they are drawn side by side. */
  roots: z.record(z.string(), z.string()).default({}),
  /** What is started for servers, before them. */
  services: z.array(plannedServiceSchema).default([]),
  /** Two figures that differ by no more than this share are the same. */
  equivalence: z.number().positive().lt(1),
  /**
   * Launches go on until every ratio is known to ± this share, or, where that is null, until every row of the answer has
   * its verdict; null where their number is fixed.
   */
  until: z
    .object({ share: z.number().positive().nullable(), maxTimeNs: z.number().positive() })
    .nullable(),
  /** A side that is slower by this share at the least does not pass; null where all do. */
  failOn: z.number().min(0).nullable().default(null),
  /** What p99 is asked to be within, at a rate; null where nothing is asked of it. */
  p99Ns: z.number().positive().nullable().default(null),
  /** Cells whose servers are alive together. */
  groups: z.array(z.array(z.string())),
  /** Groups come as they are listed in every launch, or in an order drawn for each. */
  groupOrder: z.enum(['listed', 'drawn']),
  /** Rounds of a launch, where it is sliced. */
  rounds: z.int().min(1),
  launches: z.array(z.array(groupSchema)),
});

/** Everything a run will do, decided before it starts anything. */
export type Plan = z.infer<typeof planSchema>;

export type PacedWarmup = Extract<Plan['warmup'], { kind: 'paced' }>;

/** Whether a cell is measured in slices, beside others. */
export function isSlicedCell(plan: Plan, id: string): boolean {
  return loadOf(plan, cellOf(plan, id).load).method === 'sliced';
}

/** Whether nothing is done to a cell's server; what that does is a question of its own. */
export function isStandard({ arrangement }: Cell): boolean {
  return arrangement === 'standard';
}

/** The cell in which V8 samples the server of this one; null where none does. */
export function sampledCellOf({ cells }: Plan, { server }: Cell): Cell | null {
  const isOf = (cell: Cell) => cell.server === server && cell.arrangement === 'profiled';
  return cells.find(isOf) ?? null;
}

/** In how many blocks a cell's slices are interleaved with others; 1 where each is taken in one go. */
export function blocksOf(plan: Plan, cell: Cell): number {
  const load = loadOf(plan, cell.load);
  // What is arranged for a slice holds for all of it.
  return load.kind === 'closed' && isStandard(cell) ? load.blocks : 1;
}

/** The cell of this name in a plan. @throws when the plan has none. */
export function cellOf(plan: Plan, id: string): Cell {
  return byId([...plan.cells, ...plan.probes], id);
}
/** Whether this cell is a probe. */
export function isProbe({ probes }: Plan, id: string): boolean {
  return probes.some((probe) => probe.id === id);
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

/** A server under a load, as it is arranged. */
export function cellFor(ref: ServerRef, { id }: Load, arrangement: Arrangement = 'standard'): Cell {
  const name = `${ref.server}/${id}`;
  const suffix = arrangement === 'standard' ? '' : `/${arrangement}`;
  return { ...ref, id: name + suffix, load: id, arrangement };
}
