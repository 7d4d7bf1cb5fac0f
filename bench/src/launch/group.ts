import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf } from '../base/errors.ts';
import { pinned } from '../system/pin.ts';
import { allGone, groupMembers, isAlive, signal } from '../system/processes.ts';
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
  onMessage(listen: (message: unknown) => void): void;
}

export type Up =
  | ({ state: 'up' } & Pick<RunningServer, 'pids' | 'managerPids'>)
  | { state: 'down'; message: string; died: boolean };

/**
 * The server writes its own log, without the harness in between, and the guardian knows a server by
 * it. The shell becomes the server (exec), so the pid is the server's.
 */
export const INTO_LOG = 'exec "$@" >>"$0" 2>&1';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** The launcher that starts each server in a process group of its own. */
export function groupLauncher(way: GroupWay): Launcher {
  return async (specs, context): Promise<Launched> => {
    const groups: number[] = [];
    const dispose = async () => {
      await Promise.all(groups.splice(0).map((leader) => endGroup(leader, context)));
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

/** Ends a process group: asks, then kills, then makes sure. */
export async function endGroup(leader: number, context: LaunchContext): Promise<void> {
  const members = groupMembers(leader);
  signal(-leader, 'SIGTERM');
  if (!(await allGone(members, context.signal.aborted ? 0 : GRACE_MS))) {
    signal(-leader, 'SIGKILL');
    if (!(await allGone(members, KILL_MS))) {
      throw new Error(`process group ${leader} outlived SIGKILL`);
    }
  }
  context.release(leader);
}

async function start(
  spec: ServerSpec,
  way: GroupWay,
  context: LaunchContext,
  groups: number[],
): Promise<Started> {
  const log = join(context.folder, `${spec.key.replaceAll(/[/:#]/g, '-')}.log`);
  const [file, args] = pinned(spec.topology.cores, way.command(spec));
  const child = execa('sh', ['-c', INTO_LOG, log, file, ...args], {
    cwd: workingFolder(spec.target),
    detached: true,
    extendEnv: false,
    env: environmentOf(spec),
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
  groups.push(pid);
  context.guard(pid);

  const onMessage: Leader['onMessage'] = (listen) => child.nodeChildProcess.on('message', listen);
  const up = await way.untilUp(spec, { pid, onMessage }, context);
  if (up.state === 'up') return runningStart(spec, up, log);
  if (isAlive(pid)) return failed(up.message, up.died);
  const { signal: by, exitCode } = await child;
  return failed(`it ended with ${by ?? `code ${exitCode}`} while starting`, true);
}
