import { median } from 'simple-statistics';
import { busyOf, sum } from '../figures/figures.ts';
import { isOnSchedule } from '../figures/latency.ts';
import { servicesIn } from '../figures/services.ts';
import type { Sample } from '../load/measurement.ts';
import { type OpenLoad, SINGLE_REQUEST_SHARE } from '../plan/loads.ts';
import { isPlain } from '../plan/topology.ts';
import type { Slice } from '../record/record.ts';
import { overheadsOf } from './comparisons.ts';
import type { CellSummary, Condition, Summary } from './summary.ts';

export type RateSummary = NonNullable<ReturnType<typeof summarizeRates>>;
/** One target in one topology at all rates. */
export type Curve = RateSummary['curves'][number];
/** A target at one rate. */
export type RatePoint = Curve['points'][number];
export type Use = NonNullable<ReturnType<typeof useOf>>;

/** The summary of the rates among these conditions of a run; null if there is none. */
export function summarizeRates({ record, conditions }: Summary) {
  /** In the order of the loads. */
  const all = conditions.flatMap(({ load, cells }) => {
    if (load.kind !== 'open') return [];
    return cells.map((cell) => ({ ...cell, load, use: useOf(cell.slices) }));
  });
  if (all.length === 0) return null;
  /** From the lowest rate on. */
  const loads = [...new Set(all.map(({ load }) => load))];
  const curves = record.plan.topologies.flatMap((topology) => {
    return record.targets.map((target) => {
      const points = all.filter((each) => each.target === target && each.topology === topology);
      return { target, topology, points, knee: kneeOf(points) };
    });
  });
  const measured = all.flatMap((point) => point.slices);
  const late = measured.filter((slice) => !isOnSchedule(slice));
  /** The number of slices, and of those in which the generator was late: these are left out of latency. */
  const slices = { all: measured.length, late: late.length };
  return { record, loads, curves, slices, overheads: singleRequestOverheads(conditions) };
}

/** The median over the seconds of all slices; null without any. */
function useOf(slices: Slice[]) {
  const seconds = slices.flatMap(({ measurement }) => measurement.series);
  if (seconds.length === 0) return null;
  const typical = (of: (second: Sample) => number) => median(seconds.map(of));
  /** CPU time over time, of one core, and memory. */
  const used = (of: (second: Sample, what: 'cpuNs' | 'bytes') => number) => ({
    cores: typical((second) => of(second, 'cpuNs') / second.ns),
    bytes: typical((second) => of(second, 'bytes')),
  });
  return {
    server: used((second, what) => second[what].server),
    manager: used((second, what) => second[what].manager),
    services: servicesIn(seconds).map((name) => {
      return { name, ...used(({ services }, what) => services[name]?.[what] ?? 0) };
    }),
    /** With all services. */
    total: used((second, what) => {
      const own = second[what].server + second[what].manager;
      return own + sum(Object.values(second.services), (each) => each[what]);
    }),
  };
}

const FEWEST_RATES = 3;

/**
 * Beyond the knee more load costs more latency than it adds throughput: it is the rate with the most power, throughput
 * over mean latency (Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer
 * communications", 1979). Null below three rates. If it is the lowest or the highest, the true knee may be beyond.
 */
function kneeOf(points: readonly (CellSummary & { load: OpenLoad })[]) {
  const powers = points.flatMap(({ load, figures }) => {
    if (figures === null) return [];
    const mean = figures.latency?.mean;
    return [{ load, power: mean?.kind === 'known' ? load.ratePerS / mean.ns : 0 }];
  });
  const [most] = powers.toSorted((a, b) => b.power - a.power);
  if (most === undefined || powers.length < FEWEST_RATES || most.power === 0) return null;
  const at: 'inside' | 'lowest' | 'highest' =
    most === powers[0] ? 'lowest' : most === powers.at(-1) ? 'highest' : 'inside';
  return { load: most.load, at };
}

/** Read at the highest rate at which every single process still handles requests alone; null if there is none. */
function singleRequestOverheads(conditions: readonly Condition[]) {
  const isRead = ({ load, topology, cells }: Condition) => {
    const isSingle = cells.every(({ slices }) => busyOf(slices) < SINGLE_REQUEST_SHARE);
    return load.kind === 'open' && isPlain(topology) && isSingle;
  };
  const tables = conditions.filter(isRead).map(overheadsOf);
  return tables.findLast((table) => table !== null) ?? null;
}
