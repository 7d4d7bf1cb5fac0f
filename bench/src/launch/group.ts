import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf } from '../base/errors.ts';
import { pinned } from '../system/pin.ts';
import { allGone, groupMembers, isAlive, markedBy, signal } from '../system/processes.ts';
import { workingFolder } from '../targets/targets.ts';
import {
  environmentOf,
  failedStart,
  type LaunchContext,
  type Launched,
  type Launcher,
  type RunningServer,
  runningStart,
  type ServerSpec,
  type Started,
} from './server.ts';

/** How servers start whose first process leads a process group that holds all the others. */
export interface GroupWay {
  /** The command of the first process. */
  command(spec: ServerSpec): [string, ...string[]];
  /** Whether that process has a channel to the harness, which changes how a Node process runs. */
  channel: boolean;
  /** Waits until the server is up, and tells its processes or why it is not. @throws when aborted. */
  untilUp(spec: ServerSpec, leader: Leader, context: LaunchContext): Promise<Up>;
}

/** The first process of a server. */
export interface Leader {
  pid: number;
  /** It, and all processes that it has started, as far as they still run. */
  members(): number[];
  onMessage(listen: (message: unknown) => void): void;
}

export type Up =
  | ({ state: 'up' } & Pick<RunningServer, 'pids' | 'managerPids' | 'origin'>)
  | { state: 'down'; message: string; died: boolean };

/**
 * The server writes its own log, without the harness in between, and the guardian knows a server by
 * it. The shell becomes the server (exec), so the pid is the server's.
 */
export const INTO_LOG = 'exec "$@" >>"$0" 2>&1';
/** In the environment of a server's processes: its log, by which those are known that left its group. */
const MARK = 'OVERHEAD_SERVER';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** The launcher that starts each server in a process group of its own. */
export function groupLauncher(way: GroupWay): Launcher {
  return async (specs, context): Promise<Launched> => {
    const groups: ServerGroup[] = [];
    const dispose = async () => {
      const ending = groups.splice(0).map(({ leader, log }) => endGroup(leader, context, log));
      await Promise.all(ending);
    };
    try {
      const started = await Promise.all(specs.map((spec) => start(spec, way, context, groups)));
      return { started, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

/** A process group, and what marks its processes wherever they went. */
interface ServerGroup {
  leader: number;
  log: string;
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
  const members = log === null ? groupMembers(leader) : membersOf({ leader, log });
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

function membersOf({ leader, log }: ServerGroup): number[] {
  const all = [...groupMembers(leader), ...markedBy(MARK, log)];
  return [...new Set(all)].filter(isAlive);
}

async function start(
  spec: ServerSpec,
  way: GroupWay,
  context: LaunchContext,
  groups: ServerGroup[],
): Promise<Started> {
  const log = join(context.folder, `${spec.key.replaceAll(/[/:#]/g, '-')}.log`);
  const [file, args] = pinned(spec.topology.cores, way.command(spec));
  const child = execa('sh', ['-c', INTO_LOG, log, file, ...args], {
    cwd: workingFolder(spec.target),
    detached: true,
    extendEnv: false,
    env: { ...environmentOf(spec), [MARK]: log },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    ipc: way.channel,
    buffer: false,
    reject: false,
  });
  const failed = (message: string, died: boolean) => failedStart(spec, { message, died }, log);
  const { pid } = child;
  if (pid === undefined) {
    return failed(`it did not start: ${messageOf((await child).cause)}`, false);
  }
  const group = { leader: pid, log };
  groups.push(group);
  context.guard(pid);

  const onMessage: Leader['onMessage'] = (listen) => child.nodeChildProcess.on('message', listen);
  const members = () => membersOf(group);
  const up = await way.untilUp(spec, { pid, members, onMessage }, context);
  if (up.state === 'up') return runningStart(spec, up, log);
  if (isAlive(pid)) return failed(up.message, up.died);
  const { signal: by, exitCode } = await child;
  return failed(`it ended with ${by ?? `code ${exitCode}`} while starting`, true);
}
