import { z } from 'zod';
import { measurementSchema } from '../load/measurement.ts';
import { batchSchema } from '../load/protocol.ts';
import { planSchema } from '../plan/plan.ts';
import { machineSchema } from '../system/machine.ts';
import { recordedExchange, withoutSecrets } from '../targets/exchange.ts';
import { type LocalTarget, type Target, targetSchema } from '../targets/targets.ts';
import { workloadSchema } from '../workload/declaration.ts';
import { collectedSchema, profileSchema } from './profile.ts';
import { serviceFailureSchema, serviceRunSchema } from './services.ts';

const SCHEMA = 'overhead.run';
const VERSION = 9;

export const handlerTimeSchema = z.object({
  medianNs: z.number(),
  meanNs: z.number(),
  /** What the garbage collector took, for each request; null where nobody looked. */
  gcNs: z.number().nullable(),
});
/** What a server's handler took for a request, by its own clock, over the slice's requests. */
export type HandlerTime = z.infer<typeof handlerTimeSchema>;

const sliceSchema = z.object({
  cell: z.string(),
  /** From 0. */
  launch: z.int().min(0),
  /** From 0, within the launch. */
  round: z.int().min(0),
  /** Since the run began, ns. */
  startedNs: z.number().min(0),
  /** Null for servers without a clock of their own. */
  handler: handlerTimeSchema.nullable(),
  measurement: measurementSchema,
});
/** One piece of measurement of one cell. */
export type Slice = z.infer<typeof sliceSchema>;

const warmupBatchSchema = batchSchema.extend({
  /** Answers that it was to end with; null where it ended by the clock. */
  asked: z.int().min(0).nullable(),
});
/** What a server did in one piece of its warm-up. */
export type WarmupBatch = z.infer<typeof warmupBatchSchema>;

const warmupSchema = z.object({
  server: z.string(),
  launch: z.int().min(0),
  /** Batch by batch. */
  batches: z.array(warmupBatchSchema),
  /** From the first batch to the end of the last, ns. */
  ns: z.number().min(0),
  /** Whether the server was seen to have settled, or the time was up before that. */
  outcome: z.enum(['settled', 'capped']),
});
/** How a server was warmed up after a start. */
export type Warmup = z.infer<typeof warmupSchema>;

const startSchema = z.object({
  server: z.string(),
  launch: z.int().min(0),
  /** Memory of its processes, as they were verified and before any load, bytes. */
  bytes: z.number().min(0),
  /**
   * From its start to the first right answer, ns, as if it had been asked once it accepted connections; null where
   * somebody else started it. Older records have none.
   */
  startNs: z.number().min(0).nullable().default(null),
  /** What the commands that judge answers found out about each, where its target declares such. */
  judged: z
    .array(z.object({ request: z.string(), figures: z.record(z.string(), z.number()) }))
    .default([]),
});
/** A server as it was before its first load. */
export type Start = z.infer<typeof startSchema>;

/** What a server uses while nobody asks for anything. */
const idleUseSchema = z.object({
  server: z.string(),
  launch: z.int().min(0),
  /** CPU time of its processes in a second, ns. */
  nsPerS: z.number().min(0),
});

const failureSchema = z.object({
  /** The server that failed, and with it its cells. */
  server: z.string(),
  launch: z.int().min(0),
  when: z.enum(['start', 'verify', 'warm-up', 'slice']),
  message: z.string(),
  /** The last lines it wrote. */
  logTail: z.array(z.string()),
  /** One of its processes was gone. */
  died: z.boolean(),
});
/** A server that could not be measured (any further). */
export type Failure = z.infer<typeof failureSchema>;

const repeatSchema = z.object({
  cells: z.array(z.string()),
  launch: z.int().min(0),
  message: z.string(),
});
/** A measurement that was thrown away, since the generators failed in it, and was taken again with new ones. */
export type Repeat = z.infer<typeof repeatSchema>;

const recordShape = z.object({
  schema: z.literal(SCHEMA),
  version: z.literal(VERSION),
  /** The kind of run; of a workload its name. */
  suite: z.string(),
  /** What the workload declares; null for a kind of run that is code. */
  workload: workloadSchema.nullable().default(null),
  /** The words after `pnpm bench` that measure the same again; empty where nobody kept them. */
  command: z.array(z.string()).default([]),
  startedAt: z.iso.datetime(),
  /** `running` in a file means that the run was cut off after the last saved round. */
  state: z.enum(['running', 'complete', 'interrupted']),
  /** Since the run began, ns. */
  wallNs: z.number().min(0),
  /** From the end of the first slice to the first table, ns; null before that. */
  firstTableNs: z.number().min(0).nullable(),
  /** Resident memory of the harness and its guardian at their peak, bytes; generators apart. */
  harnessPeakBytes: z.number().min(0),
  machine: machineSchema,
  targets: z.array(targetSchema),
  plan: planSchema,
  starts: z.array(startSchema).default([]),
  warmups: z.array(warmupSchema),
  idle: z.array(idleUseSchema),
  slices: z.array(sliceSchema),
  /** Other runs went on beside this one. */
  hadOtherRuns: z.boolean().default(false),
  /** Of cells whose functions V8 sampled. */
  profiles: z.array(profileSchema).default([]),
  /** Of these, and of those that they are held against. */
  collected: z.array(collectedSchema).default([]),
  failures: z.array(failureSchema),
  repeats: z.array(repeatSchema).default([]),
  /** Those that were started for servers. */
  services: z.array(serviceRunSchema).default([]),
  serviceFailures: z.array(serviceFailureSchema).default([]),
});
export const recordSchema = recordShape.check(({ value, issues }) => {
  for (const [path, message] of problemsOf(value)) {
    issues.push({ code: 'custom', path, message, input: value });
  }
});

/** All that a run saw. Times in ns, memory in bytes; every report is made from it alone. */
export type RunRecord = z.infer<typeof recordSchema>;

/** A record of a run that is about to begin; where the targets are on this machine stays out of it. */
export function newRecord(
  parts: Pick<RunRecord, 'suite' | 'machine' | 'plan'> & {
    command?: RunRecord['command'];
    workload?: RunRecord['workload'];
    targets: readonly LocalTarget[];
  },
  startedAt: Date,
): RunRecord {
  return {
    schema: SCHEMA,
    version: VERSION,
    command: [],
    workload: null,
    startedAt: startedAt.toISOString(),
    state: 'running',
    wallNs: 0,
    firstTableNs: null,
    harnessPeakBytes: 0,
    ...parts,
    targets: parts.targets.map((target) => {
      const shown = target.hidesRequests ? target.requests.map(withoutSecrets) : target.requests;
      const requests = shown.map(recordedExchange);
      return targetSchema.parse({ ...target, requests });
    }),
    starts: [],
    warmups: [],
    idle: [],
    slices: [],
    hadOtherRuns: false,
    profiles: [],
    collected: [],
    failures: [],
    repeats: [],
    services: [],
    serviceFailures: [],
  };
}

/** What is wrong with a record whose parts are right each by itself: where, and why. */
function* problemsOf({
  targets,
  plan,
  slices,
}: z.infer<typeof recordShape>): Generator<[path: (string | number)[], message: string]> {
  const { topologies, loads, cells, probes } = plan;
  const lists = [
    [['targets'], targets.map(({ name }) => name)],
    [['plan', 'topologies'], topologies.map(({ id }) => id)],
    [['plan', 'loads'], loads.map(({ id }) => id)],
    [['plan', 'cells'], [...cells, ...probes].map(({ id }) => id)],
  ] as const;
  for (const [path, ids] of lists) {
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    if (twice !== undefined) yield [[...path], `there are two of "${twice}"`];
  }
  const [names, ...known] = lists.map(([, ids]) => new Set<string>(ids));
  const [topologyIds, loadIds, cellIds] = known;
  for (const [place, { target, topology, load }] of [...cells, ...probes].entries()) {
    const path = place < cells.length ? ['cells', place] : ['probes', place - cells.length];
    // Nothing is shown of a probe's target, so that old records have none.
    if (place < cells.length && !names?.has(target))
      yield [['plan', ...path, 'target'], `there is no target "${target}"`];
    if (!topologyIds?.has(topology)) {
      yield [['plan', ...path, 'topology'], `there is no topology "${topology}"`];
    }
    if (!loadIds?.has(load)) yield [['plan', ...path, 'load'], `there is no load "${load}"`];
  }
  const taken = new Set<string>();
  for (const [place, { cell, launch, round }] of slices.entries()) {
    if (!cellIds?.has(cell)) yield [['slices', place, 'cell'], `the plan has no "${cell}"`];
    const slice = `${launch} ${round} ${cell}`;
    if (taken.has(slice)) yield [['slices', place], 'it is there twice'];
    taken.add(slice);
  }
}

/** The target of this name in a record. @throws when there is none. */
export function targetOf(record: RunRecord, name: string): Target {
  const target = record.targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`the record has no target "${name}"`);
  return target;
}
