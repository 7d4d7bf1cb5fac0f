/** Processes that lead a group of their own and write a log of their own: how they start and end. */
import { aborted } from 'node:util';
import { execa } from 'execa';
import { messageOf } from '../base/errors.ts';
import { type Command, pinned } from '../system/pin.ts';
import { textOf } from '../system/proc-files.ts';
import { allGone, groupMembers, isAlive, pidsWith, signal } from '../system/processes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { type LaunchContext, programOf, type StartContext, targetEnvironment } from './server.ts';
import { Teardown } from './teardown.ts';

/** The variable that holds the log of a process, which all its descendants inherit, wherever they go. */
const MARK = 'OVERHEAD_LOG';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** A process to start that leads a group of its own and writes its own log. */
export interface LoggedCommand {
  command: Command;
  /** The path of the log. */
  log: string;
  directory: string;
  /** All that it has in its environment. */
  environment: NodeJS.ProcessEnv;
  /** Those that it may run on; null for all. */
  cores?: readonly number[] | null;
  /** Whether it has an IPC channel to the harness, which changes how a Node process runs. */
  ipc?: boolean;
}

/**
 * A process writes its own log, without the harness in between, and the guardian knows it by that. The
 * shell becomes the process (exec), so the pid is its own.
 */
const INTO_LOG = 'exec "$@" >>"$0" 2>&1';

/** Starts it. The guardian knows of it, and the teardown ends its group; it has no pid where it did not start. */
export function startLogged(
  { command, log, directory, environment, cores = null, ipc = false }: LoggedCommand,
  context: StartContext,
) {
  const [file, args] = pinned(cores, command);
  const child = execa('sh', ['-c', INTO_LOG, log, file, ...args], {
    cwd: directory,
    detached: true,
    extendEnv: false,
    env: { ...environment, [MARK]: log },
    stdio: 'ignore',
    ipc,
    buffer: false,
    reject: false,
  });
  const { pid } = child;
  if (pid !== undefined) {
    context.teardown.add(() => endGroup(pid, context, log));
    context.guard(pid);
  }
  return child;
}

/**
 * Runs a process to its end, at most for so long; nothing of its group is left then.
 * Returns what went wrong, as `ended with code 3`; null where nothing did.
 * @throws when the launch is aborted.
 */
export async function runLogged(
  logged: LoggedCommand,
  context: LaunchContext,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<string | null> {
  context.signal.throwIfAborted();
  await using teardown = new Teardown();
  const child = startLogged(logged, { ...context, teardown });
  if (child.pid === undefined) return `did not start: ${messageOf((await child).cause)}`;
  const limits = mostMs === Number.POSITIVE_INFINITY ? [] : [AbortSignal.timeout(mostMs)];
  const over = aborted(AbortSignal.any([context.signal, ...limits]), child);
  const result = await Promise.race([child, over]);
  context.signal.throwIfAborted();
  if (result === undefined) return `was not done within ${mostMs / 1000} s`;
  return result.exitCode === 0 ? null : `ended with ${howEnded(result)}`;
}

/** How a command runs that a target declares beside its server: in its folder, and in its environment. */
export function declaredCommand(command: Command, target: LocalTarget): Omit<LoggedCommand, 'log'> {
  const file = programOf({ start: command, runtime: null });
  const { directory } = target;
  return {
    command: [file, ...command.slice(1)],
    directory,
    environment: targetEnvironment(target),
  };
}

/** `SIGKILL`, or `code 1`. */
export function howEnded({ signal, exitCode }: { signal?: string; exitCode?: number }): string {
  return signal ?? `code ${exitCode}`;
}

/** All processes that were started with this log and still run, wherever they have gone. */
export function membersOf(leader: number, log: string): number[] {
  const list = () => {
    return [...new Set([...groupMembers(leader), ...pidsWith(MARK, log)])].filter(isAlive);
  };
  const ranBefore = isAlive(leader);
  const found = list();
  // A leader that ended meanwhile may have left a process behind that was not there to be listed.
  return found.length === 0 && ranBefore ? list() : found;
}

/**
 * Ends a process group, and whatever was started with this log and has left it: by SIGTERM, then SIGKILL.
 * @throws when something outlives that.
 */
export async function endGroup(
  leader: number,
  context: LaunchContext,
  log: string | null = null,
): Promise<void> {
  const members = log === null ? groupMembers(leader) : membersOf(leader, log);
  const end = async (name: NodeJS.Signals, waitMs: number) => {
    for (const pid of [-leader, ...members]) signal(pid, name);
    return await allGone(members, waitMs);
  };
  const isGone =
    (await end('SIGTERM', context.signal.aborted ? 0 : GRACE_MS)) ||
    (await end('SIGKILL', KILL_MS));
  if (!isGone) throw new Error(`process group ${leader} outlived SIGKILL`);
  context.release(leader);
}

/** Lines of a log that are shown where something fails. */
const SHOWN_LINES = 12;

/** The last lines of a log file, without blank ones, at most so many; none where there is no file. */
export function lastLines(path: string, most = SHOWN_LINES): string[] {
  const lines = (textOf(path) ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '').slice(-most);
}
