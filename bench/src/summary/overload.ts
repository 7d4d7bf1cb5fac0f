import { CPU, samples, slicesOf, sum } from '../figures/figures.ts';
import { inFlightAtClose } from '../figures/latency.ts';
import { mostThroughput, serversOf } from '../math/bounds.ts';
import { estimate, pointOf } from '../math/statistics.ts';
import { type ClosedLoad, underWayOf } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { OVERLOAD } from './cluster-loads.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { coresWithin, type Scaling, type TargetScaling } from './scaling.ts';

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
  const summaries = conditions
    .flatMap(({ cells }) => cells)
    .filter(({ cell }) => cell.load === load.id);
  const rows = record.targets.flatMap((target) => {
    const scaled = scaling?.targets.find((each) => each.target === target);
    return topologies.flatMap((topology): OverloadRow[] => {
      const summary = summaries.find((each) => {
        return each.target === target && each.cell.topology === topology.id;
      });
      if (summary === undefined) return [];
      const slices = slicesOf(record, summary.cell);
      const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
      const servers = serversOf(topology.processes, coresWithin(target, topology, record.machine));
      // What a request takes under another load bounds nothing here: with pipelining it may take less.
      const isBound = scaled?.service.from === 'alone';
      const serviceNs = isBound ? pointOf(scaled.service.ns) : null;
      const inFlight = underWayOf(load);
      return [
        {
          target,
          topology,
          summary,
          windowsNs,
          outcomes: outcomesOf(slices),
          possible:
            serviceNs === null
              ? null
              : (mostThroughput({ serviceNs, servers, inFlight }) * windowsNs) / 1e9,
          work: workOf(slices, feasibleSlices(record, scaled, topology)),
        },
      ];
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

function feasibleSlices(
  record: RunRecord,
  scaled: TargetScaling | undefined,
  topology: Topology,
): Slice[] {
  const step = scaled?.steps.find((each) => each.topology === topology);
  return step ? slicesOf(record, step.summary.cell) : [];
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
