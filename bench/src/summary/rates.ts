import { median } from 'simple-statistics';
import { busyOf, slicesOf, sum } from '../figures/figures.ts';
import { isOnSchedule } from '../figures/on-schedule.ts';
import { servicesIn } from '../figures/services.ts';
import type { Sample } from '../load/measurement.ts';
import { LONE_SHARE, type OpenLoad } from '../plan/loads.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { ServiceName } from '../services/index.ts';
import type { Target } from '../targets/targets.ts';
import { type OverheadTable, overheadsOf } from './comparisons.ts';
import { type CellSummary, type Condition, cellAt } from './conditions.ts';

/** What open loops show: how latency, CPU time and memory depend on the rate. */
export interface RateSummary {
  /** From the lowest rate on. */
  loads: OpenLoad[];
  curves: Curve[];
  /** Of all slices, those in which the generator was late: they are left out of latency. */
  slices: { all: number; late: number };
  /** Read where they are unbiased; null where no rate is low enough for that. */
  overheads: OverheadTable | null;
}

/** One target in one topology, rate by rate. */
export interface Curve {
  target: Target;
  topology: Topology;
  /** In the order of the loads. */
  points: RatePoint[];
  knee: Knee | null;
}

/** What a rate came to. */
export interface RatePoint {
  load: OpenLoad;
  summary: CellSummary;
  /** In the median second; null where there was none. */
  use: Use | null;
}

/** What processes use at a rate. */
export interface Use {
  /** CPU time over time: of one core. */
  cores: { server: number; manager: number };
  bytes: { server: number; manager: number };
  /** Each service that it needs, and what all of it comes to. */
  services: { name: ServiceName; cores: number; bytes: number }[];
  total: { cores: number; bytes: number };
}

/** Where more load begins to cost more latency than it brings throughput. */
export interface Knee {
  load: OpenLoad;
  /** No lower or no higher rate was measured, so that the knee may be beyond. */
  at: 'inside' | 'lowest' | 'highest';
}

/** What a run at rates shows, of all of them or of those loads alone; null where there is none. */
export function summarizeRates(
  record: RunRecord,
  conditions: Condition[],
  ids: readonly string[] = record.plan.loads.map(({ id }) => id),
): RateSummary | null {
  const { topologies } = record.plan;
  const loads = record.plan.loads
    .filter((load) => load.kind === 'open')
    .filter(({ id }) => ids.includes(id));
  if (loads.length === 0) return null;
  const curves = topologies.flatMap((topology) => {
    return record.targets.map((target): Curve => {
      const points = loads.flatMap((load): RatePoint[] => {
        const summary = cellAt(conditions, { target, topology, load });
        return summary ? [{ load, summary, use: useOf(slicesOf(record, summary.cell)) }] : [];
      });
      return { target, topology, points, knee: kneeOf(points) };
    });
  });
  const own = conditions.filter(({ load }) => loads.some(({ id }) => id === load.id));
  const taken = own.flatMap(({ cells }) => cells.flatMap(({ cell }) => slicesOf(record, cell)));
  const late = taken.filter((slice) => !isOnSchedule(slice)).length;
  const slices = { all: taken.length, late };
  return { loads, curves, slices, overheads: loneOverheads(record, own) };
}

/** The median over the seconds of all slices. */
function useOf(slices: Slice[]): Use | null {
  const seconds = slices.flatMap(({ measurement }) => measurement.series);
  if (seconds.length === 0) return null;
  const typical = (of: (second: Sample) => number) => median(seconds.map(of));
  const used = (of: (second: Sample, what: 'cpuNs' | 'bytes') => number) => {
    return {
      cores: typical((second) => of(second, 'cpuNs') / second.ns),
      bytes: typical((second) => of(second, 'bytes')),
    };
  };
  const server = used((second, what) => second[what].server);
  const manager = used((second, what) => second[what].manager);
  return {
    cores: { server: server.cores, manager: manager.cores },
    bytes: { server: server.bytes, manager: manager.bytes },
    services: servicesIn(seconds).map((name) => {
      return { name, ...used(({ services }, what) => services[name]?.[what] ?? 0) };
    }),
    total: used((second, what) => {
      const own = second[what].server + second[what].manager;
      return own + sum(Object.values(second.services), (each) => each[what]);
    }),
  };
}

/**
 * The rate with the most power, throughput over mean latency (Kleinrock, "Power and deterministic
 * rules of thumb for probabilistic problems in computer communications", 1979); null with fewer than
 * three rates.
 */
function kneeOf(points: RatePoint[]): Knee | null {
  const powers = points.flatMap(({ load, summary: { outcome } }) => {
    if (outcome.state !== 'measured') return [];
    const mean = outcome.figures.latency?.mean;
    return [{ load, power: mean?.kind === 'known' ? load.ratePerS / mean.ns : 0 }];
  });
  const index = powers.reduce((best, { power }, at) => {
    return power > (powers[best]?.power ?? 0) ? at : best;
  }, 0);
  const found = powers[index];
  if (found === undefined || powers.length < FEWEST_RATES || found.power === 0) return null;
  const at = index === 0 ? 'lowest' : index === powers.length - 1 ? 'highest' : 'inside';
  return { load: found.load, at };
}

const FEWEST_RATES = 3;

/** At the highest rate at which every single process still handles requests alone. */
function loneOverheads(record: RunRecord, conditions: Condition[]): OverheadTable | null {
  const isLone = ({ cells }: Condition) => {
    return cells.every(({ cell }) => busyOf(slicesOf(record, cell)) < LONE_SHARE);
  };
  const tables = conditions
    .filter((each) => isPlain(each.topology) && isLone(each))
    .map((each) => overheadsOf(record, each));
  return tables.findLast((table) => table !== null) ?? null;
}
