import { z } from 'zod';
import type { RunOptions } from '../request/run-options.ts';

const headlineSchema = z.enum(['throughput', 'cpu']);
/** What a load can be there for. */
export type HeadlineName = z.infer<typeof headlineSchema>;

const facts = {
  /** Unique within a run. */
  id: z.string(),
  /** The figure that it is there for: requests/s, or the server's CPU time for each. */
  headline: headlineSchema,
  /** Whether it is to keep the server busy all the time. */
  saturates: z.boolean(),
  /** Slices in random order, or all of a launch in one piece, on processes of its own. */
  method: z.enum(['sliced', 'contiguous']),
  /** Of one slice, ns. */
  sliceNs: z.number().positive(),
  /** Its cells are due in every so many rounds of a launch, from the first on. */
  everyNthRound: z.int().min(1),
  /** A request without an answer is given up after this, with its connection, ns. */
  timeoutNs: z.number().positive(),
};

export const loadSchema = z.discriminatedUnion('kind', [
  /** So many requests are always under way: an answer makes room for the next. */
  z.object({
    kind: z.literal('closed'),
    ...facts,
    /** What a cell is under it, as in `under the cost load`. */
    label: z.string(),
    connections: z.int().min(1),
    pipelining: z.int().min(1),
    /** Every request is answered, however long that takes: windows and what comes after wait for it. */
    waitForAll: z.boolean(),
    /** The shortest turn of the generator's event loop, ns: what has come by then is handled together. */
    minLoopTurnNs: z.number().min(0),
    /** In how many blocks a slice is interleaved with those of the same topology; 1 where it is taken in one go. */
    blocks: z.int().min(1),
    /**
     * A slice begins and ends with an idle server: all that is sent in it is answered in it. Where requests
     * are so slow that all under way are answered at once, a window would else hold one burst more or less.
     * So does each turn; of several requests it holds each as often as its weight says.
     */
    drainBetweenSlices: z.boolean(),
  }),
  /** Requests leave when they are planned to, whatever the server does. */
  z.object({
    kind: z.literal('open'),
    ...facts,
    /** What sends them. */
    driver: z.string(),
    /** Other hosts that send it; 0 where this machine does. */
    hosts: z.int().min(0).default(0),
    /** Its cells are due in every so many launches, from the first on. */
    everyNthLaunch: z.int().min(1).default(1),
    ratePerS: z.number().positive(),
    /** The most requests that may be under way. */
    connections: z.int().min(1),
  }),
]);
/** What is put on a server: facts, by which all else goes, whatever its name. */
export type Load = z.infer<typeof loadSchema>;
export type OpenLoad = Extract<Load, { kind: 'open' }>;
export type ClosedLoad = Extract<Load, { kind: 'closed' }>;

/** How many requests a closed load keeps under way. */
export function underWayOf({
  connections,
  pipelining,
}: Pick<ClosedLoad, 'connections' | 'pipelining'>): number {
  return connections * pipelining;
}

export const pilotResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** What the slowest target takes for one request, alone with it, ns. */
  z.object({ kind: z.literal('service'), server: z.string(), serviceNs: z.number().positive() }),
  /** CPU time that the dearest server uses for a request that comes alone, ns. */
  z.object({ kind: z.literal('singleRequest'), server: z.string(), cpuNs: z.number().min(0) }),
  /** What the slowest server answers at its limit, requests/s. */
  z.object({ kind: z.literal('capacity'), server: z.string(), perS: z.number().positive() }),
  /** What a few requests told before any load. */
  z.object({
    kind: z.literal('learnt'),
    server: z.string(),
    /** What the slowest took for one request, alone with it, ns. */
    serviceNs: z.number().positive(),
    /** CPU time that the dearest used for one, ns; where nobody can read it as long as it took. */
    cpuNs: z.number().min(0),
    /** The largest answer, bytes of body. */
    bytes: z.number().min(0),
    /** Whether all answer in order what comes at once on one connection. */
    pipelines: z.boolean(),
  }),
]);
/** What a pilot has found out, and loads are derived from. */
export type PilotResult = z.infer<typeof pilotResultSchema>;

/**
 * A process that is busy for a smaller share of the time handles nearly every request alone. Costs
 * that were known came out right at 22 %, and too low at 41 to 57 %, where a slow server already
 * handles several requests each time it wakes.
 */
export const LONE_SHARE = 0.25;

/** How long a request may take unless the load says otherwise, ns: autocannon's own default. */
export const TIMEOUT_NS = 10e9;

/** How a load is put on, by the options. */
export type Timing = Pick<Load, 'method' | 'sliceNs' | 'everyNthRound' | 'timeoutNs'>;

const ONE_SECOND: Timing = {
  method: 'sliced',
  sliceNs: 1e9,
  everyNthRound: 1,
  timeoutNs: TIMEOUT_NS,
};

/** The amounts of the cost load. */
export const COST = { connections: 100, pipelining: 10 };
/**
 * Under it the generator handles what has come every 2 ms, about a fifth of what is in flight. At its
 * own pace it would answer a slow server one by one and a fast one in bulk, and so make the slow one
 * dearer than it is.
 */
const COST_TURN_NS = 2e6;

/** Each server is to get its next turn before it gives up an idle connection, in Node after 5 s. */
const LONGEST_REST_NS = 4e9;
const MOST_INTERLEAVED = 40;

/** The most servers that are interleaved under a load. */
export function mostInterleaved({ sliceNs, blocks }: ClosedLoad): number {
  return Math.max(2, Math.min(MOST_INTERLEAVED, Math.floor(LONGEST_REST_NS / (sliceNs / blocks))));
}

/** The most connections that a generator holds at once under a load, on so many servers. */
export function mostConnections(load: Load, servers: number): number {
  const isInterleaved = load.kind === 'closed' && load.blocks > 1;
  return load.connections * (isInterleaved ? Math.min(servers, mostInterleaved(load)) : 1);
}

/**
 * The noise of a shared host lasts for tenths of a second, so what is compared has to be near in time. A
 * server that comes back after others is a tenth dearer for 5 ms, of which so many are left no trace.
 */
const TURN_NS = 5e7;

/**
 * The same load on servers with a CPU limit: without rests, in which the limit would be saved up for what
 * comes after them; and in a slice of each round, since it is not interleaved.
 */
export function inOneGo(load: Load): Load {
  if (load.kind === 'open') return load;
  const sliceNs = Math.round(load.sliceNs / load.everyNthRound);
  return { ...load, blocks: 1, drainBetweenSlices: false, sliceNs, everyNthRound: 1 };
}

/** In how many blocks of turns of about this length, ns, a slice is interleaved; 1 where it is contiguous. */
export function blocksIn({ method, sliceNs }: Timing, turnNs: number): number {
  return method === 'contiguous' ? 1 : Math.max(1, Math.round(sliceNs / turnNs));
}

/**
 * The load under which the server is the limit, so that CPU per request is unbiased. All of a launch is one slice, up
 * to 12 s: a server has its connections once, and its counters run through.
 */
export function costLoad(options: RunOptions, turnNs = TURN_NS): ClosedLoad {
  const timing = inOneSlice(timingOf(options), roundsOf(options));
  return closedLoad({
    id: 'cost',
    label: 'under the cost load',
    headline: 'cpu',
    ...COST,
    minLoopTurnNs: COST_TURN_NS,
    ...timing,
    blocks: blocksIn(timing, turnNs),
  });
}

/** Its time over that of the cost load: however long it is, CPU time at a low rate is known less well. */
const LOW_SHARE = 0.3;
/** Long enough for requests to tell something, ns. */
const SHORTEST_LOW_NS = 1e8;
/** The next request leaves at the end of such a turn, ns: nearly a thousand a second, of servers that answer sooner. */
const LOW_TURN_NS = 1e6;

/** One request at a time at a low rate, as most servers in production see them. */
export function lowLoad(options: RunOptions): ClosedLoad {
  const cost = costLoad(options);
  const sliceNs = Math.max(SHORTEST_LOW_NS, Math.round(cost.sliceNs * LOW_SHARE));
  return {
    ...cost,
    id: 'low',
    label: 'at a low rate',
    connections: 1,
    pipelining: 1,
    saturates: false,
    minLoopTurnNs: LOW_TURN_NS,
    sliceNs,
    blocks: blocksIn({ ...cost, sliceNs }, TURN_NS),
  };
}

/** A load in which requests are always under way; with what is not said it is there for requests/s, in slices of 1 s. */
export function closedLoad(
  parts: Pick<ClosedLoad, 'id' | 'label' | 'connections'> & Partial<ClosedLoad>,
): ClosedLoad {
  return {
    kind: 'closed',
    headline: 'throughput',
    pipelining: 1,
    saturates: true,
    waitForAll: false,
    minLoopTurnNs: 0,
    blocks: 1,
    drainBetweenSlices: false,
    ...ONE_SECOND,
    ...parts,
  };
}

/** Requests at a rate, in an open loop. */
export function openLoad(
  {
    ratePerS,
    driver,
    generatorHosts = [],
    connections,
  }: Pick<OpenLoad, 'ratePerS' | 'driver' | 'connections'> &
    Partial<Pick<RunOptions, 'generatorHosts'>>,
  timing: Timing,
): OpenLoad {
  return {
    kind: 'open',
    id: `rate-${ratePerS}`,
    headline: 'cpu',
    driver,
    hosts: generatorHosts.length,
    everyNthLaunch: 1,
    ratePerS,
    connections,
    saturates: false,
    ...timing,
  };
}

/** Rounds of a launch: with slices, as many as come closest to its share of the time. */
export function roundsOf({ contiguous, durationS, launches, sliceS }: RunOptions): number {
  return contiguous ? 1 : Math.max(1, Math.round(durationS / launches / sliceS));
}

/** Slices that share the time of a launch between its rounds, or one unbroken piece. */
export function timingOf(options: RunOptions): Timing {
  const { contiguous, durationS, launches } = options;
  const seconds = contiguous ? durationS : durationS / launches / roundsOf(options);
  const method = contiguous ? 'contiguous' : 'sliced';
  return { ...ONE_SECOND, method, sliceNs: Math.round(seconds * 1e9) };
}

/** What is interleaved is given up where a run is ended: no longer than this is at stake, ns, for each server. */
const LONGEST_SLICE_NS = 1.2e10;

/** All of a launch in one slice, or in as few as are not too long. */
function inOneSlice(timing: Timing, rounds: number): Timing {
  if (timing.method === 'contiguous') return timing;
  const allNs = timing.sliceNs * rounds;
  const everyNthRound = Math.ceil(rounds / Math.ceil(allNs / LONGEST_SLICE_NS));
  return {
    ...timing,
    sliceNs: Math.round(allNs / Math.ceil(rounds / everyNthRound)),
    everyNthRound,
  };
}
