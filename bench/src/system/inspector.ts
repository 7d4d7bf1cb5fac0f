/** Watches a Node process on this machine through its inspector: samples its CPU time, and records its collections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { isAlive, signal } from './processes.ts';
import { CAN_SEE_SOCKETS, portsOf } from './sockets.ts';

/** Whether this system shows where an inspector listens. */
export const CAN_PROFILE = CAN_SEE_SOCKETS;

/** Options of Node: the inspector uses any free port, and V8 attributes samples to inlined functions. */
export const FOR_PROFILES = ['--inspect-port=127.0.0.1:0', '--detailed-line-info'];

const frameSchema = z.object({
  functionName: z.string(),
  scriptId: z.string(),
  url: z.string(),
  /** From 0; -1 without a file. */
  lineNumber: z.int(),
});
export type Frame = z.infer<typeof frameSchema>;

const nodeSchema = z.looseObject({
  id: z.int(),
  callFrame: frameSchema.loose(),
  /** The nodes of the functions that it called. */
  children: z.array(z.int()).default([]),
  /** Samples by line, from 1. A line may belong to an inlined function. */
  positionTicks: z.array(z.object({ line: z.int(), ticks: z.int() })).default([]),
});

const cpuProfileSchema = z.looseObject({
  nodes: z.array(nodeSchema),
  /** On the monotonic clock, µs. */
  startTime: z.number(),
  /** The node of each sample. */
  samples: z.array(z.int()),
  /** The time of each sample since the previous one, µs. */
  timeDeltas: z.array(z.number()),
});
/** A CPU profile of V8: `Profiler.Profile` of the DevTools protocol. */
export type CpuProfile = z.infer<typeof cpuProfileSchema>;

const scriptSchema = z.looseObject({
  scriptId: z.string(),
  url: z.string(),
  functions: z.array(
    z.looseObject({
      functionName: z.string(),
      /** In characters of the source; the first range is the function's own. */
      ranges: z.array(z.looseObject({ startOffset: z.int(), endOffset: z.int() })).min(1),
    }),
  ),
});
/** A script, with the positions of the functions that have run. */
export type Script = z.infer<typeof scriptSchema>;

export interface SampledProfile {
  profile: CpuProfile;
  scripts: Script[];
  /** The sources of Node's own modules, by name; empty if this version of Node does not provide them. */
  builtins: Record<string, string>;
}

/** A garbage collection that paused the main thread, on the machine's monotonic clock. */
export interface Collection {
  beganNs: number;
  ns: number;
}

export interface InspectorResult {
  collections: Collection[];
  /** Null if its CPU time was not sampled. */
  sampled: SampledProfile | null;
}

/** The shortest sampling interval of V8, µs. */
const INTERVAL_US = 500;

/**
 * Starts to record the garbage collections of a Node process, which listens on the ports `own`, and to sample its CPU
 * time if asked. The returned function ends that. Both throw if the process is gone, or has no inspector or perf_hooks.
 */
export async function startWatching(
  pid: number,
  own: readonly number[],
  { isSampled }: { isSampled: boolean },
): Promise<() => Promise<InspectorResult>> {
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

/** Runs in the process: records collections until the function that it returns is called. */
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
  /** The machine's time when the process's own clock was 0. */
  zeroMs: z.number(),
  seen: z.array(z.tuple([z.number(), z.number()])),
});

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

async function stopSampling(session: InspectorSession): Promise<SampledProfile> {
  const { profile } = stoppedSchema.parse(await session.ask('Profiler.stop'));
  const coverage = await session.ask('Profiler.getBestEffortCoverage');
  const { result: scripts } = coverageSchema.parse(coverage);
  await session.ask('Profiler.disable');
  return { profile, scripts, builtins: await builtinsOf(session) };
}

/** The sources of Node's own modules, by Node's version: several MB. */
const BUILTINS = new Map<string, Record<string, string>>();

/** Reads them by `process.binding`; the debugger would slow the process down. */
async function builtinsOf(session: InspectorSession): Promise<Record<string, string>> {
  const version = (await evaluate(session, 'process.version')) ?? '';
  const known = BUILTINS.get(version);
  if (known !== undefined) return known;
  const natives = await evaluate(session, "JSON.stringify(process.binding('natives'))");
  const sources = z.record(z.string(), z.string()).parse(JSON.parse(natives ?? '{}'));
  BUILTINS.set(version, sources);
  return sources;
}

/** The value of an expression in the process; null if it throws or is not a string. */
async function evaluate(session: InspectorSession, expression: string): Promise<string | null> {
  const answer = await session.ask('Runtime.evaluate', { expression, returnByValue: true });
  return textSchema.safeParse(answer).data?.result.value ?? null;
}

const WAKE_MS = 10_000;
const POLL_MS = 20;
const ANSWER_MS = 30_000;

const listSchema = z.array(z.looseObject({ webSocketDebuggerUrl: z.string() })).min(1);

/** The address of a process's inspector. If it does not listen yet, SIGUSR1 makes Node start it. */
async function inspectorOf(pid: number, own: readonly number[]): Promise<string> {
  const deadline = performance.now() + WAKE_MS;
  for (let isWoken = false; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isAlive(pid)) throw new Error(`process ${pid} is gone`);
    for (const port of portsOf([pid]).filter((each) => !own.includes(each))) {
      const url = `http://127.0.0.1:${port}/json/list`;
      // It may be another server, or an inspector that does not answer yet: try again.
      const list = await fetch(url, { signal: AbortSignal.timeout(1000) })
        .then((response) => response.json())
        .catch(() => null);
      const [target] = listSchema.safeParse(list).data ?? [];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    }
    if (!isWoken) signal(pid, 'SIGUSR1');
    isWoken = true;
  }
  throw new Error(`process ${pid} has no inspector: is it Node, and does it leave SIGUSR1 alone?`);
}

const messageSchema = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }) }),
  z.object({ id: z.int(), result: z.unknown() }),
]);

type InspectorSession = Awaited<ReturnType<typeof openSession>>;

/** Connects to a process's inspector, which keeps running. @throws when the process is gone or has none. */
async function openSession(pid: number, own: readonly number[]) {
  const url = await inspectorOf(pid, own);
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const hungUp = new Error('the inspector hung up');
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`no inspector at ${url}`)));
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(hungUp);
  });
  socket.addEventListener('message', ({ data }) => {
    const message = parseJson(String(data), messageSchema);
    const answer = message && waiting.get(message.id);
    if (!message || !answer) return;
    if ('error' in message) answer.reject(new Error(`the inspector: ${message.error.message}`));
    else answer.resolve(message.result);
  });
  await opened.promise;
  let asked = 0;
  return {
    /** @throws when the inspector hangs up, refuses or does not answer. */
    ask: async (method: string, params: Record<string, unknown> = {}) => {
      if (socket.readyState !== WebSocket.OPEN) throw hungUp;
      const id = ++asked;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      AbortSignal.timeout(ANSWER_MS).addEventListener('abort', () => {
        answer.reject(new Error(`the inspector did not answer ${method}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
      return await answer.promise.finally(() => waiting.delete(id));
    },
    close: () => socket.close(),
  };
}
