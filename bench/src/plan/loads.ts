import { z } from 'zod';
import { DRIVER_NAMES } from '../request/option-values.ts';
import type { RunOptions } from '../request/run-options.ts';

const headlineSchema = z.enum(['throughput', 'cpu']);
export type HeadlineName = z.infer<typeof headlineSchema>;

const facts = {
  /** Unique within a run. */
  id: z.string(),
  /** The figure that it is measured for: requests/s, or the server's CPU time per request. */
  headline: headlineSchema,
  /** Whether it is meant to keep the server busy all the time. */
  saturates: z.boolean(),
  /** Slices in random order, or all of a launch in one piece, on processes of its own. */
  method: z.enum(['sliced', 'contiguous']),
  sliceNs: z.number().positive(),
  /** Its cells have slices in every so many rounds of a launch, from the first on. */
  everyNthRound: z.int().min(1),
  /** A request without an answer is given up after this, with its connection, ns. */
  timeoutNs: z.number().positive(),
};

export const loadSchema = z.discriminatedUnion('kind', [
  /** A fixed number of requests is always under way: each answer makes room for the next request. */
  z.object({
    kind: z.literal('closed'),
    ...facts,
    /** Completes "CPU per request …", as in `under the cost load`. */
    label: z.string(),
    connections: z.int().min(1),
    pipelining: z.int().min(1),
    /** Every request is answered, however long it takes: windows, and what follows them, wait for it. */
    waitForAll: z.boolean(),
    /** The shortest turn of the generator's event loop, ns: answers that arrive within it are handled together. */
    minLoopTurnNs: z.number().min(0),
    /** The number of blocks in which a slice is interleaved with those of its topology; 1 if it is taken in one go. */
    blocks: z.int().min(1),
    /**
     * Each slice and turn begins and ends with an idle server, so that all its requests are answered in it: a window of
     * slow ones, all answered at once, could hold a burst more. A turn holds each request as often as its weight says.
     */
    drainBetweenSlices: z.boolean(),
  }),
  /** Requests are sent when they are planned, whatever the server does. */
  z.object({
    kind: z.literal('open'),
    ...facts,
    driver: z.enum(DRIVER_NAMES),
    /** How many other hosts send them; 0 if this machine does. */
    hosts: z.int().min(0).default(0),
    /** Its cells are due in every so many launches, from the first on. */
    everyNthLaunch: z.int().min(1).default(1),
    ratePerS: z.number().positive(),
    /** The most requests that may be under way. */
    connections: z.int().min(1),
  }),
]);
/** The load on a server. Everything follows from these facts, never from its name. */
export type Load = z.infer<typeof loadSchema>;
export type OpenLoad = Extract<Load, { kind: 'open' }>;
export type ClosedLoad = Extract<Load, { kind: 'closed' }>;

type Concurrency = Pick<ClosedLoad, 'connections' | 'pipelining'>;

export function underWayOf({ connections, pipelining }: Concurrency): number {
  return connections * pipelining;
}

export function isSameConcurrency(one: Concurrency, { connections, pipelining }: Concurrency) {
  return one.connections === connections && one.pipelining === pipelining;
}

export const pilotResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** How long the slowest target takes for a request that comes alone, ns. */
  z.object({ kind: z.literal('service'), server: z.string(), serviceNs: z.number().positive() }),
  /** The most CPU time that any server uses for a request that comes alone, ns. */
  z.object({ kind: z.literal('singleRequest'), server: z.string(), cpuNs: z.number().min(0) }),
  /** What the slowest server answers at its limit, requests/s. */
  z.object({ kind: z.literal('capacity'), server: z.string(), perS: z.number().positive() }),
  /** What a few requests before any load showed. */
  z.object({
    kind: z.literal('learnt'),
    server: z.string(),
    /** How long the slowest server took for a request that came alone, ns. */
    serviceNs: z.number().positive(),
    /** The most CPU time that any server used for a request, ns; its duration if CPU time can't be read. */
    cpuNs: z.number().min(0),
    /** The largest body of an answer, bytes. */
    bytes: z.number().min(0),
    /** Whether all servers answer pipelined requests in order. */
    pipelines: z.boolean(),
  }),
]);
/** The result of a pilot, from which loads are derived. */
export type PilotResult = z.infer<typeof pilotResultSchema>;

/**
 * Up to this share of busy time, a process handles nearly every request alone. Known costs were measured correctly at
 * 22 % and too low at 41 to 57 %, where a slow server handles several requests each time it wakes.
 */
export const SINGLE_REQUEST_SHARE = 0.25;

/** How long a request may take unless the load says otherwise, ns: autocannon's own default. */
export const TIMEOUT_NS = 10e9;

/** How a load's time is divided into slices. */
export type Timing = Pick<Load, 'method' | 'sliceNs' | 'everyNthRound' | 'timeoutNs'>;

const ONE_SECOND: Timing = {
  method: 'sliced',
  sliceNs: 1e9,
  everyNthRound: 1,
  timeoutNs: TIMEOUT_NS,
};

/** A closed load; unless its parts say otherwise it is measured for requests/s, in slices of 1 s. */
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

/** An open load, in slices of 1 s unless its parts say otherwise. */
export function openLoad(
  parts: Pick<OpenLoad, 'ratePerS' | 'driver' | 'connections'> & Partial<OpenLoad>,
): OpenLoad {
  return {
    kind: 'open',
    id: `rate-${parts.ratePerS}`,
    headline: 'cpu',
    hosts: 0,
    everyNthLaunch: 1,
    saturates: false,
    ...ONE_SECOND,
    ...parts,
  };
}

/** Rounds of a launch: as many as bring its slices closest to the length asked for. */
export function roundsOf({ contiguous, durationS, launches, sliceS }: RunOptions): number {
  return contiguous ? 1 : Math.max(1, Math.round(durationS / launches / sliceS));
}

/** One contiguous piece, or slices in every nth round that take this share of the time, at most `mostNs` in all. */
export function timingOf(
  options: RunOptions,
  { everyNthRound = 1, share = 1, mostNs = Infinity } = {},
): Timing {
  const { contiguous, durationS, launches } = options;
  const rounds = roundsOf(options);
  const roundNs = Math.round((contiguous ? durationS : durationS / launches / rounds) * 1e9);
  const allNs = Math.min(roundNs * rounds * launches * share, mostNs);
  const slices = launches * Math.ceil(rounds / everyNthRound);
  const method = contiguous ? 'contiguous' : 'sliced';
  return { ...ONE_SECOND, method, sliceNs: Math.round(allNs / slices), everyNthRound };
}

/** An open load at this rate, with all else as the options say. */
export function rateLoad(options: RunOptions, ratePerS: number): OpenLoad {
  const { driver, connections, generatorHosts } = options;
  const hosts = generatorHosts.length;
  return openLoad({ ratePerS, driver, connections, hosts, ...timingOf(options) });
}

/** The number of blocks of turns of about this length, ns, in a slice; 1 if it is contiguous. */
export function blocksIn({ method, sliceNs }: Timing, turnNs: number): number {
  return method === 'contiguous' ? 1 : Math.max(1, Math.round(sliceNs / turnNs));
}

/**
 * The noise of a shared host lasts for tenths of a second, so servers that are compared have turns close in time. After
 * the turns of others a server costs a tenth more for 5 ms, which is negligible in a turn of this length, ns.
 */
const TURN_NS = 5e7;
/** An interleaving is given up when a run is interrupted; this is the most time that is lost per server, ns. */
const LONGEST_SLICE_NS = 1.2e10;
/** The concurrency of the cost load. */
export const COST = { connections: 100, pipelining: 10 };
/**
 * Under the cost load the generator handles answers every 2 ms, about a fifth of those in flight. At its own pace it
 * would answer a slow server one by one and a fast one in bulk, which makes the slow one look costlier than it is.
 */
const COST_TURN_NS = 2e6;

/**
 * The load under which the server is the limit, so that CPU per request is unbiased. A launch has one slice of up to
 * 12 s: a server keeps its connections, and its counters run without a break.
 */
export function costLoad(options: RunOptions, turnNs = TURN_NS): ClosedLoad {
  const rounds = roundsOf(options);
  const launchNs = timingOf(options).sliceNs * rounds;
  const everyNthRound = Math.ceil(rounds / Math.ceil(launchNs / LONGEST_SLICE_NS));
  const timing = timingOf(options, { everyNthRound });
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

/** Its time over that of the cost load: CPU time at a low rate is less precise, however long it is measured. */
const LOW_SHARE = 0.3;
/** Enough time for a meaningful number of requests, ns. */
const SHORTEST_LOW_NS = 1e8;
/** The next request is sent at the end of such a turn, ns: nearly 1,000/s, for servers that answer sooner. */
const LOW_TURN_NS = 1e6;

/** One request at a time at a low rate, which is how most servers in production are used. */
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

/** Each server gets its next turn before it closes an idle connection, which Node does after 5 s. */
const LONGEST_REST_NS = 4e9;
const MOST_INTERLEAVED = 40;

export function mostInterleaved({ sliceNs, blocks }: ClosedLoad): number {
  return Math.max(2, Math.min(MOST_INTERLEAVED, Math.floor(LONGEST_REST_NS / (sliceNs / blocks))));
}

/** The most connections that a generator holds at once under a load, with this many servers. */
export function mostConnections(load: Load, servers: number): number {
  const isInterleaved = load.kind === 'closed' && load.blocks > 1;
  return load.connections * (isInterleaved ? Math.min(servers, mostInterleaved(load)) : 1);
}

/** The load without interleaving, in which a server under a CPU limit would save up time while others have turns. */
export function withoutInterleaving(load: Load): Load {
  if (load.kind === 'open') return load;
  const sliceNs = Math.round(load.sliceNs / load.everyNthRound);
  return { ...load, blocks: 1, drainBetweenSlices: false, sliceNs, everyNthRound: 1 };
}
