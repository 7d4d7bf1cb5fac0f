/** What records of older versions are as the next version has them, one step a version. */
import { z } from 'zod';
import type { Upgrade } from '../base/json-file.ts';

/** The steps of run records, by the version that each starts from. */
export const RUN_UPGRADES: Readonly<Record<number, Upgrade>> = {
  1: from1,
  2: from2,
  3: from3,
  4: from4,
  5: from5,
  6: from6,
};

const group = z.looseObject({ cells: z.array(z.string()), rounds: z.array(z.array(z.string())) });
const record1 = z.looseObject({
  plan: z.looseObject({
    topologies: z.array(z.looseObject({})),
    cells: z.array(z.looseObject({ id: z.string() })),
    launches: z.array(z.array(group)),
  }),
  slices: z.array(
    z.looseObject({
      measurement: z.looseObject({ system: z.looseObject({}).nullable() }),
    }),
  ),
});

/**
 * Version 2 has probes, several generators and servers with a clock, knows the half of a window, and
 * plans more launches as it goes on.
 */
function from1(saved: unknown): unknown {
  const { plan, slices, ...rest } = record1.parse(saved);
  const places = new Map(plan.cells.map(({ id }, place) => [id, place]));
  const placeOf = ([first = '']: string[]) => places.get(first) ?? 0;
  // Every launch has the same groups, in an order of its own.
  const [groups = []] = plan.launches;
  return {
    ...rest,
    version: 2,
    slices: slices.map(({ measurement: { system, ...measured }, ...slice }) => ({
      ...slice,
      handler: null,
      measurement: {
        ...measured,
        generators: 1,
        halfway: null,
        system: system && { ...system, throttledNs: 0 },
      },
    })),
    plan: {
      ...plan,
      topologies: plan.topologies.map((topology) => ({ ...topology, spareCores: [] })),
      probes: [],
      equivalence: 0.02,
      until: null,
      groups: groups.map(({ cells }) => cells).toSorted((a, b) => placeOf(a) - placeOf(b)),
      rounds: Math.max(1, ...groups.map(({ rounds }) => rounds.length)),
    },
  };
}

const record2 = z.looseObject({
  machine: z.looseObject({ parallelism: z.int() }),
  plan: z.looseObject({
    method: z.string(),
    sliceNs: z.number(),
    topologies: z.array(z.looseObject({ workers: z.int().nullable() })),
    loads: z.array(z.looseObject({})),
  }),
  slices: z.array(
    z.looseObject({
      measurement: z.looseObject({
        turns: z.looseObject({ empty: z.int(), idleNs: z.number().optional() }),
      }),
    }),
  ),
});
/** What a turn of the event loop took that brought nothing, about, ns, where nobody looked. */
const EMPTY_TURN_NS = 780;
/** Autocannon's own. */
const TIMEOUT2_NS = 10e9;

/**
 * Version 3 has open loads, loads that are put on in ways of their own, managers other than pm2, and
 * knows how long requests without an answer had waited.
 */
function from2(saved: unknown): unknown {
  const { machine, plan, slices, ...rest } = record2.parse(saved);
  const { method, sliceNs, ...decisions } = plan;
  return {
    ...rest,
    version: 3,
    machine: { ...machine, pm2Max: machine.parallelism },
    slices: slices.map(({ measurement: { turns, ...measured }, ...slice }) => ({
      ...slice,
      measurement: {
        ...measured,
        turns: { ...turns, idleNs: turns.idleNs ?? turns.empty * EMPTY_TURN_NS },
        agesHistograms: null,
        pace: null,
        series: [],
      },
    })),
    plan: {
      ...decisions,
      basis: { kind: 'none' },
      topologies: plan.topologies.map(({ workers, ...topology }) => ({
        ...topology,
        manager: workers === null ? 'none' : 'pm2',
        processes: workers ?? 1,
      })),
      loads: plan.loads.map((load) => {
        return { ...load, kind: 'closed', method, sliceNs, timeoutNs: TIMEOUT2_NS };
      }),
    },
  };
}

const cell3 = z.looseObject({ id: z.string() });
const load3 = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('closed'),
    id: z.enum(['published', 'cost', 'custom', 'alone', 'feasible', 'overload', 'capacity']),
  }),
  z.looseObject({ kind: z.literal('open'), id: z.string() }),
]);
const slice3 = z.looseObject({
  cell: z.string(),
  launch: z.int(),
  handler: z.looseObject({}).nullable(),
});
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
  slices: z.array(slice3),
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
  const timed = suite === 'truth' ? withClocks(slices) : slices;
  return {
    ...rest,
    version: 4,
    suite: isOpen ? 'rates' : suite,
    warmups: [],
    slices: timed.map(({ handler, ...slice }) => {
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
        return groups.map((each) => ({ ...each, idle: [], unverified: [] }));
      }),
    },
  };
}

/** The servers that spin had no clock then: a probe did the same work with one around it, once in each launch. */
function withClocks(slices: z.infer<typeof slice3>[]): z.infer<typeof slice3>[] {
  const keyOf = (launch: number, cell: string) => `${launch} ${cell}`;
  const told = new Map(
    slices.map(({ launch, cell, handler }) => [keyOf(launch, cell), handler] as const),
  );
  return slices.map((slice) => {
    if (!slice.cell.startsWith('spin-')) return slice;
    const probe = slice.cell.replace('spin-', 'timed-');
    return { ...slice, handler: told.get(keyOf(slice.launch, probe)) ?? null };
  });
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

const used4 = z.looseObject({ bytes: z.number() });
const load4 = z.looseObject({ kind: z.enum(['closed', 'open']) });
const record4 = z.looseObject({
  plan: z.looseObject({ loads: z.array(load4) }),
  slices: z.array(
    z.looseObject({
      measurement: z.looseObject({ services: z.record(z.string(), used4).default({}) }),
    }),
  ),
});

/** Version 5 knows the peak of memory, at which nobody had looked, and slices that begin with an idle server. */
function from4(saved: unknown): unknown {
  const { plan, slices, ...rest } = record4.parse(saved);
  return {
    ...rest,
    version: 5,
    plan: {
      ...plan,
      loads: plan.loads.map((load) => {
        return load.kind === 'closed' ? { ...load, fromIdle: false } : load;
      }),
    },
    slices: slices.map(({ measurement: { services, ...measured }, ...slice }) => ({
      ...slice,
      measurement: {
        ...measured,
        peak: null,
        services: Object.fromEntries(
          Object.entries(services).map(([name, used]) => [name, { ...used, peakBytes: null }]),
        ),
      },
    })),
  };
}

const record5 = z.looseObject({
  targets: z.array(z.looseObject({})),
  slices: z.array(z.looseObject({ measurement: z.looseObject({}) })),
});

/** Version 6 knows servers with a CPU limit, and how they were held back; until then none had one. */
function from5(saved: unknown): unknown {
  const { targets, slices, ...rest } = record5.parse(saved);
  return {
    ...rest,
    version: 6,
    targets: targets.map((target) => ({ ...target, cpuLimit: null })),
    slices: slices.map(({ measurement, ...slice }) => {
      return { ...slice, measurement: { ...measurement, throttling: null } };
    }),
  };
}

const used6 = z.looseObject({ server: z.looseObject({ cpuNs: z.number() }) });
const window6 = z.looseObject({
  ok: z.number(),
  wrongStatus: z.number(),
  wrongBody: z.number(),
});
const measurement6 = z.looseObject({
  windowNs: z.number(),
  cpu: used6,
  window: window6,
  pieces: z.array(z.object({ cpuNs: z.number(), answers: z.number() })).default([]),
});
const load6 = z.looseObject({
  kind: z.enum(['closed', 'open']),
  pieces: z.number().optional(),
});
const record6 = z.looseObject({
  plan: z.looseObject({ loads: z.array(load6) }),
  slices: z.array(z.looseObject({ measurement: measurement6 })),
});

/**
 * Version 7 knows what a server does outside of its turns, and what it uses idle. Until then nobody looked: what it
 * used in its own turns is all that is known, and nothing comes off for idle use.
 */
function from6(saved: unknown): unknown {
  const { plan, slices, ...rest } = record6.parse(saved);
  return {
    ...rest,
    version: 7,
    idle: [],
    plan: {
      ...plan,
      loads: plan.loads.map(({ pieces, ...load }) => {
        return load.kind === 'closed' ? { ...load, blocks: pieces ?? 1 } : load;
      }),
    },
    slices: slices.map(({ measurement, ...slice }) => {
      const { pieces, ...measured } = measurement;
      return {
        ...slice,
        measurement: { ...measured, ...NOT_LOOKED, blocks: blocksOf(measurement) },
      };
    }),
  };
}

const NOT_LOOKED = {
  leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
  disturbed: [],
  idleNsPerS: 0,
  isQuiet: null,
};

function blocksOf({ pieces, window, windowNs, cpu }: z.infer<typeof measurement6>) {
  const answers = window.ok + window.wrongStatus + window.wrongBody;
  const turns = pieces.length > 0 ? pieces : [{ cpuNs: cpu.server.cpuNs, answers }];
  return turns.map((turn) => ({ ...turn, chargedNs: turn.cpuNs, ns: windowNs / turns.length }));
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
