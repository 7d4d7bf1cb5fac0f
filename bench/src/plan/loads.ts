import { z } from 'zod';
import { DEFAULTS } from '../request/defaults.ts';
import type { Rate } from '../request/option-values.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { Machine } from '../system/machine.ts';
import type { RunSuite } from '../targets/targets.ts';
import { coresOf, isPlain, type Topology } from './topology.ts';

const facts = {
  /** Unique within a run. */
  id: z.string(),
  /** The figure that it is there for: requests/s, or the server's CPU time for each. */
  headline: z.enum(['throughput', 'cpu']),
  /** Whether it is to keep the server busy all the time. */
  saturates: z.boolean(),
  /** Slices dealt round-robin, or everything of a launch in one piece, on processes of its own. */
  method: z.enum(['sliced', 'contiguous']),
  /** Of one slice, ns. */
  sliceNs: z.number(),
  /** Its cells are due in every so many rounds of a launch, from the first on. */
  every: z.int().min(1),
  /** A request without an answer is given up after this, with its connection, ns. */
  timeoutNs: z.number(),
};

export const loadSchema = z.discriminatedUnion('kind', [
  /** So many requests are always under way: an answer makes room for the next. */
  z.object({
    kind: z.literal('closed'),
    ...facts,
    /** What it is, after "under" or another preposition of its own: `under the cost load`. */
    words: z.string(),
    connections: z.int(),
    pipelining: z.int(),
    /** Every request is answered, however long that takes: windows and what comes after wait for it. */
    patient: z.boolean(),
    /** The shortest turn of the generator's event loop, ns: what has come by then is handled together. */
    turnNs: z.number(),
  }),
  /** Requests leave when they are planned to, whatever the server does. */
  z.object({
    kind: z.literal('open'),
    ...facts,
    /** What sends them. */
    driver: z.string(),
    ratePerS: z.number(),
    /** The most requests that may be under way. */
    connections: z.int(),
  }),
]);
/** What is put on a server: facts, by which all else goes, whatever its name. */
export type Load = z.infer<typeof loadSchema>;
export type OpenLoad = Extract<Load, { kind: 'open' }>;
export type ClosedLoad = Extract<Load, { kind: 'closed' }>;

/** How many requests a closed load keeps under way. */
export function underWayOf({ connections, pipelining }: ClosedLoad): number {
  return connections * pipelining;
}

export const basisSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** What the slowest target takes for one request, alone with it, ns. */
  z.object({ kind: z.literal('service'), server: z.string(), serviceNs: z.number() }),
  /** What the slowest server answers at its limit, requests/s. */
  z.object({ kind: z.literal('capacity'), server: z.string(), perS: z.number() }),
]);
/** What a pilot has found out, and loads are derived from. */
export type Basis = z.infer<typeof basisSchema>;

/** How long a request may take unless the load says otherwise, ns: autocannon's own default. */
export const TIMEOUT_NS = 10e9;

/** The load under which the server is the limit, so that CPU per request is unbiased. */
export const COST = { connections: 100, pipelining: 10 };
/**
 * Under it the generator handles what has come every 2 ms, about a fifth of what is in flight. At its
 * own pace it would answer a slow server one by one and a fast one in bulk, and so make the slow one
 * dearer than it is.
 */
const COST_TURN_NS = 2e6;
const LONE = 'with one request at a time';
/** One request at a time: what it takes is the service time. */
const ALONE = { connections: 1, pipelining: 1 };
/** The server at its limit, without pipelining: an open loop has none either. */
const CAPACITY = { connections: 100, pipelining: 1 };
const PILOT_SLICE_NS = 1e9;

/** Under the feasible load each process has one request in work and three waiting, … */
const FEASIBLE_PER_PROCESS = 4;
/** … or more, as long as a single process answers within this, ns, … */
const FEASIBLE_WAIT_NS = 1e9;
/** … but not so many that the generator becomes a part of it. */
const FEASIBLE_MOST = 100;
/** The feasible time-out, over the longest wait that the bounds predict. */
const FEASIBLE_PATIENCE = 5;
/** Answers that a slice of one process should hold, so that its edges don't matter. */
const SLICE_ANSWERS = 40;
const SHORTEST_SLICE_NS = 1e9;
const FEASIBLE_ROUNDS = 2;

/**
 * The loads of a run, the one that it is about first.
 * @throws when they are derived from a basis that is not there.
 */
export function resolveLoads(
  options: RunOptions,
  topologies: Topology[],
  machine: Machine,
  basis: Basis,
): Load[] {
  if (options.rates !== null) return openLoads(options, options.rates, basis);
  if (options.suite === 'cluster') return clusterLoads(options, topologies, machine, basis);
  const { suite, connections, pipelining, contiguous } = options;
  const cost: Load = {
    ...{ kind: 'closed', id: 'cost', words: 'under the cost load', ...COST },
    ...{ headline: 'cpu', saturates: true, patient: false, turnNs: COST_TURN_NS },
    ...timingOf(options),
  };
  const costs = !contiguous && topologies.some((topology) => readsCost(suite, topology));
  if (costs && isLike(options, COST)) return [cost];
  const id = isLike(options, DEFAULTS.frameworks.full) ? 'published' : 'custom';
  const main: Load = {
    ...{ kind: 'closed', id, words: `under the ${id} load`, connections, pipelining },
    ...{ headline: 'throughput', saturates: true, patient: false, turnNs: 0 },
    ...timingOf(options),
  };
  return costs ? [main, cost] : [main];
}

/** The load of the pilot that a run's loads are derived from; null where they need none. */
export function pilotLoad({ suite, rates }: Pick<RunOptions, 'suite' | 'rates'>): Load | null {
  const timing = {
    headline: 'throughput',
    patient: true,
    turnNs: 0,
    method: 'sliced',
    sliceNs: PILOT_SLICE_NS,
    every: 1,
    timeoutNs: TIMEOUT_NS,
  } as const;
  if (rates?.some(({ kind }) => kind === 'share')) {
    const capacity = { kind: 'closed', id: 'capacity', words: 'at their limit' } as const;
    return { ...capacity, ...CAPACITY, saturates: true, ...timing };
  }
  return suite === 'cluster' && rates === null
    ? { kind: 'closed', id: 'alone', words: LONE, ...ALONE, saturates: false, ...timing }
    : null;
}

/** Whether a load is put on a topology. */
export function fits(
  load: Load,
  topology: Topology,
  { suite, topologies }: { suite: RunSuite; topologies: Topology[] },
): boolean {
  if (load.id === 'cost') return readsCost(suite, topology);
  // What a request takes alone is the same in every topology; the first is as good as any.
  return load.id !== 'alone' || topology === (topologies.find(isPlain) ?? topologies[0]);
}

/** Cost is read where nothing is between server and client, but where just that is to be measured. */
function readsCost(suite: RunSuite, topology: Topology): boolean {
  return suite === 'pm2-tax' || isPlain(topology);
}

/** One request at a time, as many as can be answered, and as many as were published. */
function clusterLoads(
  options: RunOptions,
  topologies: Topology[],
  machine: Machine,
  basis: Basis,
): Load[] {
  if (basis.kind !== 'service') throw new Error('the loads of a cluster need a service time');
  const { serviceNs } = basis;
  const most = Math.max(
    ...topologies.map((topology) => Math.max(topology.processes, coresOf(topology, machine))),
  );
  const quick = Math.min(FEASIBLE_MOST, Math.floor(FEASIBLE_WAIT_NS / serviceNs));
  const connections = Math.max(most * FEASIBLE_PER_PROCESS, quick);
  const patienceNs = Math.max(TIMEOUT_NS, FEASIBLE_PATIENCE * connections * serviceNs);
  const sliced = {
    kind: 'closed',
    headline: 'throughput',
    patient: true,
    turnNs: 0,
    every: 1,
    method: 'sliced',
    sliceNs: Math.max(SHORTEST_SLICE_NS, SLICE_ANSWERS * serviceNs),
    timeoutNs: patienceNs,
  } as const;
  const feasible = { id: 'feasible', words: 'under the feasible load', saturates: true };
  return [
    { ...sliced, ...feasible, connections, pipelining: 1 },
    { ...sliced, id: 'alone', words: LONE, saturates: false, ...ALONE },
    {
      ...{ kind: 'closed', id: 'overload', words: 'under the overload' },
      ...{ headline: 'throughput', saturates: true, patient: false, turnNs: 0, every: 1 },
      ...{ connections: options.connections, pipelining: options.pipelining },
      ...{ method: 'contiguous', sliceNs: options.durationS * 1e9, timeoutNs: TIMEOUT_NS },
    },
  ];
}

function openLoads(options: RunOptions, rates: Rate[], basis: Basis): OpenLoad[] {
  const perSecond = rates.map((rate) => {
    if (rate.kind === 'per second') return rate.perS;
    if (basis.kind !== 'capacity') throw new Error('a share of the capacity needs a capacity');
    return Number((rate.share * basis.perS).toPrecision(3));
  });
  const { driver, connections } = options;
  return [...new Set(perSecond)]
    .toSorted((a, b) => a - b)
    .map((ratePerS) => {
      const id = `rate-${ratePerS}`;
      const facts = { headline: 'cpu', saturates: false } as const;
      return { kind: 'open', id, ...facts, driver, ratePerS, connections, ...timingOf(options) };
    });
}

/** Rounds of a launch: with slices, as many as come closest to its share of the time. */
export function roundsOf(options: RunOptions): number {
  const { suite, rates, contiguous, durationS, launches, sliceS } = options;
  if (suite === 'cluster' && rates === null) return FEASIBLE_ROUNDS;
  return contiguous ? 1 : Math.max(1, Math.round(durationS / launches / sliceS));
}

function timingOf(options: RunOptions) {
  const { contiguous, durationS, launches } = options;
  const seconds = contiguous ? durationS : durationS / launches / roundsOf(options);
  return {
    method: contiguous ? ('contiguous' as const) : ('sliced' as const),
    sliceNs: Math.round(seconds * 1e9),
    every: 1,
    timeoutNs: TIMEOUT_NS,
  };
}

type Amount = Pick<Extract<Load, { kind: 'closed' }>, 'connections' | 'pipelining'>;

function isLike(options: RunOptions, { connections, pipelining }: Amount): boolean {
  return options.connections === connections && options.pipelining === pipelining;
}
