import { z } from 'zod';
import { measurementSchema } from '../load/measurement.ts';
import { batchSchema } from '../load/protocol.ts';
import { planSchema } from '../plan/plan.ts';
import { SERVICE_NAMES } from '../services/index.ts';
import { machineSchema } from '../system/machine.ts';
import { recordedExchange, withoutSecrets } from '../targets/exchange.ts';
import { type LocalTarget, type Target, targetSchema } from '../targets/targets.ts';
import { workloadSchema } from '../workload/declaration.ts';
import { collectedSchema, profileSchema } from './profile.ts';

const HEAD = { schema: 'overhead.run', version: 9 } as const;

export const handlerTimeSchema = z.object({
  medianNs: z.number(),
  meanNs: z.number(),
  /** Of the garbage collector, per request; null if nobody measured it. */
  gcNs: z.number().nullable(),
});
/** The time in a server's handler, by its own clock, over the requests of a slice. */
export type HandlerTime = z.infer<typeof handlerTimeSchema>;

const sliceSchema = z.object({
  cell: z.string(),
  /** From 0. */
  launch: z.int().min(0),
  /** From 0, within the launch. */
  round: z.int().min(0),
  /** Since the start of the run, ns. */
  startedNs: z.number().min(0),
  /** Null for servers without a timer of their own. */
  handler: handlerTimeSchema.nullable(),
  measurement: measurementSchema,
});
/** One measurement of one cell. */
export type Slice = z.infer<typeof sliceSchema>;

const warmupBatchSchema = batchSchema.extend({
  /** The number of answers that it should end with; null if it ended by the clock. */
  asked: z.int().min(0).nullable(),
});
export type WarmupBatch = z.infer<typeof warmupBatchSchema>;

const warmupSchema = z.object({
  server: z.string(),
  launch: z.int().min(0),
  batches: z.array(warmupBatchSchema),
  /** From the start of the first batch to the end of the last, ns. */
  ns: z.number().min(0),
  /** Whether the server settled, or the time was up before. */
  outcome: z.enum(['settled', 'capped']),
});
export type Warmup = z.infer<typeof warmupSchema>;

const startSchema = z.object({
  server: z.string(),
  launch: z.int().min(0),
  /** Memory of its processes, verified and before any load, bytes. */
  bytes: z.number().min(0),
  /** From start to first right answer, ns, as if asked once it listened; null if external, and in older records. */
  startNs: z.number().min(0).nullable().default(null),
  /** The results of the commands that check its answers, if its target declares any. */
  judged: z
    .array(z.object({ request: z.string(), figures: z.record(z.string(), z.number()) }))
    .default([]),
});
/** A server before its first load. */
export type Start = z.infer<typeof startSchema>;

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
  /** The last lines of its output. */
  logTail: z.array(z.string()),
  /** Whether one of its processes was gone. */
  died: z.boolean(),
});
/** A server that could not be measured, or not any further. */
export type Failure = z.infer<typeof failureSchema>;

const serviceNameSchema = z.enum(SERVICE_NAMES);
const serviceRunSchema = z.object({
  name: serviceNameSchema,
  /** From 0; each group of the launch has an instance of its own. */
  launch: z.int().min(0),
  version: z.string(),
  /** CPU time in a second with the servers up and before any load, ns. */
  idleNsPerS: z.number(),
});

const serviceFailureSchema = z.object({
  name: serviceNameSchema,
  launch: z.int().min(0),
  when: z.enum(['start', 'warm-up', 'slice']),
  message: z.string(),
  logTail: z.array(z.string()),
  /** The servers that need it, which are lost in this launch, and in no other. */
  servers: z.array(z.string()),
});
/** A service that did not start, or died. */
export type ServiceFailure = z.infer<typeof serviceFailureSchema>;

/** A measurement in which the generators failed, so that it was repeated with new ones. */
const repeatSchema = z.object({
  cells: z.array(z.string()),
  launch: z.int().min(0),
  message: z.string(),
});

/** What a run adds to its record. */
export const observationsShape = z.object({
  starts: z.array(startSchema).default([]),
  warmups: z.array(warmupSchema),
  idle: z.array(idleUseSchema),
  slices: z.array(sliceSchema),
  hadOtherRuns: z.boolean().default(false),
  /** Of cells that V8 sampled. */
  profiles: z.array(profileSchema).default([]),
  /** Of these cells, and of those that they are compared with. */
  collected: z.array(collectedSchema).default([]),
  failures: z.array(failureSchema),
  repeats: z.array(repeatSchema).default([]),
  services: z.array(serviceRunSchema).default([]),
  serviceFailures: z.array(serviceFailureSchema).default([]),
});
const recordShape = z.object({
  schema: z.literal(HEAD.schema),
  version: z.literal(HEAD.version),
  /** The kind of run; for a workload, its name. */
  suite: z.string(),
  /** The declaration of the workload; null for a kind of run that is code. */
  workload: workloadSchema.nullable().default(null),
  /** The words after `pnpm bench` that measure the same again; empty if nobody kept them. */
  command: z.array(z.string()).default([]),
  startedAt: z.iso.datetime(),
  /** `running` in a file means that the run was cut off after the last saved round. */
  state: z.enum(['running', 'complete', 'interrupted']),
  /** Since the start of the run, ns. */
  wallNs: z.number().min(0),
  /** From the end of the first slice to the first table, ns; null before that. */
  firstTableNs: z.number().min(0).nullable(),
  /** Peak resident memory of the harness and its guardian, without generators, bytes. */
  harnessPeakBytes: z.number().min(0),
  machine: machineSchema,
  targets: z.array(targetSchema),
  plan: planSchema,
  ...observationsShape.shape,
});
export const recordSchema = recordShape.check(({ value, issues }) => {
  for (const [path, message] of problemsOf(value)) {
    issues.push({ code: 'custom', path, message, input: value });
  }
});

/** Everything that a run observed; every report is made from it alone. Times in ns, memory in bytes. */
export type RunRecord = z.infer<typeof recordSchema>;

/** The record of a run that is about to begin, without the location of the targets on this machine. */
export function newRecord(
  parts: Pick<RunRecord, 'suite' | 'machine' | 'plan'> &
    Partial<Pick<RunRecord, 'command' | 'workload'>> & { targets: readonly LocalTarget[] },
  startedAt: Date,
): RunRecord {
  const targets = parts.targets.map((target) => {
    const shown = target.hidesRequests ? target.requests.map(withoutSecrets) : target.requests;
    return targetSchema.parse({ ...target, requests: shown.map(recordedExchange) });
  });
  return {
    ...HEAD,
    command: [],
    workload: null,
    startedAt: startedAt.toISOString(),
    state: 'running',
    wallNs: 0,
    firstTableNs: null,
    harnessPeakBytes: 0,
    ...parts,
    targets,
    ...observationsShape.parse({ warmups: [], idle: [], slices: [], failures: [] }),
  };
}

type Problem = [path: (string | number)[], message: string];

/** What is wrong with a record whose parts are each right by themselves. */
function* problemsOf({ targets, plan, slices }: z.infer<typeof recordShape>): Generator<Problem> {
  const known = {
    target: { path: ['targets'], ids: targets.map(({ name }) => name) },
    topology: { path: ['plan', 'topologies'], ids: plan.topologies.map(({ id }) => id) },
    load: { path: ['plan', 'loads'], ids: plan.loads.map(({ id }) => id) },
    cell: { path: ['plan', 'cells'], ids: [...plan.cells, ...plan.probes].map(({ id }) => id) },
  };
  for (const { path, ids } of Object.values(known)) {
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    if (twice !== undefined) yield [path, `there are two of "${twice}"`];
  }
  for (const kind of ['cells', 'probes'] as const) {
    for (const [place, cell] of plan[kind].entries()) {
      for (const key of ['target', 'topology', 'load'] as const) {
        // A record does not have the targets of probes, which are never shown.
        if (known[key].ids.includes(cell[key]) || (kind === 'probes' && key === 'target')) continue;
        yield [['plan', kind, place, key], `there is no ${key} "${cell[key]}"`];
      }
    }
  }
  const cells = new Set(known.cell.ids);
  const seen = new Set<string>();
  for (const [place, { cell, launch, round }] of slices.entries()) {
    if (!cells.has(cell)) yield [['slices', place, 'cell'], `the plan has no "${cell}"`];
    const slice = `${launch} ${round} ${cell}`;
    if (seen.has(slice)) yield [['slices', place], 'it is there twice'];
    seen.add(slice);
  }
}

/** The target of a record with this name. @throws if there is none. */
export function targetOf(record: RunRecord, name: string): Target {
  const target = record.targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`the record has no target "${name}"`);
  return target;
}
