/** Builders of targets, machines, options, plans, measurements and records; everything has a default. */
import * as hdr from 'hdr-histogram-js';
import type { Block, Measurement } from '../../src/load/measurement.ts';
import type { Estimate } from '../../src/math/statistics.ts';
import { type ClosedLoad, closedLoad, type OpenLoad, openLoad } from '../../src/plan/loads.ts';
import { makePlan, type PlanRules } from '../../src/plan/make-plan.ts';
import { type Cell, cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import { newRecord, type RunRecord, type Slice } from '../../src/record/record.ts';
import type { Amounts } from '../../src/request/amounts.ts';
import { type RunKind, type RunOptions, runOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import type { Suite } from '../../src/suites/suite.ts';
import type { Machine } from '../../src/system/machine.ts';
import { type Exchange, textExchange } from '../../src/targets/exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../../src/targets/targets.ts';

const HELLO = textExchange('Hello World!');

export function makeTarget(name: string, parts: Partial<LocalTarget> = {}): LocalTarget {
  return {
    ...TARGET_DEFAULTS,
    suite: 'frameworks',
    label: name,
    start: ['node', 'dist/main.js'],
    port: 3001,
    requests: [HELLO],
    name,
    directory: `/packages/${name}`,
    ...parts,
  };
}

/** A target; with three more values a variant of one before it, by a change of its environment variables. */
export type TargetRow = [
  name: string,
  label: string,
  variantOf?: string | null,
  variant?: string | null,
  env?: Record<string, string>,
];

/** The targets of these rows; a variant has the environment of its base, with its own changes. */
export function makeTargets(
  rows: readonly TargetRow[],
  partsOf: (name: string) => Partial<LocalTarget>,
): LocalTarget[] {
  const made = new Map<string, LocalTarget>();
  for (const [name, label, variantOf = null, variant = null, env = {}] of rows) {
    const base = made.get(variantOf ?? '');
    const related = { variantOf, over: variantOf, variant, env: { ...base?.env, ...env } };
    made.set(name, makeTarget(name, { label, ...related, ...partsOf(name) }));
  }
  return [...made.values()];
}

/** The first request of a target, with its answer. @throws without one. */
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

/** A machine with four cores, and enough of everything. */
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

/** A closed load of slices of 1 s. */
export function makeLoad(parts: Partial<ClosedLoad> = {}): ClosedLoad {
  return closedLoad({ id: 'custom', label: 'under the custom load', connections: 1000, ...parts });
}

/** An open load of slices of 1 s. */
export function makeOpenLoad(parts: Partial<OpenLoad> = {}): OpenLoad {
  return openLoad({ ratePerS: 500, driver: 'pacer', connections: 1000, ...parts });
}

const AMOUNTS: Amounts = {
  topologies: ['single'],
  connections: 1000,
  pipelining: 1,
  durationS: 6,
  sliceS: 1,
  launches: 2,
  warmupS: 1,
};
const USUAL = runOptions({ name: 'test', defaults: () => AMOUNTS }, {}, 1, (problem) => {
  throw new Error(problem);
});

/** Options for two launches with three slices of 1 s, of single processes. */
export function makeOptions(parts: Partial<RunOptions> = {}): RunOptions {
  return { ...USUAL, ...parts };
}

export type NamedRules = PlanRules & Pick<RunKind, 'name'> & Partial<Pick<Suite, 'workload'>>;

interface Planned {
  suite?: NamedRules;
  targets?: LocalTarget[];
  machine?: Machine;
  probes?: LocalTarget[];
  pilot?: Plan['pilot'];
}

export function planOf(options: Partial<RunOptions> = {}, planned: Planned = {}): Plan {
  const { suite = frameworks, targets = STACK, machine = makeMachine() } = planned;
  const { probes: probing = [], pilot = { kind: 'none' } } = planned;
  return makePlan(suite, makeOptions(options), targets, machine, { probing, pilot });
}

/** Parts of a measurement that a test can give directly. */
const USUAL_PARTS = {
  warmupCapped: false,
  scheduling: null,
  idleNsPerS: 0,
  isQuiet: null,
  generators: 1,
  throttling: null,
  // The generator's event loop sleeps.
  turns: { all: 0, empty: 0, idleNs: 0 },
  roundTrip: null,
  series: [],
  services: {},
  openedNs: 0,
  mainThread: null,
  requests: [],
} satisfies Partial<Measurement>;

/** What happened in a slice; counts that are not given are 0. */
export interface Happened extends Partial<Pick<Measurement, keyof typeof USUAL_PARTS>> {
  ok?: number;
  wrongStatus?: number;
  wrongBody?: number;
  timedOut?: number;
  disconnected?: number;
  inFlight?: number;
  /** Requests that were sent and are in no other count. */
  unaccounted?: number;
  windowS?: number;
  bytesPerResponse?: number;
  cpuUsPerResponse?: number;
  harnessCpuMs?: number;
  generatorCpuMs?: number;
  /** CPU time of each process of the server; by default one process has all of it. */
  workersCpuMs?: number[];
  /** How long the server's processes waited for a core. */
  waitMs?: number;
  /** What the system reports; `foreignCpuMs` is the CPU time of other programs. */
  system?: { stealMs?: number; throttledMs?: number; foreignCpuMs?: number };
  halfway?: { s: number; ok: number };
  /** The turns of an interleaved window; between them the server did nothing, unless `chargedNs` is more. */
  blocks?: (Pick<Block, 'cpuNs' | 'answers'> & Partial<Block>)[];
  hasSettled?: boolean | null;
  /** Each latency is that of an equal share of the answers. */
  latenciesMs?: number[];
  /** How long each lost request, and each that was in flight at the end, had waited. */
  lostAgesMs?: number[];
  inFlightAgesMs?: number[];
  serverBytes?: number;
  managerBytes?: number;
  /** Peak of the server; by default `serverBytes`. */
  peakBytes?: number;
  /** How an open loop kept its plan of all requests sent, dropped or lost. */
  pace?: { dropped?: number; lost?: number; late?: number; latenessMs?: number[] | null };
  /** What the server's own clock says of its requests. */
  handler?: Slice['handler'];
}

export function makeMeasurement(happened: Happened = {}): Measurement {
  const { ok = 0, wrongStatus = 0, wrongBody = 0, timedOut = 0, disconnected = 0 } = happened;
  const { inFlight = 0, unaccounted = 0, windowS = 1, cpuUsPerResponse = 10 } = happened;
  const { harnessCpuMs = 0, generatorCpuMs = 0, waitMs = 0, workersCpuMs } = happened;
  const { halfway, system, latenciesMs = [], serverBytes = 90e6, managerBytes = 0 } = happened;
  const responses = ok + wrongStatus + wrongBody;
  const sent = responses + timedOut + disconnected + inFlight + unaccounted;
  const counts = { sent, ok, wrongStatus, wrongBody, timedOut, disconnected };
  const serverCpuNs = responses * cpuUsPerResponse * 1000;
  const { blocks = [{ cpuNs: serverCpuNs, answers: responses }] } = happened;
  const { stealMs = 0, throttledMs = 0, foreignCpuMs = 0 } = system ?? {};
  const busyNs = serverCpuNs + (harnessCpuMs + generatorCpuMs + foreignCpuMs) * 1e6;
  const given = Object.entries(happened).filter(([key]) => key in USUAL_PARTS);
  return {
    ...USUAL_PARTS,
    ...Object.fromEntries(given),
    windowNs: windowS * 1e9,
    leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: happened.hasSettled ?? null },
    blocks: blocks.map((block) => {
      return { chargedNs: block.cpuNs, ns: (windowS * 1e9) / blocks.length, ...block };
    }),
    halfway: halfway ? { ns: halfway.s * 1e9, ok: halfway.ok } : null,
    ledger: { ...counts, inFlight },
    window: { ...counts, bytes: responses * (happened.bytesPerResponse ?? 200) },
    latencyHistogram: makeHistogram(latenciesMs, ok),
    agesHistograms: makeAges(happened),
    cpu: {
      server: { cpuNs: serverCpuNs, waitNs: waitMs * 1e6 },
      manager: { cpuNs: 0, waitNs: 0 },
      harness: { cpuNs: harnessCpuMs * 1e6, waitNs: 0 },
      generator: { cpuNs: generatorCpuMs * 1e6, waitNs: 0 },
    },
    workersCpuNs: workersCpuMs?.map((cpuMs) => cpuMs * 1e6) ?? [serverCpuNs],
    system: system ? { stealNs: stealMs * 1e6, throttledNs: throttledMs * 1e6, busyNs } : null,
    memory: { server: serverBytes, manager: managerBytes },
    peak: { server: happened.peakBytes ?? serverBytes },
    pace: makePace(happened.pace, sent),
  };
}

function makePace(pace: Happened['pace'], sent: number): Measurement['pace'] {
  if (pace === undefined) return null;
  const { dropped = 0, lost = 0, late = 0, latenessMs = [0.1] } = pace;
  const planned = sent + dropped + lost;
  const lateness = latenessMs && { late, histogram: makeHistogram(latenessMs, planned) };
  return { planned, dropped, lost, lateness };
}

function makeAges({ lostAgesMs, inFlightAgesMs }: Happened): Measurement['agesHistograms'] {
  if (lostAgesMs === undefined && inFlightAgesMs === undefined) return null;
  return { lost: makeHistogram(lostAgesMs), inFlight: makeHistogram(inFlightAgesMs) };
}

/** How long requests without an answer had waited, µs. @throws if this was not recorded. */
export function agesOf({ agesHistograms }: Measurement) {
  if (agesHistograms === null) throw new Error('the ages of requests were not recorded');
  const { lost, inFlight } = agesHistograms;
  const decode = hdr.decodeFromCompressedBase64;
  return { lost: decode(lost), inFlight: decode(inFlight) };
}

/** Histograms by what is in them: encoding takes most of the time of making a record, and few slices differ. */
const ENCODED = new Map<string, string>();

/** A histogram of these times, as the generator encodes it, of this many in all; by default one of each. */
function makeHistogram(timesMs: readonly number[] = [], all = timesMs.length): string {
  const ofEach = Math.max(1, Math.round(all / timesMs.length));
  const key = `${ofEach} of ${timesMs.join()}`;
  const known = ENCODED.get(key);
  if (known !== undefined) return known;
  const histogram = hdr.build({ highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 });
  for (const ms of timesMs) histogram.recordValueWithCount(ms * 1000, ofEach);
  const encoded = hdr.encodeIntoCompressedBase64(histogram);
  ENCODED.set(key, encoded);
  return encoded;
}

/** What happens in a slice; null for a slice that is not in the record. */
export type Story = (cell: Cell, launch: number, round: number) => Happened | null;

/** A story that differs in some cells; with null, these have no slices. */
export function otherwise(
  usual: Story,
  isIt: (cell: Cell) => boolean,
  other: Happened | null,
): Story {
  return (cell, ...when) => {
    const happened = usual(cell, ...when);
    if (!isIt(cell)) return happened;
    return other && { ...happened, ...other };
  };
}

export type Recorded = Planned & { options?: Partial<RunOptions> } & Partial<
    Omit<RunRecord, 'slices' | 'plan' | 'suite' | 'targets'>
  >;

/** The record of a complete run, with the slices of the story. */
export function makeRecord(recorded: Recorded, story: Story): RunRecord {
  const { probes: _, pilot: __, suite = frameworks, targets = STACK, ...rest } = recorded;
  const { options, machine = makeMachine(), ...parts } = rest;
  const { name, workload = null } = suite;
  const plan = planOf(options, { ...recorded, machine });
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  return {
    ...newRecord({ suite: name, workload, machine, targets, plan }, startedAt),
    state: 'complete',
    slices: makeSlices(plan, story),
    ...parts,
  };
}

/** The slices of a plan and a story; open loops keep their plan by default. */
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
          const { handler = null } = happened;
          return [{ cell: id, launch, round, startedNs: 0, handler, measurement }];
        }),
      ),
    ),
  );
}

export function makeSlice(happened: Happened = {}): Slice {
  const place = { cell: 'a/single/cost', launch: 0, round: 0, startedNs: 0, handler: null };
  return { ...place, measurement: makeMeasurement(happened) };
}

export function interval(value: number, low: number, high: number): Estimate {
  return { kind: 'interval', value, low, high };
}
