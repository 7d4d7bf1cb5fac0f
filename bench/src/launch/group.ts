import { join } from 'node:path';
import { chunk } from 'simple-statistics';
import { messageOf } from '../base/errors.ts';
import { inGroup } from '../system/control-groups.ts';
import { isAlive } from '../system/processes.ts';
import { workingFolder } from '../targets/targets.ts';
import { endGroup, membersOf, type ServerGroup } from './end-group.ts';
import { startLogged } from './logged.ts';
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

/** More at once would take each other the time that a server has to start. */
export const STARTED_TOGETHER = 8;

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

/** The launcher that starts each server in a process group of its own. */
export function groupLauncher(way: GroupWay): Launcher {
  return async (specs, context): Promise<Launched> => {
    const groups: ServerGroup[] = [];
    const dispose = async () => {
      const ending = groups.splice(0).map(({ leader, log }) => endGroup(leader, context, log));
      await Promise.all(ending);
    };
    try {
      const started: Started[] = [];
      for (const part of chunk(specs, STARTED_TOGETHER)) {
        const starting = part.map((spec) => start(spec, way, context, groups));
        started.push(...(await Promise.all(starting)));
      }
      return { started, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

async function start(
  spec: ServerSpec,
  way: GroupWay,
  context: LaunchContext,
  groups: ServerGroup[],
): Promise<Started> {
  const log = join(context.folder, `${spec.key.replaceAll(/[/:#]/g, '-')}.log`);
  const child = startLogged({
    command: inGroup(context.group, way.command(spec)),
    log,
    cores: spec.topology.cores,
    directory: workingFolder(spec.target),
    // What it leaves in there goes with the run, whatever ends it.
    environment: { TMPDIR: context.folder, ...environmentOf(spec) },
    channel: way.channel,
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
