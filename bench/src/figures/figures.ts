import { median } from 'simple-statistics';
import { answersOf, type Measurement } from '../load/measurement.ts';
import { plus } from '../math/counters.ts';
import { type Estimate, estimate, ratio, type Sides } from '../math/statistics.ts';
import type { Rules } from '../math/verdicts.ts';
import type { HeadlineName, Load } from '../plan/loads.ts';
import { type Cell, cellOf, loadOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { isSameRuntime } from '../targets/runtime.ts';
import { histogramOf, latencyOf, type TimeName } from './latency.ts';

/** The figures of a cell. Times in ns, memory in bytes, throughput in requests/s. */
export type Figures = ReturnType<typeof figuresOf>;

export function figuresOf(
  { slices, load }: { slices: readonly Slice[]; load: Load },
  floorSlices: readonly Slice[],
) {
  const of = (figure: Figure) => estimate(samples(slices, figure));
  const ofEach = ({ inLaunch }: Figure) => slices.map((slice) => inLaunch([slice]));
  const memory = slices.map(({ measurement }) => measurement.memory);
  const { window, ledger, requests } = slices
    .map(({ measurement: { window, ledger, requests } }) => ({ window, ledger, requests }))
    .reduce((all, each) => plus(all, each));
  const responses = answersOf(window);
  return {
    slices: slices.length,
    headline: of(headlineOf(load)),
    throughput: of(THROUGHPUT),
    bytesPerSecond: of(BYTE_RATE),
    /** Of the server's processes, for each response. */
    cpuPerRequest: of(CPU),
    /** CPU per request over that of the floor, in the same topology under the same load. */
    timesFloor: ratio(sidesOf(slices, floorSlices, CPU)),
    latency: latencyOf(slices, load),
    perSlice: { throughput: ofEach(THROUGHPUT), bytesPerSecond: ofEach(BYTE_RATE) },
    /** Answered as declared inside the windows. */
    ok: window.ok,
    /** Read inside the windows. */
    bytes: window.bytes,
    /** Head and body of a response; null without responses. */
    bytesPerResponse: responses === 0 ? null : window.bytes / responses,
    /** Wrong status, wrong body, or lost with their connection. */
    errors: window.wrongStatus + window.wrongBody + window.disconnected,
    timeouts: window.timedOut,
    /** Inside the windows, by request; empty if there is only one. */
    requests,
    /** Over whole slices: answered as declared, of all that were sent. */
    answered: { ok: ledger.ok, sent: ledger.sent },
    /** In the median slice; null for a server whose processes are unknown. */
    memory: {
      server: slices.some(hasProcesses) ? median(memory.map(({ server }) => server)) : null,
      manager: median(memory.map(({ manager }) => manager)),
    },
    /** The peak of the server's processes since their start. */
    peakMemory: of(PEAK),
  };
}

/** Whether the server's processes are known; those of an external server may not be. */
export function hasProcesses({ measurement }: Slice): boolean {
  return measurement.workersCpuNs.length > 0;
}

/** What of a cell a figure is about, and what a flag can spoil. */
export type Aspect = 'throughput' | 'latency' | 'cpu' | 'memory';

export interface Figure {
  aspect: Aspect;
  better: 'more' | 'less';
  /** The figure of the slices of one launch together; not finite if it is unknown. */
  inLaunch: (slices: readonly Slice[]) => number;
  /** Whether in some launch only a lower bound of it is known; never if this is left out. */
  isBound?: (slices: readonly Slice[]) => boolean;
}

/** A figure that is the sum of one thing over the slices of a launch, divided by that of another. */
export function ratioOfSums(
  aspect: Aspect,
  better: Figure['better'],
  of: (measurement: Measurement) => number,
  over: (measurement: Measurement) => number,
  unit = 1,
): Figure {
  const total = (slices: readonly Slice[], value: typeof of) => {
    return sum(slices, ({ measurement }) => value(measurement));
  };
  return { aspect, better, inLaunch: (slices) => (total(slices, of) / total(slices, over)) * unit };
}

/** A figure of each slice by itself; that of a launch is their mean. */
export function meanFigure(aspect: Aspect, better: Figure['better'], of: (slice: Slice) => number) {
  const inLaunch = (slices: readonly Slice[]) => {
    const known = slices.map(of).filter(Number.isFinite);
    return sum(known, (each) => each) / known.length;
  };
  return { aspect, better, inLaunch };
}

/** Requests answered as declared, per second of the window. */
export const THROUGHPUT = perSecond(({ window }) => window.ok);

const BYTE_RATE = perSecond(({ window }) => window.bytes);

function perSecond(of: (measurement: Measurement) => number): Figure {
  return ratioOfSums('throughput', 'more', of, ({ windowNs }) => windowNs, 1e9);
}

/** CPU time of the server's processes per response, ns: all, whichever server had the load, minus their idle use. */
export const CPU: Figure = {
  aspect: 'cpu',
  better: 'less',
  inLaunch: (slices) => {
    if (!slices.every(hasProcesses)) return Number.NaN;
    const blocks = slices.flatMap(({ measurement }) => {
      return measurement.blocks.map(({ chargedNs, ns, answers }) => {
        return { ownNs: chargedNs - (measurement.idleNsPerS * ns) / 1e9, answers };
      });
    });
    return sum(blocks, ({ ownNs }) => ownNs) / sum(blocks, ({ answers }) => answers);
  },
};

/** The mean latency of the requests answered as declared, ns. */
export const MEAN_LATENCY: Figure = {
  aspect: 'latency',
  better: 'less',
  inLaunch: (slices) => {
    const { mean } = histogramOf(slices);
    return mean > 0 ? mean * 1000 : Number.NaN;
  },
};

/** The peak memory of the server's processes, bytes. */
export const PEAK: Figure = {
  aspect: 'memory',
  better: 'less',
  inLaunch: (slices) => {
    const known = slices.filter(hasProcesses);
    return Math.max(...known.flatMap(({ measurement: { peak } }) => peak?.server ?? []));
  },
};

/** Memory of the server's processes after a slice, bytes. */
export const MEMORY = meanFigure('memory', 'less', (slice) => {
  return hasProcesses(slice) ? slice.measurement.memory.server : Number.NaN;
});

/** A quantile of the latency in slices of a cell, or its mean, ns; a lower bound if requests had no answer. */
export function latencyQuantile(name: TimeName, { plan }: RunRecord): Figure {
  const timeIn = (slices: readonly Slice[]) => {
    const [first] = slices;
    return first && latencyOf(slices, loadOf(plan, cellOf(plan, first.cell).load))?.[name];
  };
  return {
    aspect: 'latency',
    better: 'less',
    inLaunch: (slices) => timeIn(slices)?.ns ?? Number.NaN,
    isBound: (slices) => {
      const launches = Map.groupBy(slices, ({ launch }) => launch);
      return [...launches.values()].some((own) => timeIn(own)?.kind === 'above');
    },
  };
}

export const HEADLINES: Record<HeadlineName, Figure> = { throughput: THROUGHPUT, cpu: CPU };

/** The figure that a load is there for: requests/s; under the cost load and at a rate CPU per request. */
export function headlineOf({ headline }: Load): Figure {
  return HEADLINES[headline];
}

/** CPU time of the server over time, in the median slice; 0 without slices. */
export function busyOf(slices: Slice[]): number {
  if (slices.length === 0) return 0;
  return median(slices.map(({ measurement: { cpu, windowNs } }) => cpu.server.cpuNs / windowNs));
}

/** The floor of a cell: what others are built on, with the same limits in its condition, if possible on its runtime. */
export function floorCellOf({ targets, plan }: RunRecord, { target, topology, load }: Cell) {
  const own = targets.find(({ name }) => name === target);
  const bases = new Set(targets.map(({ over }) => over));
  const floors = targets.filter(({ name, over, cpuLimit, memoryLimit }) => {
    const isAlike = cpuLimit === own?.cpuLimit && memoryLimit === own.memoryLimit;
    return over === null && bases.has(name) && isAlike;
  });
  const runtime = own?.runtime ?? null;
  const floor = floors.find((each) => isSameRuntime(each.runtime, runtime)) ?? floors[0];
  return plan.cells.find((each) => {
    return each.target === floor?.name && each.topology === topology && each.load === load;
  });
}

/** Fewer launches give no useful interval: t is 12.7 with two of them, and 4.3 with three. */
export const FEWEST_LAUNCHES = 3;

/** By what the comparisons of a run are judged; in a run of fewer launches, two servers need all of them in common. */
export function rulesOf({ plan, slices }: RunRecord, better: Figure['better']): Rules {
  const fewest = Math.min(FEWEST_LAUNCHES, launchesOf(slices).size);
  return { better, equivalence: plan.equivalence, fewest };
}

/** The slices of a cell that count: its server did not fail in their launch and, if enough are left, had settled. */
export function slicesOf(record: RunRecord, cell: Cell): Slice[] {
  const all = allSlicesOf(record, cell);
  const settled = all.filter((slice) => hadSettled(record, cell, slice));
  return launchesOf(settled).size >= FEWEST_LAUNCHES ? settled : all;
}

/** The slices of a cell, whether its server had settled or not; without launches in which that failed. */
export function allSlicesOf({ failures, slices }: RunRecord, cell: Cell): Slice[] {
  const failed = launchesOf(failures.filter(({ server }) => server === cell.server));
  return slices.filter((slice) => slice.cell === cell.id && !failed.has(slice.launch));
}

/** Whether the server had settled before a slice, by its lead-in or else its warm-up; true if neither was looked at. */
export function hadSettled(record: RunRecord, cell: Cell, slice: Slice): boolean {
  const { hasSettled } = slice.measurement.leadIn;
  return hasSettled ?? warmupOf(record, cell, slice.launch)?.outcome !== 'capped';
}

/**
 * The warm-up of a cell's server in a launch. A server that several groups start has one in each, in their order; if
 * one is missing, any that was capped stands for all.
 */
function warmupOf({ plan, warmups }: RunRecord, { id, server }: Cell, launch: number) {
  const own = warmups.filter((each) => each.server === server && each.launch === launch);
  if (own.length < 2) return own[0];
  const groups = (plan.launches[launch] ?? []).filter(({ cells }) => {
    return cells.some((each) => cellOf(plan, each).server === server);
  });
  const place = groups.findIndex(({ cells }) => cells.includes(id));
  const capped = own.find(({ outcome }) => outcome === 'capped');
  return own.length === groups.length ? own[place] : (capped ?? own[0]);
}

/** A figure in each launch in which it is known. */
export function samples(slices: readonly Slice[], { inLaunch }: Pick<Figure, 'inLaunch'>) {
  return [...Map.groupBy(slices, ({ launch }) => launch)]
    .map(([launch, own]) => ({ launch, value: inLaunch(own) }))
    .filter(({ value }) => Number.isFinite(value));
}

/** A figure of a cell over all launches that count. */
export function figureOf(record: RunRecord, cell: Cell, figure: Figure): Estimate {
  return estimate(samples(slicesOf(record, cell), figure));
}

export function sidesOf(own: readonly Slice[], other: readonly Slice[], figure: Figure): Sides {
  return { own: samples(own, figure), other: samples(other, figure) };
}

export function launchesOf(items: readonly { launch: number }[]): Set<number> {
  return new Set(items.map(({ launch }) => launch));
}

/** Answered in a slice's window, as declared or not. */
export function responsesOf({ measurement }: Slice): number {
  return answersOf(measurement.window);
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** What a CPU limit did to a server in the windows of all these slices; null without a limit, and without a period. */
export function throttlingShares(slices: readonly Slice[]) {
  const limited = slices.flatMap(({ measurement: { throttling, windowNs } }) => {
    return throttling === null ? [] : [{ ...throttling, windowNs }];
  });
  if (limited.every(({ periods }) => periods === 0)) return null;
  const all = limited.reduce((a, b) => plus(a, b));
  return {
    /** Of all periods, those in which it was throttled; 0 if the limit was never reached. */
    periodsShare: all.throttledPeriods / all.periods,
    /** How long its threads were held back, over time; one that waits for two cores counts twice. */
    timeShare: all.throttledNs / all.windowNs,
  };
}
