import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf } from '../errors.ts';
import { pinned } from './pin.ts';
import { allGone, groupMembers, isAlive, signal } from './processes.ts';
import {
  failedStart,
  type LaunchContext,
  type Launched,
  type Launcher,
  programOf,
  runningStart,
  type ServerSpec,
  type Started,
  serverEnvironment,
  untilReady,
} from './server.ts';

/**
 * The server writes its own log, without the harness in between, and the guardian knows a server by
 * it. The shell becomes the server (exec), so the pid is the server's.
 */
const INTO_LOG = 'exec "$@" >>"$0" 2>&1';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** Starts each server as the plain process that its `start` command is. */
export const launchSingle: Launcher = async (specs, context): Promise<Launched> => {
  const groups: number[] = [];
  const dispose = async () => {
    await Promise.all(groups.splice(0).map((leader) => endGroup(leader, context)));
  };
  try {
    const started = await Promise.all(specs.map((spec) => start(spec, context, groups)));
    return { started, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};

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

async function start(spec: ServerSpec, context: LaunchContext, groups: number[]): Promise<Started> {
  const log = join(context.folder, `${spec.key.replaceAll('/', '-')}.log`);
  const [, ...args] = spec.target.start;
  const [file, fileArgs] = pinned(spec.cores, [programOf(spec.target), ...args]);
  const child = execa('sh', ['-c', INTO_LOG, log, file, ...fileArgs], {
    cwd: spec.target.directory,
    detached: true,
    extendEnv: false,
    env: serverEnvironment(spec.port),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
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

  const ready = await untilReady(spec.port, [pid], context);
  if (ready !== 'ready') {
    if (isAlive(pid)) return failed(ready, false);
    const { signal: by, exitCode } = await child;
    return failed(`it ended with ${by ?? `code ${exitCode}`} while starting`, true);
  }
  return runningStart(spec, { pids: [pid], managerPids: [] }, log);
}
