import { median } from 'simple-statistics';
import type { Answers } from '../load/ledger.ts';
import type { Piece } from '../load/measurement.ts';
import {
  type Estimate,
  estimate,
  estimateRatio,
  mapEstimate,
  pointOf,
  type Sample,
} from '../math/statistics.ts';
import type { HeadlineName, Load } from '../plan/loads.ts';
import { type Cell, loadOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { isSameRuntime } from '../targets/runtime.ts';
import type { Target } from '../targets/targets.ts';
import { lapRatios } from './laps.ts';
import { histogramOf, type Latency, latencyOf, type Patience } from './latency.ts';
import { punctualOf } from './punctual.ts';

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
  const load = loadOf(record.plan, cell.load);
  const windows = slices.map(({ measurement }) => measurement.window);
  const responses = sum(slices, responsesOf);
  const bytes = sum(windows, (window) => window.bytes);
  return {
    slices: slices.length,
    throughput: estimate(samples(slices, throughputOf)),
    bytesPerSecond: estimate(samples(slices, byteRateOf)),
    cpuPerRequest: estimate(samples(slices, cpuPerRequestOf)),
    timesFloor: floorCell
      ? estimateRatio(ratios(slices, slicesOf(record, floorCell), cpuPerRequestOf))
      : { kind: 'none' },
    latency: latencyOf(punctualOf(slices), patienceOf(load)),
    perSlice: {
      throughput: slices.map(throughputOf),
      bytesPerSecond: slices.map(byteRateOf),
    },
    ok: sum(windows, (window) => window.ok),
    bytes,
    bytesPerResponse: responses === 0 ? null : bytes / responses,
    errors: sum(windows, (window) => window.wrongStatus + window.wrongBody + window.disconnected),
    timeouts: sum(windows, (window) => window.timedOut),
    requests: requestsOf(slices),
    answered: {
      ok: sum(slices, ({ measurement }) => measurement.ledger.ok),
      sent: sum(slices, ({ measurement }) => measurement.ledger.sent),
    },
    memory: {
      server: slices.some(({ measurement }) => measurement.workersCpuNs.length > 0)
        ? median(slices.map(({ measurement }) => measurement.memory.server))
        : null,
      manager: median(slices.map(({ measurement }) => measurement.memory.manager)),
    },
    peakMemory: estimate(peaksOf(slices)),
  };
}

function patienceOf(load: Load): Patience {
  return {
    // An open loop tallies by planned times: all that is in flight was planned inside the window.
    fromTheStart: load.method === 'contiguous' || load.kind === 'open',
    timeoutNs: load.timeoutNs,
  };
}

/** The peak of the server's memory in each launch, bytes: it only ever rises. */
export function peaksOf(slices: readonly Slice[]): Sample[] {
  const known = samples(slices, ({ measurement: { peak, workersCpuNs } }) => {
    return peak === null || workersCpuNs.length === 0 ? Number.NaN : peak.server;
  });
  return [...Map.groupBy(known, ({ launch }) => launch)].map(([launch, own]) => {
    return { launch, value: Math.max(...own.map(({ value }) => value)) };
  });
}

function requestsOf(slices: Slice[]): Answers[] {
  const counted = slices.map(({ measurement: { requests } }) => requests);
  return (counted[0] ?? []).map((_, place) => {
    const count = (kind: keyof Answers) => sum(counted, (requests) => requests[place]?.[kind] ?? 0);
    return { ok: count('ok'), wrongStatus: count('wrongStatus'), wrongBody: count('wrongBody') };
  });
}

/** Something that slices tell, each for itself; not finite where one tells nothing. */
export type Quantity = (slice: Slice) => number;

/** Which one a load is there for. */
export const QUANTITIES: Record<HeadlineName, Quantity> = {
  throughput: throughputOf,
  cpu: cpuPerRequestOf,
};

/** What a piece of a slice tells by itself, of all that a slice tells. */
const IN_PIECES: ReadonlyMap<Quantity, (piece: Piece) => number> = new Map([
  [cpuPerRequestOf, ({ cpuNs, answers }: Piece) => cpuNs / answers],
]);

/** The figure that a load is there for: requests/s; under the cost load and at a rate CPU per request. */
export interface Headline {
  better: 'more' | 'less';
  quantity: Quantity;
  ofFigures: (figures: Figures) => Estimate;
}

/** The headline of a load. */
export function headlineOf({ headline }: Load): Headline {
  return headline === 'cpu'
    ? { better: 'less', quantity: QUANTITIES.cpu, ofFigures: (figures) => figures.cpuPerRequest }
    : {
        better: 'more',
        quantity: QUANTITIES.throughput,
        ofFigures: (figures) => figures.throughput,
      };
}

/** The floor on the same runtime under the same limit, in the same topology under the same load. */
export function floorCellOf(record: RunRecord, { target, topology, load }: Cell): Cell | undefined {
  const own = record.targets.find(({ name }) => name === target);
  const floor = floorOf(record, own)?.name;
  return record.plan.cells.find((each) => {
    return each.target === floor && each.topology === topology && each.load === load;
  });
}

/**
 * The target that the others are built on: of the same suite, and over nothing itself; on this one's
 * runtime, or on the first one where there is none on it, and under its CPU limit.
 */
function floorOf({ targets }: RunRecord, target: Target | undefined): Target | undefined {
  const { runtime = null, cpuLimit = null } = target ?? {};
  const bases = new Set(targets.map(({ over }) => over));
  const floors = targets.filter(({ name, over, cpuLimit: limit }) => {
    return over === null && bases.has(name) && limit === cpuLimit;
  });
  return floors.find((floor) => isSameRuntime(floor.runtime, runtime)) ?? floors[0];
}

/** The slices of a cell that count: none where its server failed. */
export function slicesOf(record: RunRecord, cell: Cell): Slice[] {
  if (record.failures.some(({ server }) => server === cell.server)) return [];
  return record.slices.filter((slice) => slice.cell === cell.id);
}

/** What every slice tells, without those that tell nothing. */
export function samples(slices: readonly Slice[], quantity: Quantity): Sample[] {
  return slices
    .map((slice) => ({ launch: slice.launch, value: quantity(slice) }))
    .filter((sample) => Number.isFinite(sample.value));
}

/**
 * What slices tell over what others tell, within each round, or within each lap of a deal where pieces tell
 * it too: there the machine treated both alike.
 */
export function ratios(
  slices: readonly Slice[],
  others: readonly Slice[],
  quantity: Quantity,
): Sample[] {
  const inPiece = IN_PIECES.get(quantity);
  return withinRounds(slices, others, (slice, other) => {
    const laps = inPiece ? lapRatios(slice, other, inPiece) : null;
    return laps ?? [quantity(slice) / quantity(other)];
  });
}

/** CPU per request of two cells, in the rounds that both have. */
export interface CpuPairs {
  /** That of the one over that of the other. */
  ratios: Sample[];
  /** That of the other, ns. */
  base: Sample[];
}

/** Pairs the slices of two cells by their rounds; of the CPU time of their servers, unless it is another's. */
export function cpuPairs(
  slices: readonly Slice[],
  others: readonly Slice[],
  cpu: Quantity = cpuPerRequestOf,
): CpuPairs {
  return {
    ratios: ratios(slices, others, cpu),
    base: withinRounds(slices, others, (_, other) => [cpu(other)]),
  };
}

/**
 * What a request costs more than on its base, ns of CPU: the base's cost, and of that what the ratio is
 * more than 1. How fast the machine was in a launch moves both sides alike, so it is in the cost of
 * the base, of whose own error the interval takes no notice, and not in the ratio.
 */
export function moreCpu(base: Sample[], ratio: Estimate): Estimate {
  const level = pointOf(estimate(base)) ?? Number.NaN;
  return mapEstimate(ratio, (times) => level * (times - 1));
}

/** Values of each slice and the other one of its round; without those that have none. */
export function withinRounds(
  slices: readonly Slice[],
  others: readonly Slice[],
  compare: (slice: Slice, other: Slice) => readonly number[],
): Sample[] {
  const key = ({ launch, round }: Slice) => `${launch}/${round}`;
  const byRound = new Map(others.map((slice) => [key(slice), slice]));
  return slices.flatMap((slice) => {
    const other = byRound.get(key(slice));
    const values = other ? compare(slice, other) : [];
    return values.filter(Number.isFinite).map((value) => ({ launch: slice.launch, value }));
  });
}

/** Answered in a slice's window, as declared or not. */
export function responsesOf({ measurement: { window } }: Slice): number {
  return window.ok + window.wrongStatus + window.wrongBody;
}

/** Requests answered as declared, per second of the window. */
export function throughputOf({ measurement: { window, windowNs } }: Slice): number {
  return (window.ok / windowNs) * 1e9;
}

function byteRateOf({ measurement: { window, windowNs } }: Slice): number {
  return (window.bytes / windowNs) * 1e9;
}

/** The mean latency of the requests answered in a slice's window, ns; not finite without any. */
export function meanLatencyOf(slice: Slice): number {
  const mean = histogramOf([slice])?.mean ?? 0;
  return mean > 0 ? mean * 1000 : Number.NaN;
}

/** A quantile of the latency in a slice's window, ns; not finite where requests went unanswered before it. */
export function quantileOf(name: 'p95' | 'p99', load: Load): Quantity {
  return (slice) => {
    const time = latencyOf(punctualOf([slice]), patienceOf(load))?.[name];
    return time?.kind === 'known' && time.ns > 0 ? time.ns : Number.NaN;
  };
}

/** CPU time of the server's processes for each response, ns; not finite without responses. */
export function cpuPerRequestOf(slice: Slice): number {
  const { cpu, workersCpuNs } = slice.measurement;
  // Of a server that somebody else started nobody may know the processes.
  return workersCpuNs.length === 0 ? Number.NaN : cpu.server.cpuNs / responsesOf(slice);
}

/** The sum of a value over items. */
export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
