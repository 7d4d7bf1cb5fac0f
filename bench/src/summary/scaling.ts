import {
  CPU,
  MEAN_LATENCY,
  meanFigure,
  rulesOf,
  samples,
  sidesOf,
  sum,
  THROUGHPUT,
} from '../figures/figures.ts';
import { inFlightAtClose } from '../figures/latency.ts';
import { leastResponse, mostThroughput, type Queue } from '../math/bounds.ts';
import { estimate, inEachLaunch, pointOf } from '../math/statistics.ts';
import { compare } from '../math/verdicts.ts';
import { type ClosedLoad, underWayOf } from '../plan/loads.ts';
import { coresOf, plainest } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { besidePlain } from './comparisons.ts';
import { type CellSummary, estimateOf, fewestFirst, type Summary } from './summary.ts';

/** The name of the load with as many requests as can be answered. */
export const FEASIBLE = 'feasible';
/** The name of the load with one request at a time. */
export const ALONE = 'alone';
/** The name of the load with far more requests than can be answered in time. */
export const OVERLOAD = 'overload';

/** How each target scales with the number of processes, compared with the bounds of a closed queue. */
export type Scaling = NonNullable<ReturnType<typeof summarizeScaling>>;
/** One target in all topologies. */
export type TargetScaling = Scaling['targets'][number];
/** One topology of a target, compared with the plain process. */
export type ScalingStep = TargetScaling['steps'][number];

/** The scaling under the feasible load, from requests that come alone; null for a run without these loads. */
export function summarizeScaling(summary: Summary) {
  const { record, conditions } = summary;
  const { loads, topologies } = record.plan;
  const load = loads.find(({ id }) => id === FEASIBLE);
  if (load?.kind !== 'closed') return null;
  const plain = conditions.filter(({ topology }) => plainest(topologies).includes(topology));
  const cellsUnder = (id: string) => plain.find((each) => each.load.id === id)?.cells ?? [];
  /** The cells whose requests come one at a time. */
  const alone = cellsUnder(ALONE);
  const feasible = conditions.filter((each) => each.load === load);
  const besides = besidePlain({ ...summary, conditions: feasible }, THROUGHPUT);
  const targets = besides.map(({ target, rows }) => {
    const slicesIn = (cells: readonly CellSummary[]) => {
      return cells.find((each) => each.target === target)?.slices ?? [];
    };
    const service = serviceOf(slicesIn(alone), slicesIn(cellsUnder(FEASIBLE)));
    const serviceNs = pointOf(service.ns);
    const steps = fewestFirst(rows).map((row) => {
      const queueOf = (ns: number) => queueIn(row, load, ns);
      const queue = serviceNs === null ? null : queueOf(serviceNs);
      const sides = { own: samples(row.slices, THROUGHPUT), other: service.perLaunch };
      const reached = inEachLaunch(sides, (perS, ns) => perS / mostThroughput(queueOf(ns)));
      const predicted = queue && {
        throughput: mostThroughput(queue),
        responseNs: leastResponse(queue),
      };
      /** Throughput is compared with the predicted one within launches. */
      return { ...row, predicted, reached: estimate(reached) };
    });
    return { target, service, steps, wants: fewestNeeded(record, steps) };
  });
  /** Cores that the largest topology may use. */
  const cores = Math.max(...topologies.map((topology) => coresOf(topology, record.machine)));
  return { load, cores, alone, targets };
}

/** The closed queue at a target's CPU, for requests that take so long, ns. */
export function queueIn(
  { topology, usableCores, cpuLimit }: Pick<CellSummary, 'topology' | 'usableCores' | 'cpuLimit'>,
  load: ClosedLoad,
  serviceNs: number,
): Queue {
  // No more requests are served at once than there are processes that find a core.
  const servers = Math.min(topology.processes, usableCores, cpuLimit);
  return { serviceNs, servers, inFlight: underWayOf(load) };
}

/** A request that is alone and keeps the CPU busy for a smaller share of its time waits for something else. */
const CPU_BOUND_SHARE = 0.8;

/**
 * What a request takes of the CPU: the basis of all predictions. `alone`: how long one request takes, alone with the
 * server. If that is not all CPU time, as in a server that answers at once, it is no service time, and the CPU time of a
 * request `under load` in the plain process is used: the service demand (D = U / X).
 */
function serviceOf(alone: Slice[], feasible: Slice[]) {
  /** CPU time, and time spent waiting for a core, over the time of a request that is alone; null if unknown. */
  const busyShare = pointOf(estimate(samples(alone, WANTED_SHARE)));
  const isBound = busyShare !== null && busyShare >= CPU_BOUND_SHARE;
  const from: 'alone' | 'under load' = isBound ? 'alone' : 'under load';
  const perLaunch = isBound ? samples(alone, MEAN_LATENCY) : samples(feasible, CPU);
  return { from, busyShare, perLaunch, ns: estimate(perLaunch) };
}

/** How long the server used the CPU or waited for it, over how long its requests took. */
const WANTED_SHARE = meanFigure('cpu', 'more', (slice) => {
  const { cpu, window } = slice.measurement;
  return (cpu.server.cpuNs + cpu.server.waitNs) / (window.ok * MEAN_LATENCY.inLaunch([slice]));
});

/**
 * The topology with the fewest processes among those that the fastest one is not shown to beat, and how many times as
 * much the fastest one answers, within launches; null if nothing was measured, or only one launch, which can show nothing.
 * @param cells those with the fewest processes first
 */
function fewestNeeded(record: RunRecord, cells: readonly CellSummary[]) {
  const ranked = cells.filter(({ rank }) => rank !== null);
  const perS = (cell: CellSummary) => pointOf(estimateOf(cell, THROUGHPUT)) ?? 0;
  const [fastest] = ranked.toSorted((a, b) => perS(b) - perS(a));
  if (fastest === undefined) return null;
  const others = ranked.filter((each) => each !== fastest);
  const pairs = others.map(({ topology, slices }) => {
    return { topology, sides: sidesOf(fastest.slices, slices, THROUGHPUT) };
  });
  const compared = compare(pairs, rulesOf(record, 'more'));
  if (compared.some(({ comparison }) => comparison.difference.kind !== 'interval')) return null;
  const fewest = compared.find(({ topology, comparison }) => {
    return comparison.verdict !== 'faster' && topology.processes < fastest.topology.processes;
  });
  const { topology } = fewest ?? fastest;
  return { topology, times: pointOf(fewest?.comparison.ratio) ?? 1, fastest: fastest.topology };
}

/** What happens to requests if far more are under way than can be answered in time, in the windows of all launches. */
export type Overload = NonNullable<ReturnType<typeof summarizeOverload>>;

/** The overload of a run, for each topology of each target; null for a run without one. */
export function summarizeOverload({ record, conditions }: Summary, scaling: Scaling | null) {
  const load = record.plan.loads.find(({ id }) => id === OVERLOAD);
  if (load?.kind !== 'closed') return null;
  const cells = conditions.flatMap((each) => (each.load === load ? each.cells : []));
  const rows = record.targets.flatMap((target) => {
    const scaled = scaling?.targets.find((each) => each.target === target);
    // The service time under another load is no bound here: with pipelining it may be less.
    const serviceNs = scaled?.service.from === 'alone' ? pointOf(scaled.service.ns) : null;
    return fewestFirst(cells.filter((cell) => cell.target === target)).map((summary) => {
      const { topology, slices } = summary;
      const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
      const queue = serviceNs && queueIn(summary, load, serviceNs);
      /** The most that could be answered in the windows, by the bounds; null if the service time is no bound. */
      const possible = queue ? (mostThroughput(queue) * windowsNs) / 1e9 : null;
      const outcomes = outcomesOf(slices);
      const feasible = scaled?.steps.find((each) => each.topology === topology);
      const workPerAnswer = feasible ? workPerAnswerOf(slices, outcomes, feasible) : null;
      return { ...summary, windowsNs, outcomes, possible, workPerAnswer };
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
 * The work of the server, in requests' worth of CPU time by what a request takes if all are answered, over the answers.
 * More than 1 means work for clients that had left or given up. Null if no request was given up: nothing was wasted.
 */
function workPerAnswerOf(
  slices: Slice[],
  { answered, timedOut, disconnected }: ReturnType<typeof outcomesOf>,
  feasible: CellSummary,
): number | null {
  const each = pointOf(estimateOf(feasible, CPU));
  if (timedOut + disconnected === 0 || answered === 0 || each === null) return null;
  return sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs) / each / answered;
}
