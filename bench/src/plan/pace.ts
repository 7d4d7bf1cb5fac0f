import type { RunOptions } from '../request/run-options.ts';
import { type ClosedLoad, COST, costLoad, type PilotResult, TIMEOUT_NS } from './loads.ts';

/** What a few requests have told of all servers. */
export type Learnt = Extract<PilotResult, { kind: 'learnt' }>;

/** Answers that are under way hold no more than this together, bytes: on both sides, and in sockets. */
const BYTES_UNDER_WAY = 64e6;
/** The dearest server has no more work waiting than it does in this time, ns. */
const WAITING_NS = 0.25e9;
/** So many requests are under way at the least, so that a server never waits for one. */
const FEWEST = 4;
/** A slice holds so many answers of the slowest at the least, so that its edges don't matter. */
const SLICE_ANSWERS = 40;
/** A turn is so many times as long as what is under way takes. */
const TURN_BACKLOGS = 2;
/** A request that comes alone has to wake the server, which costs up to this much CPU time on a virtual core, ns. */
const WAKING_NS = 1.3e5;
/** Most of what a lone request costs can be that, but not all. */
const LEAST_OWN_SHARE = 0.2;
const PATIENCE = 5;

/**
 * How many requests servers can be given at once so that they are busy and nothing is lost: as many as
 * the cost load has, unless the dearest takes too long for that, or answers are too large.
 */
export function underWay(
  learnt: Learnt,
  options: Pick<RunOptions, 'cpuLimits'>,
  waitingNs = WAITING_NS,
): { connections: number; pipelining: number } {
  const { cpuNs, bytes, pipelines } = within(learnt, options);
  const most = Math.min(
    COST.connections * COST.pipelining,
    Math.floor(BYTES_UNDER_WAY / Math.max(1, bytes)),
    Math.ceil(waitingNs / cpuNs),
  );
  const wanted = Math.max(FEWEST, most);
  if (!pipelines || wanted < COST.connections * 2) {
    return { connections: Math.min(COST.connections, wanted), pipelining: 1 };
  }
  const pipelining = Math.floor(wanted / COST.connections);
  return { connections: COST.connections, pipelining };
}

/** What servers take that had all of a core when they were asked, under the lowest of the CPU limits. */
function within(learnt: Learnt, { cpuLimits }: Pick<RunOptions, 'cpuLimits'>): Learnt {
  const pace = Math.min(1, ...cpuLimits);
  return { ...learnt, serviceNs: learnt.serviceNs / pace, cpuNs: learnt.cpuNs / pace };
}

/** The load of servers that somebody names, by what they told and what else is asked for. */
export function learntLoad(
  told: Learnt,
  options: RunOptions,
  headline: ClosedLoad['headline'],
  turnNs?: number,
): ClosedLoad {
  const { connections, pipelining } = options;
  const learnt = within(told, options);
  const load = costLoad(options, turnNs);
  const backlogNs = connections * pipelining * learnt.cpuNs;
  const ownNs = Math.max(learnt.cpuNs * LEAST_OWN_SHARE, learnt.cpuNs - WAKING_NS);
  // Under load nobody has to be woken.
  const busyNs = connections * pipelining * ownNs;
  const leastNs = Math.max(SLICE_ANSWERS * learnt.serviceNs, 2 * backlogNs);
  // One that is too short for a slow server is made longer in each round.
  const isShort = leastNs > load.sliceNs / load.everyNthRound;
  const sliceNs = isShort ? leastNs : load.sliceNs;
  return {
    ...load,
    headline,
    connections,
    pipelining,
    ...(load.method === 'sliced'
      ? { sliceNs, everyNthRound: isShort ? 1 : load.everyNthRound }
      : {}),
    timeoutNs: Math.max(TIMEOUT_NS, PATIENCE * (backlogNs + learnt.serviceNs)),
    blocks: Math.min(load.blocks, Math.max(1, Math.floor(sliceNs / (TURN_BACKLOGS * busyNs)))),
  };
}
