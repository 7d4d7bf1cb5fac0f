/** Asks a Node process on this machine for a profile of its CPU time, by its inspector. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, signal } from './processes.ts';
import { CAN_SEE_SOCKETS, portsOf } from './sockets.ts';

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

/** A profile that is being taken. */
export interface Profiling {
  /** Ends it. @throws when the process is gone, or does not answer. */
  stop(): Promise<Sampled>;
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
const WAKE_MS = 10_000;
const POLL_MS = 20;
const ANSWER_MS = 30_000;

/**
 * Starts to profile a Node process that listens on these ports itself. Its inspector is woken by SIGUSR1,
 * as Node has it, and stays awake.
 * @throws when the process is gone, or has no inspector.
 */
export async function startProfiling(pid: number, own: readonly number[]): Promise<Profiling> {
  const session = await Session.open(await inspectorOf(pid, own));
  try {
    await session.ask('Profiler.enable');
    await session.ask('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.ask('Profiler.start');
  } catch (error) {
    session.close();
    throw error;
  }
  return {
    stop: async () => {
      try {
        const { profile } = stoppedSchema.parse(await session.ask('Profiler.stop'));
        const covered = await session.ask('Profiler.getBestEffortCoverage');
        const { result: scripts } = coverageSchema.parse(covered);
        await session.ask('Profiler.disable');
        return { profile, scripts, builtins: await builtinsOf(session) };
      } finally {
        session.close();
      }
    },
  };
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
  const told = evaluatedSchema.safeParse(answer);
  return told.success ? told.data.result.value : null;
}

const evaluatedSchema = z.looseObject({ result: z.looseObject({ value: z.string() }) });
const sourcesSchema = z.record(z.string(), z.string());
const coverageSchema = z.object({ result: z.array(scriptSchema) });
const stoppedSchema = z.object({ profile: cpuProfileSchema });
const listSchema = z.array(z.looseObject({ webSocketDebuggerUrl: z.string() })).min(1);

/** Where the inspector of a process is asked; it is woken where it does not listen yet. */
async function inspectorOf(pid: number, own: readonly number[]): Promise<string> {
  const deadline = performance.now() + WAKE_MS;
  for (let isWoken = false; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isAlive(pid)) throw new Error(`process ${pid} is gone`);
    for (const port of portsOf([pid]).filter((each) => !own.includes(each))) {
      const url = await addressAt(port);
      if (url !== null) return url;
    }
    if (!isWoken) signal(pid, 'SIGUSR1');
    isWoken = true;
  }
  throw new Error(`process ${pid} has no inspector: is it Node, and does it leave SIGUSR1 alone?`);
}

async function addressAt(port: number): Promise<string | null> {
  try {
    const abort = AbortSignal.timeout(1000);
    const response = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: abort });
    const [target] = listSchema.parse(await response.json());
    return target?.webSocketDebuggerUrl ?? null;
  } catch {
    // Somebody else listens there, or the inspector does not serve yet: it is asked again.
    return null;
  }
}

const messageSchema = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }) }),
  z.object({ id: z.int(), result: z.unknown() }),
]);

/** A conversation with an inspector. */
class Session {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
    socket.addEventListener('close', () => this.#giveUp(new Error('the inspector hung up')));
  }

  static async open(url: string): Promise<Session> {
    const socket = new WebSocket(url);
    const session = new Session(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)), {
        once: true,
      });
    });
    return session;
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('the inspector hung up');
    const id = ++this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const late = setTimeout(() => {
      answer.reject(new Error(`the inspector did not answer ${method}`));
    }, ANSWER_MS);
    try {
      this.#socket.send(JSON.stringify({ id, method, params }));
      return await answer.promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket.close();
  }

  #hear(text: string): void {
    const message = messageSchema.safeParse(JSON.parse(text));
    // What it tells unasked is of no interest.
    if (!message.success) return;
    const waiting = this.#waiting.get(message.data.id);
    if ('error' in message.data) {
      waiting?.reject(new Error(`the inspector: ${message.data.error.message}`));
    } else waiting?.resolve(message.data.result);
  }

  #giveUp(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
