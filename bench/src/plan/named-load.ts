import type { RunOptions } from '../request/run-options.ts';
import { type ClosedLoad, COST, costLoad, type PilotResult, TIMEOUT_NS } from './loads.ts';

/** What a few requests showed of all servers that the command line names. */
export type ProbeSummary = Extract<PilotResult, { kind: 'learnt' }>;

/** Answers under way take no more than this together, bytes: they are held on both sides, and in sockets. */
const BYTES_UNDER_WAY = 64e6;
/** At least so many requests are under way, so that a server never waits for one. */
const FEWEST = 4;
/** A slice holds at least so many answers of the slowest server, so that its ends don't matter. */
const SLICE_ANSWERS = 40;
/** The shortest slice over the time that the requests under way take. */
const BACKLOGS = 2;
/** A request that comes alone, before much is compiled, costs up to so much more than one under load, ns. */
const ALONE_NS = 4e5;
/** At least this share of what a single request costs is its own. */
const LEAST_BUSY_SHARE = 0.1;
/** The time-out over the time that a request may take. */
const PATIENCE = 5;

/** What a request takes under the lowest CPU limit if probes had a core each: alone, and about the least under load. */
function withinLimits({ serviceNs, cpuNs }: ProbeSummary, cpuLimits: readonly number[]) {
  const pace = Math.min(1, ...cpuLimits);
  const busyNs = Math.max(cpuNs * LEAST_BUSY_SHARE, cpuNs - ALONE_NS);
  return { serviceNs: serviceNs / pace, cpuNs: cpuNs / pace, busyNs: busyNs / pace };
}

/** The most that a load keeps under way: requests, and work of the costliest server, ns. */
const MOST = { ...COST, waitingNs: 0.25e9 };
export type MostUnderWay = typeof MOST;

/** What keeps all servers busy without a loss: as under the cost load, or less if one is slow or answers are large. */
export function concurrencyFor(
  summary: ProbeSummary,
  options: Pick<RunOptions, 'cpuLimits'>,
  { connections: most, pipelining, waitingNs } = MOST,
) {
  const { bytes, pipelines } = summary;
  const { busyNs } = withinLimits(summary, options.cpuLimits);
  const affordable = Math.min(
    most * pipelining,
    Math.floor(BYTES_UNDER_WAY / Math.max(1, bytes)),
    Math.ceil(waitingNs / busyNs),
  );
  const wanted = Math.max(FEWEST, affordable);
  return pipelines && wanted >= most * 2
    ? { connections: most, pipelining: Math.floor(wanted / most) }
    : { connections: Math.min(most, wanted), pipelining: 1 };
}

/** The load on servers that the command line names, from what a few requests showed and the options. */
export function loadByProbes(
  summary: ProbeSummary,
  options: RunOptions,
  headline: ClosedLoad['headline'],
  turnNs?: number,
): ClosedLoad {
  const { connections, pipelining } = options;
  const { serviceNs, cpuNs, busyNs } = withinLimits(summary, options.cpuLimits);
  const load = costLoad(options, turnNs);
  const inFlight = connections * pipelining;
  const backlogNs = inFlight * cpuNs;
  // One round of the requests under way: the shorter turns are, the more alike is what disturbs them.
  const shortestTurnNs = inFlight * busyNs;
  const leastNs = Math.max(SLICE_ANSWERS * serviceNs, BACKLOGS * backlogNs);
  // If slices are too short for a slow server, they become longer, in each round.
  const isShort = leastNs > load.sliceNs / load.everyNthRound;
  const [sliceNs, everyNthRound] = isShort ? [leastNs, 1] : [load.sliceNs, load.everyNthRound];
  return {
    ...load,
    headline,
    connections,
    pipelining,
    ...(load.method === 'sliced' ? { sliceNs, everyNthRound } : {}),
    timeoutNs: Math.max(TIMEOUT_NS, PATIENCE * (backlogNs + serviceNs)),
    blocks: Math.min(load.blocks, Math.max(1, Math.floor(sliceNs / shortestTurnNs))),
  };
}
