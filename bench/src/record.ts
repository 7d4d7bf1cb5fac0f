import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { messageOf, UserError } from './errors.ts';
import { measurementSchema } from './load/protocol.ts';
import { machineSchema } from './machine.ts';
import { planSchema } from './plan.ts';
import { type Target, targetSchema } from './targets.ts';

const SCHEMA = 'overhead.run';
const VERSION = 2;

export const handlerTimeSchema = z.object({ medianNs: z.number(), meanNs: z.number() });
/** What a server's handler took for a request, by its own clock, over the slice's requests. */
export type HandlerTime = z.infer<typeof handlerTimeSchema>;

const sliceSchema = z.object({
  cell: z.string(),
  /** From 0. */
  launch: z.int(),
  /** From 0, within the launch. */
  round: z.int(),
  /** Since the run began, ns. */
  startedNs: z.number(),
  /** Null for servers without a clock of their own. */
  handler: handlerTimeSchema.nullable(),
  measurement: measurementSchema,
});
/** One piece of measurement of one cell. */
export type Slice = z.infer<typeof sliceSchema>;

const failureSchema = z.object({
  /** The server that failed, and with it its cells. */
  server: z.string(),
  launch: z.int(),
  when: z.enum(['start', 'verify', 'warm-up', 'slice']),
  message: z.string(),
  /** The last lines it wrote. */
  lastWords: z.array(z.string()),
  /** One of its processes was gone. */
  died: z.boolean(),
});
/** A server that could not be measured (any further). */
export type Failure = z.infer<typeof failureSchema>;

export const recordSchema = z.object({
  schema: z.literal(SCHEMA),
  version: z.literal(VERSION),
  startedAt: z.iso.datetime(),
  /** `running` in a file means that the run was cut off after the last saved round. */
  state: z.enum(['running', 'complete', 'interrupted']),
  /** Since the run began, ns. */
  wallNs: z.number(),
  /** From the end of the first slice to the first table, ns; null before that. */
  firstTableNs: z.number().nullable(),
  /** Resident memory of the harness and its guardian at their peak, bytes; generators apart. */
  harnessPeakBytes: z.number(),
  machine: machineSchema,
  targets: z.array(targetSchema),
  plan: planSchema,
  slices: z.array(sliceSchema),
  failures: z.array(failureSchema),
});

/** All that a run saw. Times in ns, memory in bytes; every report is made from it alone. */
export type RunRecord = z.infer<typeof recordSchema>;

/** A record of a run that is about to begin; where the targets are on this machine stays out of it. */
export function newRecord(
  parts: Pick<RunRecord, 'machine' | 'targets' | 'plan'>,
  startedAt: Date,
): RunRecord {
  return {
    schema: SCHEMA,
    version: VERSION,
    startedAt: startedAt.toISOString(),
    state: 'running',
    wallNs: 0,
    firstTableNs: null,
    harnessPeakBytes: 0,
    ...parts,
    targets: parts.targets.map((target) => targetSchema.parse(target)),
    slices: [],
    failures: [],
  };
}

/**
 * Saves a record so that the file is always whole: the old one or the new one.
 * @throws UserError when it can't be written.
 */
export async function saveRecord(path: string, record: RunRecord): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
  } catch (cause) {
    const next = 'Name a file that can be written with --out.';
    throw new UserError(`can't save the record: ${messageOf(cause)}`, next, { cause });
  }
}

/**
 * Reads a record.
 * @throws UserError for a file that can't be read, is no record, or is of another version.
 */
export function readRecord(path: string): RunRecord {
  const next = 'Name a record that a run of this version saved; they are in results/.';
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, next, { cause });
  }
  const head = z.object({ schema: z.string(), version: z.number() }).safeParse(content);
  if (!head.success || head.data.schema !== SCHEMA) {
    throw new UserError(`${path} is not a record of overhead`, next);
  }
  if (head.data.version !== VERSION) {
    throw new UserError(
      `${path} is a record of version ${head.data.version}; this is version ${VERSION}`,
      'Read it with the version of overhead that wrote it.',
    );
  }
  const record = recordSchema.safeParse(content);
  if (record.success) return record.data;
  const [issue] = record.error.issues;
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'it breaks the schema';
  throw new UserError(`${path} is damaged: ${where}`, next, { cause: record.error });
}

/** The target of this name in a record. @throws when there is none. */
export function targetOf(record: RunRecord, name: string): Target {
  const target = record.targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`the record has no target "${name}"`);
  return target;
}
