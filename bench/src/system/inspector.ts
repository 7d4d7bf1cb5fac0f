/** Watches a Node process on this machine through its inspector: where its CPU time goes, and when it collects garbage. */
import { z } from 'zod';
import { type InspectorSession, openSession } from './inspector-session.ts';
import { CAN_SEE_SOCKETS } from './sockets.ts';

/** Whether this system says where an inspector listens. */
export const CAN_PROFILE = CAN_SEE_SOCKETS;

/**
 * Options of Node: the inspector takes any free port once it is woken, and V8 keeps the origin of each position in
 * its code, without which inlined functions count as their callers.
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
  /** The nodes of the functions that it called there. */
  children: z.array(z.int()).default([]),
  /** The samples at each line, from 1; a line may be that of an inlined function. */
  positionTicks: z.array(z.object({ line: z.int(), ticks: z.int() })).default([]),
});

const cpuProfileSchema = z.looseObject({
  nodes: z.array(nodeSchema),
  /** On the monotonic clock, µs. */
  startTime: z.number(),
  /** The node of each sample. */
  samples: z.array(z.int()),
  /** The time from the previous sample to each, µs. */
  timeDeltas: z.array(z.number()),
});
/** A CPU profile of V8, `Profiler.Profile` of the DevTools protocol. */
export type CpuProfile = z.infer<typeof cpuProfileSchema>;

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
/** A script, and the positions of the functions that have run. */
export type Script = z.infer<typeof scriptSchema>;

/** A profile, with what is needed to read it. */
export interface Sampled {
  profile: CpuProfile;
  scripts: Script[];
  /** The sources of Node's own modules, by name; none where this Node does not give them. */
  builtins: Record<string, string>;
}

/** A pause of the main thread for garbage collection, on the machine's monotonic clock. */
export interface Collection {
  beganNs: number;
  ns: number;
}

/** What was seen in a process from the start of a watch to its end. */
export interface Watched {
  collections: Collection[];
  /** Null without V8's sampler. */
  sampled: Sampled | null;
}

/** The shortest sampling interval of V8, µs. */
const INTERVAL_US = 500;

/**
 * Starts to watch the garbage collections of a Node process that listens on these ports itself and, if asked, samples
 * its CPU time. Returns a function that ends the watch and returns what was seen.
 * @throws, as that function does, when the process is gone, or has no inspector or no `perf_hooks`.
 */
export async function startWatching(
  pid: number,
  own: readonly number[],
  { isSampled }: { isSampled: boolean },
): Promise<() => Promise<Watched>> {
  await using opened = new AsyncDisposableStack();
  const session = await openSession(pid, own);
  opened.defer(() => session.close());
  const endCollections = await watchCollections(session);
  if (isSampled) {
    await session.ask('Profiler.enable');
    await session.ask('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.ask('Profiler.start');
  }
  const watching = opened.move();
  return async () => {
    await using _watching = watching;
    const sampled = isSampled ? await stopSampling(session) : null;
    return { sampled, collections: await endCollections() };
  };
}

/** Runs in the process: records each collection from now on, until the function that it returns is called. */
const WATCH = `(() => {
  const { PerformanceObserver, performance } = require('node:perf_hooks');
  const seen = [];
  const note = (entries) => {
    for (const { startTime, duration } of entries) seen.push([startTime, duration]);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    note(observer.takeRecords());
    observer.disconnect();
    const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
    return JSON.stringify({ zeroMs, seen });
  };
})()`;

/** Calls what `WATCH` returned. */
const END = 'function () { return this(); }';

const handleSchema = z.object({ result: z.looseObject({ objectId: z.string() }) });
const textSchema = z.object({ result: z.looseObject({ value: z.string() }) });
const seenSchema = z.object({
  /** The time on the machine's clock when that of the process was 0. */
  zeroMs: z.number(),
  seen: z.array(z.tuple([z.number(), z.number()])),
});

/** Starts to record the collections of a process. Returns a function that ends that and returns them. */
async function watchCollections(session: InspectorSession): Promise<() => Promise<Collection[]>> {
  const how = { expression: WATCH, includeCommandLineAPI: true };
  const { objectId } = handleSchema.parse(await session.ask('Runtime.evaluate', how)).result;
  return async () => {
    const call = { objectId, functionDeclaration: END, returnByValue: true };
    const { result } = textSchema.parse(await session.ask('Runtime.callFunctionOn', call));
    const { zeroMs, seen } = seenSchema.parse(JSON.parse(result.value));
    return seen.map(([startMs, ms]) => ({ beganNs: (zeroMs + startMs) * 1e6, ns: ms * 1e6 }));
  };
}

const stoppedSchema = z.object({ profile: cpuProfileSchema });
const coverageSchema = z.object({ result: z.array(scriptSchema) });
const sourcesSchema = z.record(z.string(), z.string());

async function stopSampling(session: InspectorSession): Promise<Sampled> {
  const { profile } = stoppedSchema.parse(await session.ask('Profiler.stop'));
  const coverage = await session.ask('Profiler.getBestEffortCoverage');
  const { result: scripts } = coverageSchema.parse(coverage);
  await session.ask('Profiler.disable');
  return { profile, scripts, builtins: await builtinsOf(session) };
}

/** The sources of Node's own modules, megabytes of them, by Node's version. */
const BUILTINS = new Map<string, Record<string, string>>();

/** Any other way to get these would slow the code down. */
async function builtinsOf(session: InspectorSession): Promise<Record<string, string>> {
  const version = (await evaluate(session, 'process.version')) ?? '';
  const known = BUILTINS.get(version);
  if (known !== undefined) return known;
  const natives = await evaluate(session, "JSON.stringify(process.binding('natives'))");
  const sources = sourcesSchema.parse(JSON.parse(natives ?? '{}'));
  BUILTINS.set(version, sources);
  return sources;
}

/** The string that an expression has in the process; null where it throws, or is no string. */
async function evaluate(session: InspectorSession, expression: string): Promise<string | null> {
  const answer = await session.ask('Runtime.evaluate', { expression, returnByValue: true });
  return textSchema.safeParse(answer).data?.result.value ?? null;
}
