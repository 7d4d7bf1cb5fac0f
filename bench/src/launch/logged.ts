import { execa } from 'execa';
import { messageOf } from '../base/errors.ts';
import { pinned } from '../system/pin.ts';
import { endGroup, MARK } from './end-group.ts';
import { type LaunchContext, lastLines } from './server.ts';

/** A process to start that leads a group of its own and writes its own log. */
export interface Logged {
  command: [string, ...string[]];
  /** The path of the log. */
  log: string;
  /** The cores that it is pinned to; null for all. */
  cores: readonly number[] | null;
  directory: string;
  /** All that it has in its environment. */
  environment: Record<string, string>;
  /** Whether it has a channel to the harness, which changes how a Node process runs. */
  channel: boolean;
}

/**
 * A process writes its own log, without the harness in between, and the guardian knows it by that. The
 * shell becomes the process (exec), so the pid is its own.
 */
const INTO_LOG = 'exec "$@" >>"$0" 2>&1';

/** Starts it; whoever does has to tell the guardian, and to end the group. */
export function startLogged({ command, log, cores, directory, environment, channel }: Logged) {
  const [file, args] = pinned(cores, command);
  return execa('sh', ['-c', INTO_LOG, log, file, ...args], {
    cwd: directory,
    detached: true,
    extendEnv: false,
    env: { ...environment, [MARK]: log },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    ipc: channel,
    buffer: false,
    reject: false,
  });
}

/** How a process that has to come to an end did. */
export type Ended = { state: 'done' } | { state: 'failed'; message: string; logTail: string[] };

/**
 * Runs a process to its end, at most for so long, null for as long as it takes; nothing of its group is left then.
 * @throws when the launch is aborted.
 */
export async function runLogged(
  logged: Logged,
  mostMs: number | null,
  context: LaunchContext,
): Promise<Ended> {
  context.signal.throwIfAborted();
  const failed = (message: string): Ended => {
    return { state: 'failed', message, logTail: lastLines(logged.log) };
  };
  const child = startLogged(logged);
  const { pid } = child;
  if (pid === undefined) return failed(`did not start: ${messageOf((await child).cause)}`);
  context.guard(pid);
  const limits = mostMs === null ? [] : [AbortSignal.timeout(mostMs)];
  const over = AbortSignal.any([context.signal, ...limits]);
  const result = await Promise.race([child, aborted(over)]);
  await endGroup(pid, context, logged.log);
  context.signal.throwIfAborted();
  if (result === null) return failed(`was not done within ${(mostMs ?? 0) / 1000} s`);
  const { exitCode, signal } = result;
  return exitCode === 0 ? { state: 'done' } : failed(`ended with ${signal ?? `code ${exitCode}`}`);
}

async function aborted(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  return null;
}
