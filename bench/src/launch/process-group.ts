/** Starts and ends processes that lead a group and write a log of their own. */
import { aborted } from 'node:util';
import { execa } from 'execa';
import { messageOf } from '../base/errors.ts';
import { type Command, pinned } from '../system/pin.ts';
import { textOf } from '../system/proc-files.ts';
import { allGone, groupMembers, howEnded, isAlive, pidsWith, signal } from '../system/processes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { type LaunchContext, programOf, type StartContext, targetEnvironment } from './server.ts';
import { Teardown } from './teardown.ts';

/** The variable that holds the path of a process's log. All its descendants inherit it, whatever their group. */
const MARK = 'OVERHEAD_LOG';
const GRACE_MS = 1000;
const KILL_MS = 5000;

export interface LoggedCommand {
  command: Command;
  log: string;
  directory: string;
  /** The whole environment. */
  environment: NodeJS.ProcessEnv;
  /** Cores that it may run on; null for all. */
  cores?: readonly number[] | null;
  /** Whether it gets an IPC channel to the harness, which changes how a Node process runs. */
  ipc?: boolean;
}

/** Redirects without the harness in between. The shell becomes the process (exec), which keeps the pid. */
const INTO_LOG = 'exec "$@" >>"$0" 2>&1';

export type LoggedProcess = ReturnType<typeof startLogged>;

/** Starts a command. The guardian knows of it, and the teardown ends its group. It has no pid if it did not start. */
export function startLogged(
  { command, log, directory, environment, cores = null, ipc = false }: LoggedCommand,
  context: StartContext,
) {
  const child = execa('sh', ['-c', INTO_LOG, log, ...pinned(cores, command)], {
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

/** Runs a command and ends its group. Returns how it failed, as `ended with code 3`, or null. @throws when aborted. */
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

/** A command that a target declares beside its server runs in its folder and with its environment. */
export function declaredCommand(command: Command, target: LocalTarget): Omit<LoggedCommand, 'log'> {
  const file = programOf({ start: command, runtime: null });
  const environment = targetEnvironment(target);
  return { command: [file, ...command.slice(1)], directory: target.directory, environment };
}

/** The running processes of this group, and those that were started with this log and have left it. */
export function membersOf(leader: number, log: string): number[] {
  const list = () => {
    return [...new Set([...groupMembers(leader), ...pidsWith(MARK, log)])].filter(isAlive);
  };
  const ranBefore = isAlive(leader);
  const found = list();
  // A leader that has just ended may have left a process that was not listed yet.
  return found.length === 0 && ranBefore ? list() : found;
}

/** Ends a group, and processes with this log outside of it: SIGTERM, then SIGKILL. @throws when one outlives that. */
export async function endGroup(leader: number, context: LaunchContext, log: string | null = null) {
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

const SHOWN_LOG_LINES = 12;

/** The last lines of a log file that are not blank; none if there is no file. */
export function lastLines(path: string, most = SHOWN_LOG_LINES): string[] {
  const lines = (textOf(path) ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '').slice(-most);
}
