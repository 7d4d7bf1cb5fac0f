import { CPU, MEAN_LATENCY, meanFigure, samples, sidesOf, THROUGHPUT } from '../figures/figures.ts';
import { leastResponse, mostThroughput, type Queue } from '../math/bounds.ts';
import { estimate, inEachLaunch, pointOf } from '../math/statistics.ts';
import { compare } from '../math/verdicts.ts';
import { type ClosedLoad, underWayOf } from '../plan/loads.ts';
import { coresOf, plainest, type Topology } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { ALONE, FEASIBLE } from './cluster-loads.ts';
import type { TopologyTable } from './comparisons.ts';
import { type CellSummary, type Condition, cellAt } from './conditions.ts';

/** What more processes do for each target, beside the bounds of a closed queue. */
export type Scaling = NonNullable<ReturnType<typeof summarizeScaling>>;
/** One target in all topologies. */
export type TargetScaling = Scaling['targets'][number];
/** One topology of a target. */
export type ScalingStep = TargetScaling['steps'][number];

/** The scaling under the feasible load, from requests that come alone; null for a run without these loads. */
export function summarizeScaling(
  record: RunRecord,
  conditions: Condition[],
  table: TopologyTable | null,
) {
  const { loads, topologies } = record.plan;
  const load = loads.find(({ id }) => id === FEASIBLE);
  if (load?.kind !== 'closed') return null;
  const targets = record.targets.map((target) => {
    const slicesUnder = (id: string) => {
      const under = loads.find((each) => each.id === id);
      const [plain] = plainest(topologies);
      const found = under && plain && cellAt(conditions, { target, topology: plain, load: under });
      return found?.slices ?? [];
    };
    const service = serviceOf(slicesUnder(ALONE), slicesUnder(FEASIBLE));
    const serviceNs = pointOf(service.ns);
    const speedUps = table?.rows.find((row) => row.target === target)?.entries ?? [];
    const steps = topologies.flatMap((topology) => {
      const summary = cellAt(conditions, { target, topology, load });
      if (summary === undefined) return [];
      const queueOf = (ns: number) => queueIn(record, { target, topology, load }, ns);
      const queue = serviceNs === null ? null : queueOf(serviceNs);
      const sides = { own: samples(summary.slices, THROUGHPUT), other: service.perLaunch };
      const reached = inEachLaunch(sides, (perS, ns) => perS / mostThroughput(queueOf(ns)));
      return [
        {
          topology,
          summary,
          predicted: queue && {
            throughput: mostThroughput(queue),
            responseNs: leastResponse(queue),
          },
          /** Throughput over the predicted one, within launches. */
          reached: estimate(reached),
          /** Throughput over that of the plain process; null for the plain process, and without one. */
          speedUp: speedUps.find((entry) => entry.topology === topology)?.speedUp ?? null,
        },
      ];
    });
    const cells = steps.map(({ summary }) => summary);
    return { target, service, steps, wants: fewestNeeded(record, cells) };
  });
  /** Cores that the largest topology may use. */
  const cores = Math.max(...topologies.map((topology) => coresOf(topology, record.machine)));
  return { load, cores, targets };
}

/** The closed queue at a target's CPU, for requests that take so long, ns. */
export function queueIn(
  { machine }: Pick<RunRecord, 'machine'>,
  { target, topology, load }: { target: Target; topology: Topology; load: ClosedLoad },
  serviceNs: number,
): Queue {
  const cores = Math.min(coresOf(topology, machine), target.cpuLimit ?? Number.POSITIVE_INFINITY);
  // No more requests are served at once than there are processes that find a core.
  const servers = Math.min(topology.processes, cores);
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
 * The topology with the fewest processes among those that the fastest one is not shown to beat; null if nothing was
 * measured, or only one launch, which can show nothing.
 */
function fewestNeeded(record: RunRecord, cells: readonly CellSummary[]): Topology | null {
  const measured = cells.flatMap(({ topology, slices, outcome, rank }) => {
    if (outcome.state !== 'measured' || rank === null) return [];
    return [{ topology, slices, perS: pointOf(outcome.figures.throughput) ?? 0 }];
  });
  const [fastest] = measured.toSorted((a, b) => b.perS - a.perS);
  if (fastest === undefined) return null;
  const pairs = measured.map(({ slices }) => ({
    sides: sidesOf(fastest.slices, slices, THROUGHPUT),
  }));
  const compared = compare(pairs, { better: 'more', equivalence: record.plan.equivalence });
  if (compared.some(({ ratio }) => ratio.kind !== 'interval')) return null;
  const enough = measured.filter((_, index) => compared[index]?.verdict !== 'faster');
  const [fewest] = enough.toSorted((a, b) => a.topology.processes - b.topology.processes);
  return fewest?.topology ?? null;
}
