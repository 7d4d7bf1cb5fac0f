/** What records of older versions are as the next version has them, one step a version. */
import { z } from 'zod';
import type { Upgrade } from '../base/json-file.ts';

/** The steps of run records, by the version that each starts from. */
export const RUN_UPGRADES: Readonly<Record<number, Upgrade>> = { 3: from3 };

const cell3 = z.looseObject({ id: z.string() });
const load3 = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('closed'),
    id: z.enum(['published', 'cost', 'custom', 'alone', 'feasible', 'overload', 'capacity']),
  }),
  z.looseObject({ kind: z.literal('open'), id: z.string() }),
]);
const record3 = z.looseObject({
  plan: z.looseObject({
    suite: z.string(),
    warmupNs: z.number(),
    loads: z.array(load3),
    cells: z.array(cell3),
    probes: z.array(cell3),
    groups: z.array(z.array(z.string())),
    launches: z.array(z.array(z.looseObject({}))),
  }),
  slices: z.array(z.looseObject({ handler: z.looseObject({}).nullable() })),
});

/**
 * Version 4 names the kind of run beside the plan; its loads state facts that went by their names
 * before, its cells are arranged, and it knows of warm-ups, which nobody had looked at.
 */
function from3(saved: unknown): unknown {
  const { plan, slices, ...rest } = record3.parse(saved);
  const { suite, warmupNs, ...decisions } = plan;
  const isOpen = plan.loads.some(({ kind }) => kind === 'open');
  const isSliced = plan.loads.some((load) => load.method === 'sliced');
  const arranged = (cells: z.infer<typeof cell3>[]) => {
    return cells.map((cell) => ({ ...cell, arrangement: 'standard' }));
  };
  return {
    ...rest,
    version: 4,
    suite: isOpen ? 'rates' : suite,
    warmups: [],
    slices: slices.map(({ handler, ...slice }) => {
      return { ...slice, handler: handler && { ...handler, gcNs: null } };
    }),
    plan: {
      ...decisions,
      warmup: warmupNs === 0 ? { kind: 'none' } : { kind: 'timed', ns: warmupNs },
      groupOrder: suite === 'frameworks' && !isSliced ? 'listed' : 'drawn',
      loads: plan.loads.map((load) => ({ ...load, every: 1, ...factsOf(load) })),
      cells: arranged(plan.cells),
      probes: arranged(plan.probes),
      launches: plan.launches.map((groups) => {
        return groups.map((group) => ({ ...group, idle: [], unverified: [] }));
      }),
    },
  };
}

/** The facts about a load that its name stood for. */
function factsOf(load: z.infer<typeof load3>) {
  if (load.kind === 'open') return { headline: 'cpu', saturates: false };
  const { id } = load;
  return {
    headline: id === 'cost' ? 'cpu' : 'throughput',
    saturates: id !== 'alone',
    patient: ['alone', 'feasible', 'capacity'].includes(id),
    turnNs: id === 'cost' ? 2e6 : 0,
    pieces: 1,
    words: WORDS[id],
  };
}

const WORDS = {
  published: 'under the published load',
  cost: 'under the cost load',
  custom: 'under the custom load',
  alone: 'with one request at a time',
  feasible: 'under the feasible load',
  overload: 'under the overload',
  capacity: 'at their limit',
};
