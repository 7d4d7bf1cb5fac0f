import {
  CPU,
  type Figure,
  MEAN_LATENCY,
  meanFigure,
  samples,
  sidesOf,
  slicesOf,
  THROUGHPUT,
} from '../figures/figures.ts';
import { leastResponse, mostThroughput, type Queue, serversOf } from '../math/bounds.ts';
import { type Estimate, estimate, inEachLaunch, pointOf } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import { type ClosedLoad, underWayOf } from '../plan/loads.ts';
import { coresOf, plainest, type Topology } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { ALONE, FEASIBLE } from './cluster-loads.ts';
import type { TopologyTable } from './comparisons.ts';
import { type CellSummary, type Condition, cellAt } from './conditions.ts';

/** What more processes do for each target, beside what the bounds of a closed queue predict. */
export interface Scaling {
  load: ClosedLoad;
  /** Cores that the largest topology may use. */
  cores: number;
  targets: TargetScaling[];
}

/** One target through all topologies. */
export interface TargetScaling {
  target: Target;
  service: Service;
  steps: ScalingStep[];
  /** The fewest processes than which no others are shown to be faster; null where nothing was measured. */
  wants: Topology | null;
}

/** What a request takes of the CPU, from which everything is predicted. */
export interface Service {
  /**
   * `alone`: how long one request takes, alone with the server. Where that is not all CPU time, as in
   * a server that answers at once, it is no service time; then it is the CPU time that one takes of
   * the plain process `under load`, the service demand (D = U / X).
   */
  from: 'alone' | 'under load';
  ns: Estimate;
  /** CPU time, and time spent waiting for a core, over the time that a request takes, alone; null where unknown. */
  busyShare: number | null;
}

/** One topology of a target. */
export interface ScalingStep {
  topology: Topology;
  summary: CellSummary;
  predicted: { throughput: number; responseNs: number } | null;
  /** Throughput over the predicted one, within launches. */
  reached: Estimate;
  /** Throughput over that of the plain process; null where there is no other such. */
  speedUp: Comparison | null;
}

/** A request that keeps the CPU busy for a smaller share of its time, alone, waits for something else. */
const CPU_BOUND_SHARE = 0.8;

/** What the feasible load of a run shows, and requests that come alone; null in runs without them. */
export function summarizeScaling(
  record: RunRecord,
  conditions: Condition[],
  table: TopologyTable | null,
): Scaling | null {
  const { loads, topologies } = record.plan;
  const load = loads.find(({ id }) => id === FEASIBLE);
  if (load?.kind !== 'closed') return null;
  const targets = record.targets.map((target): TargetScaling => {
    const slicesUnder = (id: string) => {
      const under = loads.find((each) => each.id === id);
      const [plain] = plainest(topologies);
      const found = under && plain && cellAt(conditions, { target, topology: plain, load: under });
      return found ? slicesOf(record, found.cell) : [];
    };
    const basis = serviceBasisOf(slicesUnder(ALONE), slicesUnder(FEASIBLE));
    const perLaunch = samples(basis.slices, basis.figure);
    const service = { ...basis, ns: estimate(perLaunch) };
    const serviceNs = pointOf(service.ns);
    const speedUps = table?.rows.find((row) => row.target === target)?.entries ?? [];
    const steps = topologies.flatMap((topology): ScalingStep[] => {
      const summary = cellAt(conditions, { target, topology, load });
      if (summary === undefined) return [];
      const queueOf = (ns: number) => queueIn(record, { target, topology, load }, ns);
      const reached = samples(slicesOf(record, summary.cell), THROUGHPUT);
      const predicted = serviceNs === null ? null : queueOf(serviceNs);
      return [
        {
          topology,
          summary,
          predicted: predicted && {
            throughput: mostThroughput(predicted),
            responseNs: leastResponse(predicted),
          },
          reached: estimate(
            inEachLaunch({ own: reached, other: perLaunch }, (perS, ns) => {
              return perS / mostThroughput(queueOf(ns));
            }),
          ),
          speedUp: speedUps.find((entry) => entry.topology === topology)?.speedUp ?? null,
        },
      ];
    });
    return { target, service, steps, wants: fewestNeeded(record, steps) };
  });
  const cores = Math.max(...topologies.map((topology) => coresOf(topology, record.machine)));
  return { load, cores, targets };
}

/** The closed queue at a target's CPU, where a request takes so long, ns. */
export function queueIn(
  { machine }: Pick<RunRecord, 'machine'>,
  { target, topology, load }: { target: Target; topology: Topology; load: ClosedLoad },
  serviceNs: number,
): Queue {
  const cores = Math.min(coresOf(topology, machine), target.cpuLimit ?? Number.POSITIVE_INFINITY);
  const servers = serversOf(topology.processes, cores);
  return { serviceNs, servers, inFlight: underWayOf(load) };
}

/** Where predictions start from: slices, and the service time that they show. */
interface ServiceBasis extends Pick<Service, 'from' | 'busyShare'> {
  slices: Slice[];
  figure: Figure;
}

function serviceBasisOf(alone: Slice[], feasible: Slice[]): ServiceBasis {
  const busyShare = pointOf(estimate(samples(alone, WANTED_SHARE)));
  return busyShare !== null && busyShare >= CPU_BOUND_SHARE
    ? { from: 'alone', busyShare, slices: alone, figure: MEAN_LATENCY }
    : { from: 'under load', busyShare, slices: feasible, figure: CPU };
}

/** How long the server used the CPU or waited for it, over how long its requests took. */
const WANTED_SHARE = meanFigure('cpu', 'more', (slice) => {
  const { cpu, window } = slice.measurement;
  return (cpu.server.cpuNs + cpu.server.waitNs) / (window.ok * MEAN_LATENCY.inLaunch([slice]));
});

/**
 * The fewest processes than which the fastest topology is not shown to be faster; null where one
 * launch can show nothing.
 */
function fewestNeeded(record: RunRecord, steps: ScalingStep[]): Topology | null {
  const measured = steps.flatMap(({ topology, summary: { cell, outcome, rank } }) => {
    if (outcome.state !== 'measured' || rank === null) return [];
    const perS = pointOf(outcome.figures.throughput) ?? 0;
    return [{ topology, perS, slices: slicesOf(record, cell) }];
  });
  const [fastest] = measured.toSorted((a, b) => b.perS - a.perS);
  if (fastest === undefined) return null;
  const compared = compare(
    measured.map(({ slices }) => ({
      sides: sidesOf(fastest.slices, slices, THROUGHPUT),
      isLowerBound: NEITHER,
    })),
    { better: 'more', equivalence: record.plan.equivalence },
  );
  const isUnknown = compared.some(({ ratio }) => ratio.kind !== 'interval');
  if (isUnknown) return null;
  const enough = measured.filter((_, index) => compared[index]?.verdict !== 'faster');
  const [fewest] = enough.toSorted((a, b) => a.topology.processes - b.topology.processes);
  return fewest?.topology ?? null;
}
