/** How servers start, whoever keeps their processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chunk } from 'simple-statistics';
import { isAlive } from '../system/processes.ts';
import { declaredOnly } from '../targets/exchange.ts';
import { type Endings, settled } from './endings.ts';
import { howEnded, lastLines } from './process-group.ts';
import type { LaunchContext, RunningServer, ServerSpec, Started } from './server.ts';
import { accepts } from './sockets.ts';

/** The port where processes start: one implementation for each kind of manager. */
export type Launcher = (
  specs: readonly ServerSpec[],
  context: LaunchContext,
  endings: Endings,
) => Promise<Started[]>;

/** Why something that was started is not up. */
export class NotUp extends Error {
  /** Whether one of its processes is gone. */
  readonly died: boolean;

  constructor(message: string, died: boolean) {
    super(message);
    this.died = died;
  }
}

/** The same, or what it ended with, where it has. */
export async function reasonOf(
  error: unknown,
  child: PromiseLike<Parameters<typeof howEnded>[0]> & { pid?: number },
): Promise<unknown> {
  if (!(error instanceof NotUp) || (child.pid !== undefined && isAlive(child.pid))) return error;
  return new NotUp(`it ended with ${howEnded(await child)} while starting`, true);
}

/** What is found out about a server as it comes up. */
export type Found = Pick<RunningServer, 'pids' | 'managerPids' | 'origin'>;

/** A server as it runs, which is sent what its target declares. */
export function runningServer(
  spec: ServerSpec,
  found: Found,
  startNs: number | null,
  logTail: () => string[],
): RunningServer {
  return {
    startNs,
    ...{ spec, agreed: spec.target.requests.map(declaredOnly), judged: [], group: null },
    killedBy: () => null,
    ...found,
    isAlive: () => found.pids.every(isAlive),
    logTail,
  };
}

/**
 * What becomes of a server that was started at this time, ms, and writes to this log: it runs, or it has failed.
 * @throws what is no `NotUp`.
 */
export async function startedOf(
  spec: ServerSpec,
  log: string,
  beganMs: number,
  untilUp: () => Promise<Found>,
): Promise<Started> {
  try {
    const found = await untilUp();
    const startNs = (performance.now() - beganMs) * 1e6;
    const server = runningServer(spec, found, startNs, () => lastLines(log));
    return { spec, outcome: { state: 'running', server } };
  } catch (error) {
    if (!(error instanceof NotUp)) throw error;
    const { message, died } = error;
    return {
      spec,
      outcome: { state: 'failed', failure: { message, died, logTail: lastLines(log) } },
    };
  }
}

/** More at once would take each other the time that a server has to start. */
export const STARTED_TOGETHER = 8;

/** Starts these, not too many at a time. */
export async function startInTurn(
  specs: readonly ServerSpec[],
  start: (spec: ServerSpec) => Promise<Started>,
): Promise<Started[]> {
  const started: Started[] = [];
  for (const part of chunk([...specs], STARTED_TOGETHER)) {
    started.push(...(await settled(part.map(start))));
  }
  return started;
}

const READY_POLL_MS = 20;

/**
 * Looks again and again until there is something to be told.
 * @throws NotUp with these words once a start has taken too long; when the launch is aborted.
 */
export async function duringStart<T>(
  { startTimeoutMs, signal }: LaunchContext,
  late: () => string,
  look: () => T | null | Promise<T | null>,
): Promise<T> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const found = await look();
    if (found !== null) return found;
    await sleep(READY_POLL_MS);
  }
  throw new NotUp(`${late()} within ${startTimeoutMs / 1000} s`, false);
}

export const ACCEPTS_NONE = 'it accepted no connection';

/** Waits until the port accepts a connection. @throws as `duringStart`, and where a process ends before. */
export async function untilReady(
  { address, port }: Pick<ServerSpec, 'address' | 'port'>,
  pids: readonly number[],
  context: LaunchContext,
): Promise<void> {
  await duringStart(
    context,
    () => ACCEPTS_NONE,
    async () => {
      requireAlive(pids);
      return (await accepts(address, port)) || null;
    },
  );
}

/** @throws NotUp where one of these has ended. */
export function requireAlive(pids: readonly number[]): void {
  if (!pids.every(isAlive)) throw new NotUp('it ended while starting', true);
}
