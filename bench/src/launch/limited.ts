import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type ControlGroup,
  groupForOthers,
  isInGroup,
  makeGroup,
  removeGroup,
} from '../system/control-groups.ts';
import { ifThere } from '../system/gone.ts';
import { Endings } from './endings.ts';
import type { LaunchContext, ServerSpec, Started } from './server.ts';
import { type Launcher, startInTurn } from './start.ts';

/**
 * The same launcher for servers with a CPU limit: each by itself, with whatever manages it, in a control
 * group of its own that gives it so much CPU time.
 */
export function limited(launcher: Launcher): Launcher {
  return (specs, context, endings) => {
    return startInTurn(specs, (spec) => launchWithin(spec, launcher, context, endings));
  };
}

/**
 * The group is there before the server starts, since what a runtime finds then decides how many threads it
 * has, and goes after it. With less than a core a server has as much longer to start.
 */
async function launchWithin(
  spec: ServerSpec,
  launcher: Launcher,
  context: LaunchContext,
  endings: Endings,
): Promise<Started> {
  const { cpuLimit } = spec.target;
  if (cpuLimit === null) throw new Error(`${spec.key} has no limit`);
  const { version, folder: parent } = groupForOthers();
  const group = { version, folder: join(parent, nameOf(spec, context.folder)) };
  const within = new Endings();
  endings.add(async () => {
    await within[Symbol.asyncDispose]();
    await removeGroup(group);
    context.release(group);
  });
  // Told before it is made: a harness that is killed in between leaves nothing either.
  context.guard(group);
  makeGroup(group, cpuLimit);
  const startTimeoutMs = context.startTimeoutMs / Math.min(1, cpuLimit);
  const [started] = await launcher([spec], { ...context, group, startTimeoutMs }, within);
  if (started === undefined) throw new Error(`nothing became of ${spec.key}`);
  return heldIn(group, started);
}

/** Like no other's: a run's folder has a name of its own. */
function nameOf({ key }: ServerSpec, folder: string): string {
  return `${basename(folder)}-${key.replaceAll(/[^\w.@-]/g, '-')}`;
}

/** A server whose processes are all in the group, by what the kernel says; a failure where one is not. */
function heldIn(group: ControlGroup, { spec, outcome }: Started): Started {
  if (outcome.state === 'failed') return { spec, outcome };
  const { server } = outcome;
  const all = [...server.pids, ...server.managerPids];
  const stray = all.find((pid) => !isInGroup(group, membershipOf(pid)));
  if (stray === undefined) {
    return { spec, outcome: { state: 'running', server: { ...server, group } } };
  }
  const message = `process ${stray} is not in its control group ${group.folder}, so nothing limits it`;
  const failure = { message, logTail: server.logTail(), died: false };
  return { spec, outcome: { state: 'failed', failure } };
}

/** Empty once the process is gone, which is found out by whoever puts load on it. */
function membershipOf(pid: number): string {
  return ifThere(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'), '');
}
