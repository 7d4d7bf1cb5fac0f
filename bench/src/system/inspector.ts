/** Looks into a Node process on this machine, by its inspector: where its CPU time goes, and when it collects garbage. */
import { z } from 'zod';
import { type Collection, watchCollections } from './collections.ts';
import { Session, textAnswerSchema } from './inspector-session.ts';
import { CAN_SEE_SOCKETS } from './sockets.ts';

/** Whether this system tells where an inspector listens. */
export const CAN_PROFILE = CAN_SEE_SOCKETS;

/**
 * What Node is told before its script: the inspector, once it is woken, takes any free port; and V8 keeps for
 * all code which function each place of it came from, without which what is inlined counts as its caller.
 */
export const FOR_PROFILES = ['--inspect-port=127.0.0.1:0', '--detailed-line-info'];

const frameSchema = z.object({
  functionName: z.string(),
  scriptId: z.string(),
  url: z.string(),
  /** From 0; -1 where there is no file. */
  lineNumber: z.int(),
});
/** A function as a profile names it. */
export type Frame = z.infer<typeof frameSchema>;

const nodeSchema = z.looseObject({
  id: z.int(),
  callFrame: frameSchema.loose(),
  /** The functions that it called there, by their nodes. */
  children: z.array(z.int()).default([]),
  /** How often it was found at each line, from 1: at one of another function where that is inlined. */
  positionTicks: z.array(z.object({ line: z.int(), ticks: z.int() })).default([]),
});

const cpuProfileSchema = z.looseObject({
  nodes: z.array(nodeSchema),
  /** On the monotonic clock, µs. */
  startTime: z.number(),
  /** The node that was found at each sample. */
  samples: z.array(z.int()),
  /** How long after the sample before it each was taken, µs. */
  timeDeltas: z.array(z.number()),
});
/** What V8's sampler saw, as the developer tools have it (`Profiler.Profile`). */
export type CpuProfile = z.infer<typeof cpuProfileSchema>;

/** What is seen in a process from the start of a watch to its end. */
export interface Watched {
  collections: Collection[];
  /** Null where V8's sampler was not asked. */
  sampled: Sampled | null;
}

/** A watch that goes on. */
export interface Watch {
  /** Ends it. @throws when the process is gone, or does not answer. */
  stop(): Promise<Watched>;
}

const scriptSchema = z.looseObject({
  scriptId: z.string(),
  url: z.string(),
  functions: z.array(
    z.looseObject({
      functionName: z.string(),
      /** In characters of the source; the first is the function's own. */
      ranges: z.array(z.looseObject({ startOffset: z.int(), endOffset: z.int() })).min(1),
    }),
  ),
});
/** A script, and where in it the functions are that have run. */
export type Script = z.infer<typeof scriptSchema>;

/** A profile, with what it takes to read it. */
export interface Sampled {
  profile: CpuProfile;
  scripts: Script[];
  /** The sources of Node's own modules, by name; none where this Node does not tell. */
  builtins: Record<string, string>;
}

/** V8's sampler looks this often at best, µs. */
const INTERVAL_US = 500;

/**
 * Starts to watch a Node process that listens on these ports itself: when its collector runs and, where it is
 * asked for, where V8's sampler finds it.
 * @throws when the process is gone, or has no inspector.
 */
export async function startWatching(
  pid: number,
  own: readonly number[],
  { isSampled }: { isSampled: boolean },
): Promise<Watch> {
  const session = await Session.open(pid, own);
  try {
    const endCollections = await watchCollections(session);
    if (isSampled) await startSampling(session);
    return {
      stop: async () => {
        try {
          const sampled = isSampled ? await stopSampling(session) : null;
          return { sampled, collections: await endCollections() };
        } finally {
          session.close();
        }
      },
    };
  } catch (error) {
    session.close();
    throw error;
  }
}

async function startSampling(session: Session): Promise<void> {
  await session.ask('Profiler.enable');
  await session.ask('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.ask('Profiler.start');
}

async function stopSampling(session: Session): Promise<Sampled> {
  const { profile } = stoppedSchema.parse(await session.ask('Profiler.stop'));
  const covered = await session.ask('Profiler.getBestEffortCoverage');
  const { result: scripts } = coverageSchema.parse(covered);
  await session.ask('Profiler.disable');
  return { profile, scripts, builtins: await builtinsOf(session) };
}

/** What Node's own modules are made of: no other way leads to it that leaves the code as fast as it was. */
async function builtinsOf(session: Session): Promise<Record<string, string>> {
  const version = (await textOf(session, 'process.version')) ?? '';
  const known = BUILTINS.get(version);
  if (known !== undefined) return known;
  const told = await textOf(session, "JSON.stringify(process.binding('natives'))");
  const sources = told === null ? {} : sourcesSchema.parse(JSON.parse(told));
  BUILTINS.set(version, sources);
  return sources;
}

/** By the version of Node, which has megabytes of them. */
const BUILTINS = new Map<string, Record<string, string>>();

/** What a piece of code comes to there; null where it throws, or is no text. */
async function textOf(session: Session, expression: string): Promise<string | null> {
  const answer = await session.ask('Runtime.evaluate', { expression, returnByValue: true });
  const told = textAnswerSchema.safeParse(answer);
  return told.success ? told.data.result.value : null;
}

const sourcesSchema = z.record(z.string(), z.string());
const coverageSchema = z.object({ result: z.array(scriptSchema) });
const stoppedSchema = z.object({ profile: cpuProfileSchema });
