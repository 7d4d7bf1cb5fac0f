import { median } from 'simple-statistics';
import { type Latency, latencyOf } from './latency.ts';
import { type Cell, type Load, type Topology, topologyOf } from './plan.ts';
import type { Published } from './published.ts';
import type { Failure, RunRecord, Slice } from './record.ts';
import { type Estimate, estimate, estimateRatio, type Sample } from './statistics.ts';
import type { Target } from './targets.ts';

/** What a cell's slices say. Times in ns, memory in bytes, throughput in requests/s. */
export interface CellSummary {
  cell: Cell;
  target: Target;
  outcome:
    | { state: 'measured'; figures: Figures }
    | { state: 'failed'; failure: Failure }
    /** The run ended before its first slice. */
    | { state: 'not reached' };
}

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
  /** Over whole slices: answered as declared, of all that were sent. */
  answered: { ok: number; sent: number };
  memory: { server: number; manager: number };
}

/** The cells of one topology under one load, the one with the highest throughput first. */
export interface Condition {
  topology: Topology;
  load: Load;
  cells: CellSummary[];
}

/** What a target costs more than what it is built on. */
export interface Overhead {
  target: Target;
  over: Target;
  /** CPU per request more, ns. */
  cpuNs: Estimate;
  /** CPU per request over the other's. */
  ratio: Estimate;
}

/** One target through all topologies. */
export interface TopologyComparison {
  target: Target;
  entries: {
    topology: Topology;
    throughput: Estimate;
    cpuPerRequest: Estimate;
    /** Throughput over that of `single`; none where there is no single. */
    speedUp: Estimate;
  }[];
}

/** A published ratio beside the measured one. */
export interface PublishedComparison {
  target: Target;
  topology: string;
  base: { target: Target; topology: string };
  published: number;
  measured: Estimate;
}

/** Every number that any report shows. */
export interface Summary {
  record: RunRecord;
  measuredNs: number;
  /** The harness's own CPU time inside windows over the windows' length. */
  harnessShare: number;
  conditions: Condition[];
  overheads: { condition: Condition; rows: Overhead[] } | null;
  topologies: { load: Load; rows: TopologyComparison[] } | null;
  published: { source: string; cpu: string; rows: PublishedComparison[] } | null;
}

/** Works out every number that a report shows. */
export function summarize(record: RunRecord, published: Published): Summary {
  const { plan } = record;
  const conditions = plan.loads.flatMap((load) =>
    plan.topologies.flatMap((topology) => summarizeCondition(record, topology, load)),
  );
  const measuredNs = sum(record.slices, ({ measurement }) => measurement.windowNs);
  const harnessNs = sum(record.slices, ({ measurement }) => measurement.cpu.harness.cpuNs);
  return {
    record,
    measuredNs,
    harnessShare: measuredNs === 0 ? 0 : harnessNs / measuredNs,
    conditions,
    overheads: summarizeOverheads(record, conditions),
    topologies: summarizeTopologies(record),
    published: comparePublished(record, published),
  };
}

/** What there is of a cell while a run goes on. */
export interface InterimCell {
  cell: Cell;
  throughput: Estimate;
  cpuPerRequest: Estimate;
}

/** The two main figures of every cell, cheap enough to work out after each round. */
export function summarizeInterim(record: RunRecord): InterimCell[] {
  return record.plan.cells.map((cell) => {
    const slices = slicesOf(record, cell);
    return {
      cell,
      throughput: estimate(samples(slices, throughputOf)),
      cpuPerRequest: estimate(samples(slices, cpuPerRequestOf)),
    };
  });
}

function summarizeCondition(record: RunRecord, topology: Topology, load: Load): Condition[] {
  const cells = record.plan.cells
    .filter((cell) => cell.topology === topology.id && cell.load === load.id)
    .map((cell) => summarizeCell(record, cell));
  if (cells.length === 0) return [];
  const rate = ({ outcome }: CellSummary) => {
    if (outcome.state !== 'measured' || outcome.figures.throughput.kind === 'none') return -1;
    return outcome.figures.throughput.value;
  };
  return [{ topology, load, cells: cells.sort((a, b) => rate(b) - rate(a)) }];
}

function summarizeCell(record: RunRecord, cell: Cell): CellSummary {
  const target = targetOf(record, cell.target);
  const failure = record.failures.find(({ server }) => server === cell.server);
  if (failure !== undefined) return { cell, target, outcome: { state: 'failed', failure } };
  const slices = slicesOf(record, cell);
  if (slices.length === 0) return { cell, target, outcome: { state: 'not reached' } };
  return { cell, target, outcome: { state: 'measured', figures: figuresOf(record, cell, slices) } };
}

function figuresOf(record: RunRecord, cell: Cell, slices: Slice[]): Figures {
  const floor = floorOf(record);
  const floorCell = floor && sibling(record, cell, { target: floor.name });
  const windows = slices.map(({ measurement }) => measurement.window);
  const responses = sum(slices, responsesOf);
  const bytes = sum(windows, (window) => window.bytes);
  return {
    slices: slices.length,
    throughput: estimate(samples(slices, throughputOf)),
    bytesPerSecond: estimate(samples(slices, byteRateOf)),
    cpuPerRequest: estimate(samples(slices, cpuPerRequestOf)),
    timesFloor: floorCell
      ? estimateRatio(paired(slices, slicesOf(record, floorCell), cpuPerRequestOf, (a, b) => a / b))
      : { kind: 'none' },
    latency: latencyOf(slices),
    perSlice: {
      throughput: slices.map(throughputOf),
      bytesPerSecond: slices.map(byteRateOf),
    },
    ok: sum(windows, (window) => window.ok),
    bytes,
    bytesPerResponse: responses === 0 ? null : bytes / responses,
    errors: sum(windows, (window) => window.wrongStatus + window.wrongBody + window.disconnected),
    timeouts: sum(windows, (window) => window.timedOut),
    answered: {
      ok: sum(slices, ({ measurement }) => measurement.ledger.ok),
      sent: sum(slices, ({ measurement }) => measurement.ledger.sent),
    },
    memory: {
      server: median(slices.map(({ measurement }) => measurement.memory.server)),
      manager: median(slices.map(({ measurement }) => measurement.memory.manager)),
    },
  };
}

/** Overheads, read under the cost load where there is one, as single processes where there are any. */
function summarizeOverheads(record: RunRecord, conditions: Condition[]): Summary['overheads'] {
  const condition =
    conditions.find(({ load }) => load.id === 'cost') ??
    conditions.find(({ topology }) => topology.workers === null) ??
    conditions[0];
  if (condition === undefined) return null;
  const rows = record.targets.flatMap((target): Overhead[] => {
    const over = record.targets.find(({ name }) => name === target.over);
    const cell = condition.cells.find((each) => each.target === target)?.cell;
    const overCell = condition.cells.find((each) => each.target === over)?.cell;
    if (over === undefined || cell === undefined || overCell === undefined) return [];
    const pair = [slicesOf(record, cell), slicesOf(record, overCell), cpuPerRequestOf] as const;
    const cpuNs = estimate(paired(...pair, (a, b) => a - b));
    const ratio = estimateRatio(paired(...pair, (a, b) => a / b));
    return cpuNs.kind === 'none' ? [] : [{ target, over, cpuNs, ratio }];
  });
  return rows.length === 0 ? null : { condition, rows };
}

function summarizeTopologies(record: RunRecord): Summary['topologies'] {
  const { plan } = record;
  const [load] = plan.loads;
  if (load === undefined || plan.topologies.length < 2) return null;
  const rows = record.targets.map((target) => {
    const cells = plan.cells.filter((cell) => cell.target === target.name && cell.load === load.id);
    const single = cells.find((cell) => topologyOf(plan, cell.topology).workers === null);
    const entries = cells.map((cell) => {
      const slices = slicesOf(record, cell);
      return {
        topology: topologyOf(plan, cell.topology),
        throughput: estimate(samples(slices, throughputOf)),
        cpuPerRequest: estimate(samples(slices, cpuPerRequestOf)),
        speedUp: throughputRatio(record, cell, single),
      };
    });
    return { target, entries };
  });
  return { load, rows };
}

function comparePublished(record: RunRecord, published: Published): Summary['published'] {
  const [baseResult, ...results] = published.results;
  if (baseResult === undefined) return null;
  const baseCell = mainCell(record, baseResult);
  if (baseCell === undefined) return null;
  const base = { target: targetOf(record, baseCell.target), topology: baseResult.topology };
  const rows = results.flatMap((result): PublishedComparison[] => {
    const cell = mainCell(record, result);
    if (cell === undefined) return [];
    const measured = throughputRatio(record, cell, baseCell);
    if (measured.kind === 'none') return [];
    const ratio = result.requestsPerSecond / baseResult.requestsPerSecond;
    const target = targetOf(record, cell.target);
    return [{ target, topology: result.topology, base, published: ratio, measured }];
  });
  return rows.length === 0 ? null : { source: published.source, cpu: published.cpu, rows };
}

/** The cell of this target in the topology of this name, under the run's main load. */
function mainCell(record: RunRecord, { target, topology }: { target: string; topology: string }) {
  const { plan } = record;
  return plan.cells.find((cell) => {
    const { names } = topologyOf(plan, cell.topology);
    return cell.target === target && names.includes(topology) && cell.load === plan.loads[0]?.id;
  });
}

function throughputRatio(record: RunRecord, cell: Cell, base: Cell | undefined): Estimate {
  if (base === undefined) return { kind: 'none' };
  const pairs = paired(
    slicesOf(record, cell),
    slicesOf(record, base),
    throughputOf,
    (a, b) => a / b,
  );
  return estimateRatio(pairs);
}

function sibling(record: RunRecord, cell: Cell, other: { target: string }): Cell | undefined {
  return record.plan.cells.find((each) => {
    return (
      each.target === other.target && each.topology === cell.topology && each.load === cell.load
    );
  });
}

/** The target that the others are built on: of the same suite, and over nothing itself. */
function floorOf(record: RunRecord): Target | undefined {
  const bases = new Set(record.targets.map(({ over }) => over));
  return record.targets.find(({ name, over }) => over === null && bases.has(name));
}

function slicesOf(record: RunRecord, cell: Cell): Slice[] {
  if (record.failures.some(({ server }) => server === cell.server)) return [];
  return record.slices.filter((slice) => slice.cell === cell.id);
}

/** A figure of every slice, without those where it has no value. */
function samples(slices: Slice[], figure: (slice: Slice) => number): Sample[] {
  return slices
    .map((slice) => ({ launch: slice.launch, value: figure(slice) }))
    .filter(({ value }) => Number.isFinite(value));
}

/** A figure of two cells compared within each round, where the machine treated both alike. */
function paired(
  slices: readonly Slice[],
  others: readonly Slice[],
  figure: (slice: Slice) => number,
  compare: (a: number, b: number) => number,
): Sample[] {
  const key = ({ launch, round }: Slice) => `${launch}/${round}`;
  const byRound = new Map(others.map((slice) => [key(slice), slice]));
  return slices.flatMap((slice) => {
    const other = byRound.get(key(slice));
    const value = other ? compare(figure(slice), figure(other)) : Number.NaN;
    return Number.isFinite(value) ? [{ launch: slice.launch, value }] : [];
  });
}

function responsesOf({ measurement: { window } }: Slice): number {
  return window.ok + window.wrongStatus + window.wrongBody;
}

/** Requests answered as declared, per second of the window. */
function throughputOf({ measurement: { window, windowNs } }: Slice): number {
  return (window.ok / windowNs) * 1e9;
}

function byteRateOf({ measurement: { window, windowNs } }: Slice): number {
  return (window.bytes / windowNs) * 1e9;
}

/** CPU time of the server's processes for each response, ns; not finite without responses. */
function cpuPerRequestOf(slice: Slice): number {
  return slice.measurement.cpu.server.cpuNs / responsesOf(slice);
}

function targetOf(record: RunRecord, name: string): Target {
  const target = record.targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`the record has no target "${name}"`);
  return target;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
