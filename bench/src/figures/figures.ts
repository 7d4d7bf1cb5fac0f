import { median } from 'simple-statistics';
import type { Answers } from '../load/measurement.ts';
import { type Estimate, estimate, ratio, type Sample, type Sides } from '../math/statistics.ts';
import type { HeadlineName, Load } from '../plan/loads.ts';
import { type Cell, loadOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { isSameRuntime } from '../targets/runtime.ts';
import { type CensoringRule, histogramOf, type Latency, latencyOf } from './latency.ts';
import { onScheduleOf } from './on-schedule.ts';

/** What a cell's slices say. Times in ns, memory in bytes, throughput in requests/s. */
export interface Figures {
  slices: number;
  throughput: Estimate;
  bytesPerSecond: Estimate;
  /** Of the server's processes, for each response. */
  cpuPerRequest: Estimate;
  /** CPU per request over that of the floor, in the same topology under the same load. */
  timesFloor: Estimate;
  latency: Latency | null;
  /** Requests/s and bytes/s of every slice. */
  perSlice: { throughput: number[]; bytesPerSecond: number[] };
  /** Inside the windows. */
  ok: number;
  bytes: number;
  /** Bytes of head and body for each response, or null when there was none. */
  bytesPerResponse: number | null;
  /** Wrong status, wrong body, or lost with their connection. */
  errors: number;
  timeouts: number;
  /** Inside the windows, by request; empty where there is but one. */
  requests: Answers[];
  /** Over whole slices: answered as declared, of all that were sent. */
  answered: { ok: number; sent: number };
  /** Of the server null where its processes are not known. */
  memory: { server: number | null; manager: number };
  /** Of the server's processes from their start on, bytes. */
  peakMemory: Estimate;
}

/** The figures of a cell that has slices. */
export function figuresOf(record: RunRecord, cell: Cell, slices: Slice[]): Figures {
  const floorCell = floorCellOf(record, cell);
  const of = (figure: Figure) => estimate(samples(slices, figure));
  const eachSlice = ({ inLaunch }: Figure) => slices.map((slice) => inLaunch([slice]));
  const windows = slices.map(({ measurement }) => measurement.window);
  const ledgers = slices.map(({ measurement }) => measurement.ledger);
  const memory = slices.map((slice) => slice.measurement.memory);
  const responses = sum(slices, responsesOf);
  const bytes = sum(windows, (window) => window.bytes);
  return {
    slices: slices.length,
    throughput: of(THROUGHPUT),
    bytesPerSecond: of(BYTE_RATE),
    cpuPerRequest: of(CPU),
    timesFloor: floorCell
      ? ratio(sidesOf(slices, slicesOf(record, floorCell), CPU))
      : { kind: 'none' },
    latency: latencyOf(onScheduleOf(slices), censoringOf(loadOf(record.plan, cell.load))),
    perSlice: { throughput: eachSlice(THROUGHPUT), bytesPerSecond: eachSlice(BYTE_RATE) },
    ok: sum(windows, ({ ok }) => ok),
    bytes,
    bytesPerResponse: responses === 0 ? null : bytes / responses,
    errors: sum(windows, (window) => window.wrongStatus + window.wrongBody + window.disconnected),
    timeouts: sum(windows, ({ timedOut }) => timedOut),
    requests: requestsOf(slices),
    answered: { ok: sum(ledgers, ({ ok }) => ok), sent: sum(ledgers, ({ sent }) => sent) },
    memory: {
      server: slices.some(hasProcesses) ? median(memory.map(({ server }) => server)) : null,
      manager: median(memory.map(({ manager }) => manager)),
    },
    peakMemory: of(PEAK),
  };
}

function censoringOf(load: Load): CensoringRule {
  return {
    // An open loop tallies by planned times: all that is in flight was planned inside the window.
    fromTheStart: load.method === 'contiguous' || load.kind === 'open',
    timeoutNs: load.timeoutNs,
  };
}

/** Whether it is known which processes the server has: of one that somebody else started nobody may know. */
export function hasProcesses({ measurement }: Slice): boolean {
  return measurement.workersCpuNs.length > 0;
}

/** The peak of the server's memory, bytes: it only ever rises. */
export const PEAK: Figure = {
  aspect: 'memory',
  better: 'less',
  inLaunch: (slices) => {
    const known = slices
      .filter(hasProcesses)
      .flatMap(({ measurement: { peak } }) => peak?.server ?? []);
    return known.length === 0 ? Number.NaN : Math.max(...known);
  },
};

/** Memory of the server's processes after a slice, bytes. */
export const MEMORY = meanFigure('memory', 'less', (slice) => {
  return hasProcesses(slice) ? slice.measurement.memory.server : Number.NaN;
});

/** The server's CPU time over time in the median slice; 0 without any. */
export function busyOf(slices: Slice[]): number {
  if (slices.length === 0) return 0;
  return median(slices.map(({ measurement: { cpu, windowNs } }) => cpu.server.cpuNs / windowNs));
}

function requestsOf(slices: Slice[]): Answers[] {
  const counted = slices.map(({ measurement: { requests } }) => requests);
  return (counted[0] ?? []).map((_, place) => {
    const count = (kind: keyof Answers) => sum(counted, (requests) => requests[place]?.[kind] ?? 0);
    return { ok: count('ok'), wrongStatus: count('wrongStatus'), wrongBody: count('wrongBody') };
  });
}

/** What of a cell a figure is about, and a flag can spoil. */
export type Aspect = 'throughput' | 'latency' | 'cpu' | 'memory';

/** Something that is measured of a cell. */
export interface Figure {
  aspect: Aspect;
  better: 'more' | 'less';
  /** What the slices of one launch say together, of sums over all of them; not finite where they tell nothing. */
  inLaunch: (slices: readonly Slice[]) => number;
  /** Whether in some launch it is only known to be above what it says; never where this is left out. */
  isBound?: (slices: readonly Slice[]) => boolean;
}

/** Requests answered as declared, per second of the window. */
export const THROUGHPUT: Figure = perSecond(({ ok }) => ok);

const BYTE_RATE: Figure = perSecond(({ bytes }) => bytes);

function perSecond(count: (window: Slice['measurement']['window']) => number): Figure {
  return {
    aspect: 'throughput',
    better: 'more',
    inLaunch: (slices) => {
      const all = sum(slices, ({ measurement }) => count(measurement.window));
      return (all / sum(slices, ({ measurement }) => measurement.windowNs)) * 1e9;
    },
  };
}

/**
 * CPU time of the server's processes for each response, ns: all of it, whoever had the load, without what they use
 * idle, over the requests answered; of the blocks that count.
 */
export const CPU: Figure = {
  aspect: 'cpu',
  better: 'less',
  inLaunch: (slices) => {
    if (!slices.every(hasProcesses)) return Number.NaN;
    const blocks = slices.flatMap(({ measurement: { blocks: all, idleNsPerS, disturbed } }) => {
      const counted = all.filter((_, place) => !disturbed.includes(place));
      return counted.map(({ chargedNs, ns, answers }) => {
        return { ownNs: chargedNs - (idleNsPerS * ns) / 1e9, answers };
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
    const mean = histogramOf(slices)?.mean ?? 0;
    return mean > 0 ? mean * 1000 : Number.NaN;
  },
};

/**
 * A quantile of the latency, or its mean, ns; where requests went unanswered before it, what it is above: such a server may be
 * slower than that, and is in no way better for it.
 */
export function latencyQuantile(name: LatencyQuantile, load: Load): Figure {
  const timeIn = (slices: readonly Slice[]) => {
    return latencyOf(onScheduleOf(slices), censoringOf(load))?.[name];
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

export type LatencyQuantile = 'mean' | 'min' | 'p50' | 'p75' | 'p95' | 'p99' | 'max';

/** A figure that each slice tells by itself; of a launch their mean. */
export function meanFigure(
  aspect: Aspect,
  better: Figure['better'],
  value: (slice: Slice) => number,
): Figure {
  const inLaunch = (slices: readonly Slice[]) => {
    const known = slices.map(value).filter(Number.isFinite);
    return sum(known, (each) => each) / known.length;
  };
  return { aspect, better, inLaunch };
}

/** Which one a load is there for. */
export const HEADLINES: Record<HeadlineName, Figure> = { throughput: THROUGHPUT, cpu: CPU };

/** The figure that a load is there for: requests/s; under the cost load and at a rate CPU per request. */
export function headlineOf({ headline }: Load): Figure {
  return HEADLINES[headline];
}

/** The estimate of a load's headline among a cell's figures. */
export function headlineIn(figures: Figures, { headline }: Load): Estimate {
  return headline === 'cpu' ? figures.cpuPerRequest : figures.throughput;
}

/**
 * The floor of a cell, in the same topology under the same load: the target that the others are built on, of the same
 * suite, and over nothing itself; on this one's runtime, or on the first one where there is none on it, and under its
 * limits.
 */
export function floorCellOf(
  { targets, plan }: RunRecord,
  { target, topology, load }: Cell,
): Cell | undefined {
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

/** Fewer launches give no interval worth the name: t is 12.7 with two, 4.3 with three. */
export const FEWEST_LAUNCHES = 3;

/**
 * The slices of a cell that count: none of a launch in which its server failed; nor of one in which it had not
 * settled, as long as there are enough others.
 */
export function slicesOf(record: RunRecord, cell: Cell): Slice[] {
  const failed = record.failures.filter(({ server }) => server === cell.server);
  const whole = ofCell(record.slices, cell.id).filter((slice) => {
    return failed.every(({ launch }) => launch !== slice.launch);
  });
  const settled = whole.filter((slice) => hadSettled(record, cell, slice));
  const launches = launchesOf(settled).size;
  return launches >= FEWEST_LAUNCHES ? settled : whole;
}

const BY_CELL = new WeakMap<readonly Slice[], { count: number; byCell: Map<string, Slice[]> }>();

/** Every figure of every cell asks for its slices: they are sorted once, and again when more have come. */
function ofCell(slices: readonly Slice[], id: string): Slice[] {
  const known = BY_CELL.get(slices);
  if (known?.count === slices.length) return known.byCell.get(id) ?? [];
  const byCell = Map.groupBy(slices, ({ cell }) => cell);
  BY_CELL.set(slices, { count: slices.length, byCell });
  return byCell.get(id) ?? [];
}

/**
 * Whether a cell's server had settled before a slice: by the blocks of the slice that were not counted, or else by
 * its warm-up; where nobody looked nothing speaks against it.
 */
export function hadSettled(
  { warmups }: RunRecord,
  { server }: Cell,
  { launch, measurement }: Slice,
): boolean {
  const { hasSettled } = measurement.leadIn;
  if (hasSettled !== null) return hasSettled;
  const warmup = warmups.find((each) => each.server === server && each.launch === launch);
  return warmup?.outcome !== 'capped';
}

/** A figure of a cell in each of its launches, without those that tell nothing. */
export function samples(slices: readonly Slice[], { inLaunch }: Figure): Sample[] {
  return [...Map.groupBy(slices, ({ launch }) => launch)]
    .map(([launch, own]) => ({ launch, value: inLaunch(own) }))
    .filter(({ value }) => Number.isFinite(value));
}

/** A figure of a cell over all launches that count. */
export function figureOf(record: RunRecord, cell: Cell, figure: Figure): Estimate {
  return estimate(samples(slicesOf(record, cell), figure));
}

/** A figure of two cells, launch by launch. */
export function sidesOf(own: readonly Slice[], other: readonly Slice[], figure: Figure): Sides {
  return { own: samples(own, figure), other: samples(other, figure) };
}

/** The launches that these are of. */
export function launchesOf(items: readonly { launch: number }[]): Set<number> {
  return new Set(items.map(({ launch }) => launch));
}

/** Whether two cells share a launch in which both tell a figure. */
export function areComparable({ own, other }: Sides): boolean {
  return own.some(({ launch }) => other.some((each) => each.launch === launch));
}

/** Answered in a slice's window, as declared or not. */
export function responsesOf({ measurement: { window } }: Slice): number {
  return window.ok + window.wrongStatus + window.wrongBody;
}

/** The sum of a value over items. */
export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
