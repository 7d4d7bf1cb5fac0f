/** Processes that lead a group of their own and write a log of their own: how they start and end. */
import { readFileSync } from 'node:fs';
import { aborted } from 'node:util';
import { execa } from 'execa';
import { codeOf, messageOf } from '../base/errors.ts';
import { pinned } from '../system/pin.ts';
import { allGone, groupMembers, isAlive, markedBy, signal } from '../system/processes.ts';
import type { LaunchContext } from './server.ts';

/** In the environment of what is started with a log of its own: that log, wherever a process goes. */
const MARK = 'OVERHEAD_LOG';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** A process to start that leads a group of its own and writes its own log. */
export interface Logged {
  command: [string, ...string[]];
  /** The path of the log. */
  log: string;
  directory: string;
  /** All that it has in its environment. */
  environment: NodeJS.ProcessEnv;
}

/**
 * A process writes its own log, without the harness in between, and the guardian knows it by that. The
 * shell becomes the process (exec), so the pid is its own.
 */
const INTO_LOG = 'exec "$@" >>"$0" 2>&1';

/**
 * Starts it on these cores, null for all, and with a channel to the harness or without, which changes how a Node
 * process runs. Whoever does has to tell the guardian, and to end the group.
 */
export function startLogged(
  { command, log, directory, environment }: Logged,
  { cores = null, channel = false }: { cores?: readonly number[] | null; channel?: boolean } = {},
) {
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

/**
 * Runs a process to its end, at most for so long, null for as long as it takes; nothing of its group is left then.
 * Returns what went wrong, as `ended with code 3`; null where nothing did.
 * @throws when the launch is aborted.
 */
export async function runLogged(
  logged: Logged,
  mostMs: number | null,
  context: LaunchContext,
): Promise<string | null> {
  context.signal.throwIfAborted();
  const child = startLogged(logged);
  const { pid } = child;
  if (pid === undefined) return `did not start: ${messageOf((await child).cause)}`;
  context.guard(pid);
  const limits = mostMs === null ? [] : [AbortSignal.timeout(mostMs)];
  const over = aborted(AbortSignal.any([context.signal, ...limits]), child);
  const result = await Promise.race([child, over]);
  await endGroup(pid, context, logged.log);
  context.signal.throwIfAborted();
  if (result === undefined) return `was not done within ${(mostMs ?? 0) / 1000} s`;
  return result.exitCode === 0 ? null : `ended with ${howEnded(result)}`;
}

/** `SIGKILL`, or `code 1`. */
export function howEnded({ signal, exitCode }: { signal?: string; exitCode?: number }): string {
  return signal ?? `code ${exitCode}`;
}

/** All processes that were started with this log, wherever they have gone, as far as they still run. */
export function membersOf(leader: number, log: string): number[] {
  const list = () => {
    return [...new Set([...groupMembers(leader), ...markedBy(MARK, log)])].filter(isAlive);
  };
  const ranBefore = isAlive(leader);
  const found = list();
  // A leader that ended meanwhile may have left a process behind that was not there to be listed.
  return found.length === 0 && ranBefore ? list() : found;
}

/**
 * Ends a process group, and what was started with this log and has left it: asks, then kills, then
 * makes sure.
 */
export async function endGroup(
  leader: number,
  context: LaunchContext,
  log: string | null = null,
): Promise<void> {
  const members = log === null ? groupMembers(leader) : membersOf(leader, log);
  const tell = (name: NodeJS.Signals) => {
    signal(-leader, name);
    for (const pid of members) signal(pid, name);
  };
  tell('SIGTERM');
  if (!(await allGone(members, context.signal.aborted ? 0 : GRACE_MS))) {
    tell('SIGKILL');
    if (!(await allGone(members, KILL_MS))) {
      throw new Error(`process group ${leader} outlived SIGKILL`);
    }
  }
  context.release(leader);
}

/** Lines of a log that are told where something fails. */
const SHOWN_LINES = 12;

/** The last lines of a log file, without blank ones, so many at most; none where there is no file. */
export function lastLines(path: string, most = SHOWN_LINES): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-most);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
