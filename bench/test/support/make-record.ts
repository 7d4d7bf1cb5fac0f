import * as hdr from 'hdr-histogram-js';
import type { Block, Measurement } from '../../src/load/measurement.ts';
import type { Estimate } from '../../src/math/statistics.ts';
import type { ClosedLoad, OpenLoad, PilotResult } from '../../src/plan/loads.ts';
import { makePlan, type PlanRules } from '../../src/plan/make-plan.ts';
import { type Cell, cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import { newRecord, type RunRecord, type Slice } from '../../src/record/record.ts';
import type { RunKind, RunOptions } from '../../src/request/run-options.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import type { Suite } from '../../src/suites/suite.ts';
import type { Machine } from '../../src/system/machine.ts';
import type { Throttling } from '../../src/system/throttling.ts';
import type { CpuReading } from '../../src/system/usage.ts';
import { type Exchange, textExchange } from '../../src/targets/exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../../src/targets/targets.ts';

/** A target of the frameworks suite that nothing is special about. */
export function makeTarget(name: string, parts: Partial<LocalTarget> = {}): LocalTarget {
  return {
    ...TARGET_DEFAULTS,
    suite: 'frameworks',
    label: name,
    start: ['node', 'dist/main.js'],
    port: 3001,
    requests: [
      textExchange(
        { method: 'GET', path: '/' },
        { status: 200, headers: {}, body: 'Hello World!' },
      ),
    ],
    name,
    directory: `/packages/${name}`,
    ...parts,
  };
}

/** The first request of a target, with its answer. */
export function exchangeOf({ requests: [first] }: Pick<LocalTarget, 'requests'>): Exchange {
  if (first === undefined) throw new Error('a target without a request');
  return first;
}

/** A floor, a framework on it, and one on that. */
export const STACK = [
  makeTarget('floor'),
  makeTarget('middle', { over: 'floor' }),
  makeTarget('top', { over: 'middle' }),
];

/** A machine with four cores and plenty of everything. */
export function makeMachine(parts: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux x64',
    kernel: '6.18.0',
    cpuModel: 'Synthetic CPU',
    cores: [0, 1, 2, 3],
    parallelism: 4,
    pm2Max: 4,
    hypervisor: 'KVM',
    governor: null,
    memoryTotalBytes: 32e9,
    memoryAvailableBytes: 30e9,
    fileLimit: 20_000,
    localPorts: 28_232,
    canPin: true,
    hostsGenerator: true,
    cpuSource: 'schedstat',
    versions: { node: '24.0.0' },
    git: { revision: '0123456789abcdef', dirty: false },
    ...parts,
  };
}

const SLICED = {
  saturates: true,
  method: 'sliced',
  sliceNs: 1e9,
  everyNthRound: 1,
  timeoutNs: 10e9,
} as const;

/** A closed load of slices of 1 s. */
export function makeLoad(parts: Partial<ClosedLoad> = {}): ClosedLoad {
  return {
    kind: 'closed',
    id: 'custom',
    label: 'under the custom load',
    headline: 'throughput',
    connections: 1000,
    pipelining: 1,
    waitForAll: false,
    minLoopTurnNs: 0,
    blocks: 1,
    drainBetweenSlices: false,
    ...SLICED,
    ...parts,
  };
}

/** An open load of slices of 1 s. */
export function makeOpenLoad(parts: Partial<OpenLoad> = {}): OpenLoad {
  return {
    kind: 'open',
    id: 'rate-500',
    headline: 'cpu',
    driver: 'pacer',
    hosts: 0,
    everyNthLaunch: 1,
    ratePerS: 500,
    connections: 1000,
    ...SLICED,
    saturates: false,
    ...parts,
  };
}

/** Two launches of three slices of 1 s, as single processes. */
export function makeOptions(parts: Partial<RunOptions> = {}): RunOptions {
  return {
    topologies: ['single'],
    cpuLimits: [],
    memoryLimits: [],
    unpinned: false,
    rates: null,
    p99Ns: null,
    driver: 'pacer',
    generatorHosts: [],
    warmupRate: null,
    connections: 1000,
    pipelining: 1,
    durationS: 6,
    sliceS: 1,
    launches: 2,
    warmupS: 1,
    contiguous: false,
    equivalence: 0.02,
    until: null,
    failOn: null,
    seed: 1,
    out: null,
    profileDir: null,
    json: false,
    plain: false,
    details: false,
    explain: false,
    ...parts,
  };
}

/** What happened in a slice; everything that is not said did not happen. */
export interface Happened {
  ok?: number;
  wrongStatus?: number;
  wrongBody?: number;
  timedOut?: number;
  disconnected?: number;
  inFlight?: number;
  windowS?: number;
  bytesPerResponse?: number;
  cpuUsPerResponse?: number;
  harnessCpuMs?: number;
  generatorCpuMs?: number;
  generators?: number;
  /** Of the generator's event loop, which sleeps where there are none. */
  turns?: { all: number; empty: number; idleNs: number };
  /** CPU time of each of the server's processes; one has all of it otherwise. */
  workersCpuMs?: number[];
  /** Of the server, for a core. */
  waitMs?: number;
  /** What the system tells, where it does; strangers use CPU beside everything of the run. */
  system?: { stealMs?: number; throttledMs?: number; foreignCpuMs?: number };
  /** Of a server with a CPU limit. */
  throttling?: Throttling;
  halfway?: { s: number; ok: number };
  /** Of a window that was interleaved: turns outside of which the server did nothing, or more than that. */
  blocks?: (Pick<Block, 'cpuNs' | 'answers'> & Partial<Block>)[];
  /** Places of blocks that don't count. */
  disturbed?: number[];
  idleNsPerS?: number;
  isQuiet?: boolean | null;
  hasSettled?: boolean | null;
  scheduling?: Measurement['scheduling'];
  warmupCapped?: boolean;
  /** Sent, but not in any other count. */
  unaccounted?: number;
  /** Each stands for as many of the answers as any other. */
  latenciesMs?: number[];
  /** How long requests had waited: each of those lost, and each of those in flight at the end. */
  lostAgesMs?: number[];
  inFlightAgesMs?: number[];
  serverBytes?: number;
  managerBytes?: number;
  /** Of the server, as much as it has where nothing is said. */
  peakBytes?: number;
  /** At their peaks where nothing else is said. */
  services?: Record<string, CpuReading & { bytes: number; peakBytes?: number | null }>;
  /** How an open loop kept its plan: every request that was sent or dropped had been planned. */
  pace?: { dropped?: number; lost?: number; late?: number; latenessMs?: number[] | null };
  /** To a server of another machine. */
  roundTrip?: Measurement['roundTrip'];
  /** Second by second, in an open loop. */
  series?: Measurement['series'];
}

export function makeMeasurement(happened: Happened = {}): Measurement {
  const { ok = 0, wrongStatus = 0, wrongBody = 0, timedOut = 0, disconnected = 0 } = happened;
  const { inFlight = 0, windowS = 1, bytesPerResponse = 200, cpuUsPerResponse = 10 } = happened;
  const { harnessCpuMs = 0, generatorCpuMs = 0, waitMs = 0, unaccounted = 0 } = happened;
  const responses = ok + wrongStatus + wrongBody;
  const sent = responses + timedOut + disconnected + inFlight + unaccounted;
  const counts = { sent, ok, wrongStatus, wrongBody, timedOut, disconnected };
  const serverCpuNs = responses * cpuUsPerResponse * 1000;
  const { blocks = [{ cpuNs: serverCpuNs, answers: responses }] } = happened;
  const { halfway, system, workersCpuMs, latenciesMs = [] } = happened;
  const { stealMs = 0, throttledMs = 0, foreignCpuMs = 0 } = system ?? {};
  const busyNs = serverCpuNs + (harnessCpuMs + generatorCpuMs + foreignCpuMs) * 1e6;
  return {
    warmupNs: 2e8,
    warmupCapped: happened.warmupCapped ?? false,
    openedNs: null,
    scheduling: happened.scheduling ?? null,
    windowNs: windowS * 1e9,
    leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: happened.hasSettled ?? null },
    blocks: blocks.map((block) => {
      return { chargedNs: block.cpuNs, ns: (windowS * 1e9) / blocks.length, ...block };
    }),
    disturbed: happened.disturbed ?? [],
    idleNsPerS: happened.idleNsPerS ?? 0,
    isQuiet: happened.isQuiet ?? null,
    mainThread: null,
    halfway: halfway ? { ns: halfway.s * 1e9, ok: halfway.ok } : null,
    generators: happened.generators ?? 1,
    drainNs: 1e7,
    drainCapped: false,
    ledger: { ...counts, inFlight },
    window: { ...counts, bytes: responses * bytesPerResponse },
    latencyHistogram: makeHistogram(latenciesMs, Math.max(1, Math.round(ok / latenciesMs.length))),
    agesHistograms: makeAges(happened),
    cpu: {
      server: { cpuNs: serverCpuNs, waitNs: waitMs * 1e6 },
      manager: { cpuNs: 0, waitNs: 0 },
      harness: { cpuNs: harnessCpuMs * 1e6, waitNs: 0 },
      generator: { cpuNs: generatorCpuMs * 1e6, waitNs: 0 },
    },
    services: Object.fromEntries(
      Object.entries(happened.services ?? {}).map(([name, used]) => {
        return [name, { ...used, peakBytes: used.peakBytes ?? used.bytes }];
      }),
    ),
    workersCpuNs: workersCpuMs?.map((cpuMs) => cpuMs * 1e6) ?? [serverCpuNs],
    system: system ? { stealNs: stealMs * 1e6, throttledNs: throttledMs * 1e6, busyNs } : null,
    throttling: happened.throttling ?? null,
    memory: { server: happened.serverBytes ?? 90e6, manager: happened.managerBytes ?? 0 },
    peak: {
      server: happened.peakBytes ?? happened.serverBytes ?? 90e6,
      manager: happened.managerBytes ?? 0,
    },
    turns: happened.turns ?? { all: 0, empty: 0, idleNs: 0 },
    roundTrip: happened.roundTrip ?? null,
    pace: happened.pace ? makePace(happened.pace, sent) : null,
    series: happened.series ?? [],
    requests: [],
  };
}

function makePace(
  { dropped = 0, lost = 0, late = 0, latenessMs = [0.1] }: NonNullable<Happened['pace']>,
  sent: number,
): Measurement['pace'] {
  const planned = sent + dropped + lost;
  const spread = (ms: number[]) => makeHistogram(ms, Math.max(1, Math.round(planned / ms.length)));
  return {
    planned,
    dropped,
    lost,
    lateness: latenessMs && { late, histogram: spread(latenessMs) },
  };
}

/** Null where nobody says how long anything had waited, as if nobody had looked. */
function makeAges({ lostAgesMs, inFlightAgesMs }: Happened): Measurement['agesHistograms'] {
  if (lostAgesMs === undefined && inFlightAgesMs === undefined) return null;
  return { lost: histogramOf(lostAgesMs ?? []), inFlight: histogramOf(inFlightAgesMs ?? []) };
}

/** Stories of an overload give the same thousands of ages for each slice. */
const OF_AGES = new WeakMap<readonly number[], string>();

function histogramOf(agesMs: number[]): string {
  const known = OF_AGES.get(agesMs) ?? makeHistogram(agesMs);
  OF_AGES.set(agesMs, known);
  return known;
}

/** How long requests without an answer had waited, µs. @throws where nobody looked. */
export function agesOf({
  agesHistograms,
}: Measurement): Record<'lost' | 'inFlight', hdr.Histogram> {
  if (agesHistograms === null) throw new Error('nobody looked how long requests had waited');
  const { lost, inFlight } = agesHistograms;
  return {
    lost: hdr.decodeFromCompressedBase64(lost),
    inFlight: hdr.decodeFromCompressedBase64(inFlight),
  };
}

/** Encoding takes most of the time of a test's record, and most slices are like others. */
const ENCODED = new Map<string, string>();

/** A histogram of these latencies, so many of each, as the generator encodes it. */
export function makeHistogram(latenciesMs: number[], ofEach = 1): string {
  const counts = new Map<number, number>();
  for (const ms of latenciesMs) counts.set(ms, (counts.get(ms) ?? 0) + ofEach);
  const key = JSON.stringify([...counts]);
  const known = ENCODED.get(key) ?? encoded(counts);
  ENCODED.set(key, known);
  return known;
}

function encoded(counts: Map<number, number>): string {
  const histogram = hdr.build({ highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 });
  for (const [ms, count] of counts) histogram.recordValueWithCount(ms * 1000, count);
  return hdr.encodeIntoCompressedBase64(histogram);
}

/** What happens to a cell in a slice; null for a slice that is not in the record. */
export type Story = (cell: Cell, launch: number, round: number) => Happened | null;

/** How a kind of run plans, and what it is called. */
export type NamedRules = PlanRules & Pick<RunKind, 'name'> & Partial<Pick<Suite, 'workload'>>;

/** The record of a complete run in which every slice of the plan went as the story tells. */
export function makeRecord(
  {
    options = {},
    targets = STACK,
    machine = makeMachine(),
    probes = [],
    pilot = { kind: 'none' },
    suite = frameworksPlan,
    ...parts
  }: Partial<Omit<RunRecord, 'slices' | 'plan' | 'suite' | 'targets'>> & {
    targets?: LocalTarget[];
    suite?: NamedRules;
    options?: Partial<RunOptions>;
    probes?: LocalTarget[];
    pilot?: PilotResult;
  },
  story: Story,
): RunRecord {
  const plan = makePlan(suite, makeOptions(options), targets, machine, { probing: probes, pilot });
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  return {
    ...newRecord(
      { suite: suite.name, workload: suite.workload ?? null, machine, targets, plan },
      startedAt,
    ),
    state: 'complete',
    slices: makeSlices(plan, story),
    ...parts,
  };
}

/** Every slice of a plan, as the story tells; open loops keep their plan where nothing else is said. */
export function makeSlices(plan: Plan, story: Story): Slice[] {
  return plan.launches.flatMap((groups, launch) =>
    groups.flatMap((group) =>
      group.rounds.flatMap((order, round) =>
        order.flatMap((id): Slice[] => {
          const cell = cellOf(plan, id);
          const happened = story(cell, launch, round);
          if (happened === null) return [];
          const isOpen = loadOf(plan, cell.load).kind === 'open';
          const measurement = makeMeasurement({ ...(isOpen ? { pace: {} } : {}), ...happened });
          return [{ cell: id, launch, round, startedNs: 0, handler: null, measurement }];
        }),
      ),
    ),
  );
}

/** An estimate with an interval. */
export function interval(value: number, low: number, high: number): Estimate {
  return { kind: 'interval', value, low, high };
}
