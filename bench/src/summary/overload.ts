import { CPU, sum } from '../figures/figures.ts';
import { inFlightAtClose } from '../figures/latency.ts';
import { mostThroughput } from '../math/bounds.ts';
import { pointOf } from '../math/statistics.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { OVERLOAD } from './cluster-loads.ts';
import { type CellSummary, type Condition, cellAt, estimateOf } from './conditions.ts';
import { queueIn, type Scaling } from './scaling.ts';

/** What happens to requests if far more are under way than can be answered in time. */
export type Overload = NonNullable<ReturnType<typeof summarizeOverload>>;
/** One topology of a target. Counts are of the windows of all launches. */
export type OverloadRow = Overload['rows'][number];

/** The overload of a run, for each topology of each target; null for a run without one. */
export function summarizeOverload(
  record: RunRecord,
  conditions: Condition[],
  scaling: Scaling | null,
) {
  const load = record.plan.loads.find(({ id }) => id === OVERLOAD);
  if (load?.kind !== 'closed') return null;
  const rows = record.targets.flatMap((target) => {
    const scaled = scaling?.targets.find((each) => each.target === target);
    // The service time under another load is no bound here: with pipelining it may be less.
    const serviceNs = scaled?.service.from === 'alone' ? pointOf(scaled.service.ns) : null;
    return record.plan.topologies.flatMap((topology) => {
      const summary = cellAt(conditions, { target, topology, load });
      if (summary === undefined) return [];
      const { slices } = summary;
      const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
      const queue = serviceNs && queueIn(record, { target, topology, load }, serviceNs);
      /** The most that could be answered in the windows, by the bounds; null if the service time is no bound. */
      const possible = queue ? (mostThroughput(queue) * windowsNs) / 1e9 : null;
      const outcomes = outcomesOf(slices);
      const feasible = scaled?.steps.find((each) => each.topology === topology)?.summary;
      const workPerAnswer = feasible ? workPerAnswerOf(slices, feasible) : null;
      return [{ target, topology, summary, windowsNs, outcomes, possible, workPerAnswer }];
    });
  });
  return { load, rows };
}

/** What happened to the requests sent; the counts add up to `sent`. */
function outcomesOf(slices: Slice[]) {
  const windows = slices.map(({ measurement }) => measurement.window);
  const waiting = slices.map(inFlightAtClose);
  return {
    sent: sum(windows, ({ sent }) => sent),
    answered: sum(windows, ({ ok }) => ok),
    /** With another status or body than declared. */
    wrong: sum(windows, ({ wrongStatus, wrongBody }) => wrongStatus + wrongBody),
    timedOut: sum(windows, ({ timedOut }) => timedOut),
    /** Lost with a connection that the server closed. */
    disconnected: sum(windows, ({ disconnected }) => disconnected),
    /** Still waiting when the window closed; null if that was not recorded. */
    neverAnswered: waiting.includes(null) ? null : sum(waiting, (count) => count ?? 0),
  };
}

/**
 * The work of the server, in requests' worth of CPU time by what a request takes if all are answered, over the answers
 * received. More than 1 is work for clients that had left, or that waited in vain. Null if no request was given up, so
 * that no work can have been in vain.
 */
function workPerAnswerOf(slices: Slice[], feasible: CellSummary): number | null {
  const windows = slices.map(({ measurement }) => measurement.window);
  const answered = sum(windows, ({ ok }) => ok);
  const givenUp = sum(windows, ({ timedOut, disconnected }) => timedOut + disconnected);
  const each = pointOf(estimateOf(feasible, CPU));
  if (givenUp === 0 || answered === 0 || each === null) return null;
  return sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs) / each / answered;
}
