import { CPU, samples, slicesOf, sum } from '../figures/figures.ts';
import { inFlightAtClose } from '../figures/latency.ts';
import { mostThroughput } from '../math/bounds.ts';
import { estimate, pointOf } from '../math/statistics.ts';
import type { ClosedLoad } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { OVERLOAD } from './cluster-loads.ts';
import { type CellSummary, type Condition, cellAt } from './conditions.ts';
import { queueIn, type Scaling } from './scaling.ts';

/** What becomes of requests when far more are under way than can be answered in time. */
export interface Overload {
  load: ClosedLoad;
  rows: OverloadRow[];
}

/** One topology of a target. Counts are of the windows of all launches. */
export interface OverloadRow {
  target: Target;
  topology: Topology;
  summary: CellSummary;
  windowsNs: number;
  outcomes: RequestOutcomes;
  /** The most that could be answered in the windows, by the bounds; null where the service time is no bound. */
  possible: number | null;
  work: Work | null;
}

/** What became of the requests sent; they add up to `sent`. */
export interface RequestOutcomes {
  sent: number;
  answered: number;
  /** With another status or body than declared. */
  wrong: number;
  timedOut: number;
  /** Lost with a connection that the server closed. */
  disconnected: number;
  /** Still waiting when the window closed; null where nobody looked. */
  neverAnswered: number | null;
}

/** What the server did for those that it answered, and for those that had left. */
export interface Work {
  /** Requests' worth of CPU time: what the server used over what a request takes of it when all are answered. */
  completions: number;
  /** Over answers received; more than 1 is work for clients that had left, or that waited in vain. */
  perAnswer: number;
}

/** What the overload of a run shows; null in runs without one. */
export function summarizeOverload(
  record: RunRecord,
  conditions: Condition[],
  scaling: Scaling | null,
): Overload | null {
  const { loads, topologies } = record.plan;
  const load = loads.find(({ id }) => id === OVERLOAD);
  if (load?.kind !== 'closed') return null;
  const rows = record.targets.flatMap((target) => {
    const scaled = scaling?.targets.find((each) => each.target === target);
    // What a request takes under another load bounds nothing here: with pipelining it may take less.
    const serviceNs = scaled?.service.from === 'alone' ? pointOf(scaled.service.ns) : null;
    return topologies.flatMap((topology): OverloadRow[] => {
      const summary = cellAt(conditions, { target, topology, load });
      if (summary === undefined) return [];
      const slices = slicesOf(record, summary.cell);
      const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
      const queue = serviceNs && queueIn(record, { target, topology, load }, serviceNs);
      const possible = queue ? (mostThroughput(queue) * windowsNs) / 1e9 : null;
      const feasible = scaled?.steps.find((each) => each.topology === topology)?.summary;
      const work = feasible ? workOf(slices, slicesOf(record, feasible.cell)) : null;
      const outcomes = outcomesOf(slices);
      return [{ target, topology, summary, windowsNs, outcomes, possible, work }];
    });
  });
  return { load, rows };
}

function outcomesOf(slices: Slice[]): RequestOutcomes {
  const windows = slices.map(({ measurement }) => measurement.window);
  const waiting = slices.map(inFlightAtClose);
  return {
    sent: sum(windows, ({ sent }) => sent),
    answered: sum(windows, ({ ok }) => ok),
    wrong: sum(windows, ({ wrongStatus, wrongBody }) => wrongStatus + wrongBody),
    timedOut: sum(windows, ({ timedOut }) => timedOut),
    disconnected: sum(windows, ({ disconnected }) => disconnected),
    neverAnswered: waiting.reduce<number | null>((all, each) => {
      return all === null || each === null ? null : all + each;
    }, 0),
  };
}

/** Null where no request was given up, so that nothing can have been done in vain. */
function workOf(slices: Slice[], feasible: Slice[]): Work | null {
  const windows = slices.map(({ measurement }) => measurement.window);
  const answered = sum(windows, ({ ok }) => ok);
  const givenUp = sum(windows, ({ timedOut, disconnected }) => timedOut + disconnected);
  const each = pointOf(estimate(samples(feasible, CPU)));
  if (givenUp === 0 || answered === 0 || each === null) return null;
  const completions = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs) / each;
  return { completions, perAnswer: completions / answered };
}
