/** Shared by all launchers: how a server comes up or fails to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import { type ControlGroup, hasKilled, membersIn } from '../system/control-groups.ts';
import { howEnded, isAlive } from '../system/processes.ts';
import { memoryName } from '../targets/copies.ts';
import { unverifiedExchange } from '../targets/exchange.ts';
import { lastLines } from './process-group.ts';
import type { RunningServer, ServerSpec, StartContext, StartResult } from './server.ts';
import { accepts, originOf } from './sockets.ts';

/** Starts servers of one kind; there is one for each kind of manager. */
export type Launcher = (
  specs: readonly ServerSpec[],
  context: StartContext,
) => Promise<StartResult[]>;

/** Why something that was started is not up. */
export class NotUp extends Error {}
/** One of its processes is gone. */
export class Died extends NotUp {}

export interface ServerProcesses {
  pids: readonly number[];
  managerPids?: readonly number[];
  /** Where it listens, if not where it should. */
  origin?: string;
}

/** A server that is up, with its logs and control groups. It is expected to answer as declared until it is verified. */
export function runningServer(
  spec: ServerSpec,
  found: ServerProcesses,
  startNs: number | null,
  logs: readonly string[] = [],
  groups: readonly ControlGroup[] = [],
): RunningServer {
  const areAlive = () => found.pids.every(isAlive);
  const cpuGroup = groups.find(({ limits }) => limits.some((limit) => limit.controller === 'cpu'));
  return {
    spec,
    managerPids: [],
    origin: originOf(spec.address, spec.port),
    ...found,
    startNs,
    exchanges: spec.target.requests.map(unverifiedExchange),
    judged: [],
    cpuGroup: cpuGroup?.folder ?? null,
    isAlive: areAlive,
    failure: (message) => failureOf(message, !areAlive(), spec, logs, groups),
  };
}

/** How a server failed: as the message says, unless the kernel has killed one of its processes. */
function failureOf(
  message: string,
  died: boolean,
  { target: { memoryLimit } }: ServerSpec,
  logs: readonly string[],
  groups: readonly ControlGroup[],
) {
  const logTail = logs.flatMap((log) => lastLines(log));
  if (memoryLimit === null || !groups.some(hasKilled)) return { message, logTail, died };
  const limit = memoryName(memoryLimit);
  const killed = `the kernel killed one of its processes, since it reached its memory limit of ${limit}`;
  return { message: killed, logTail, died };
}

/**
 * Starts a server by `start`, which waits until it is up. It has failed if a process is not in its control groups.
 * `beganMs` is when its start began, if that was earlier. @throws any error but `NotUp`.
 */
export async function startedBy(
  start: () => Promise<ServerProcesses>,
  spec: ServerSpec,
  logs: readonly string[],
  { groups }: StartContext,
  beganMs = performance.now(),
): Promise<StartResult[]> {
  try {
    const found = await start();
    const startNs = (performance.now() - beganMs) * 1e6;
    const pids = [...found.pids, ...(found.managerPids ?? [])];
    for (const { folder } of groups) requireMembers(pids, folder);
    return [{ state: 'running', server: runningServer(spec, found, startNs, logs, groups) }];
  } catch (error) {
    if (!(error instanceof NotUp)) throw error;
    const failure = failureOf(error.message, error instanceof Died, spec, logs, groups);
    return [{ state: 'failed', spec, failure }];
  }
}

/** @throws NotUp if a process is not in the group of this folder. */
function requireMembers(pids: readonly number[], folder: string): void {
  const members = membersIn(folder);
  const stray = pids.find((pid) => !members.includes(pid));
  if (stray === undefined) return;
  throw new NotUp(`process ${stray} is not in its control group ${folder}, so nothing limits it`);
}

/** Servers of a kind that start at the same time: more would compete for CPU time and start too slowly. */
export const STARTED_TOGETHER = 8;

const READY_POLL_MS = 20;

/** Polls until `look` finds something. @throws NotUp with the message `late` in the end; when the launch is aborted. */
export async function duringStart<T>(
  { startTimeoutMs, signal }: StartContext,
  late: string | (() => string),
  look: () => T | null | Promise<T | null>,
): Promise<T> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const found = await look();
    if (found !== null) return found;
    await sleep(READY_POLL_MS);
  }
  const message = typeof late === 'string' ? late : late();
  throw new NotUp(`${message} within ${startTimeoutMs / 1000} s`);
}

/** The result of `find`. @throws NotUp if the process did not start, or if it ends before `find` succeeds. */
export async function whileItRuns<T>(
  // Not execa's type: the types of the package would name it, and the package does not bring it.
  child: PromiseLike<{ signal?: string; exitCode?: number; cause?: unknown }> & {
    pid?: number | undefined;
  },
  find: (pid: number) => Promise<T>,
): Promise<T> {
  const { pid } = child;
  if (pid === undefined) throw new NotUp(`it did not start: ${messageOf((await child).cause)}`);
  try {
    return await find(pid);
  } catch (error) {
    if (!(error instanceof NotUp) || isAlive(pid)) throw error;
    throw new Died(`it ended with ${howEnded(await child)} while starting`);
  }
}

export const ACCEPTS_NONE = 'it accepted no connection';

/** Waits until the server accepts a connection. @throws as `duringStart`; Died if one of its processes ends. */
export async function untilReady(
  { address, port }: ServerSpec,
  pids: readonly number[],
  context: StartContext,
): Promise<void> {
  await duringStart(context, ACCEPTS_NONE, async () => {
    requireAlive(pids);
    return (await accepts(address, port)) || null;
  });
}

/** @throws Died if one of these has ended. */
export function requireAlive(pids: readonly number[]): void {
  if (!pids.every(isAlive)) throw new Died('it ended while starting');
}
