import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chunk } from 'simple-statistics';
import { codeOf } from '../base/errors.ts';
import {
  type ControlGroup,
  groupForOthers,
  isInGroup,
  makeGroup,
  removeGroup,
} from '../system/control-groups.ts';
import { STARTED_TOGETHER } from './group.ts';
import type {
  LaunchContext,
  Launched,
  Launcher,
  RunningServer,
  ServerSpec,
  Started,
} from './server.ts';

/**
 * The same launcher for servers with a CPU limit: each by itself, with whatever manages it, in a control
 * group of its own that gives it so much CPU time.
 */
export function limited(launcher: Launcher): Launcher {
  return async (specs, context): Promise<Launched> => {
    const settled: PromiseSettledResult<Launched>[] = [];
    for (const part of chunk(specs, STARTED_TOGETHER)) {
      const each = part.map((spec) => launchWithin(spec, launcher, context));
      settled.push(...(await Promise.allSettled(each)));
    }
    const launched = settled.flatMap((own) => (own.status === 'fulfilled' ? own.value : []));
    const dispose = async () => {
      await Promise.all(launched.map((own) => own[Symbol.asyncDispose]()));
    };
    const broken = settled.find((own) => own.status === 'rejected');
    if (broken !== undefined) {
      await dispose();
      throw broken.reason;
    }
    return { started: launched.flatMap(({ started }) => started), [Symbol.asyncDispose]: dispose };
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
): Promise<Launched> {
  const { cpuLimit } = spec.target;
  if (cpuLimit === null) throw new Error(`${spec.key} has no limit`);
  const { version, folder: parent } = groupForOthers();
  const group = { version, folder: join(parent, nameOf(spec, context.folder)) };
  // Told before it is made: a harness that is killed in between leaves nothing either.
  context.guardLimit(group);
  try {
    makeGroup(group, cpuLimit);
  } catch (error) {
    context.releaseLimit(group);
    throw error;
  }
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await removeGroup(group);
    context.releaseLimit(group);
  });
  const startTimeoutMs = context.startTimeoutMs / Math.min(1, cpuLimit);
  const launched = stack.use(await launcher([spec], { ...context, group, startTimeoutMs }));
  const started = launched.started.map((own) => heldIn(group, own));
  const running = stack.move();
  return { started, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Like no other's: a run's folder has a name of its own. */
function nameOf({ key }: ServerSpec, folder: string): string {
  return `${basename(folder)}-${key.replaceAll(/[^\w.@-]/g, '-')}`;
}

/** A server whose processes are all in the group, by what the kernel says; a failure where one is not. */
function heldIn(group: ControlGroup, { spec, outcome }: Started): Started {
  if (outcome.state === 'failed') return { spec, outcome };
  const { server } = outcome;
  const stray = processesOf(server).find((pid) => !isInGroup(group, membershipOf(pid)));
  if (stray === undefined)
    return { spec, outcome: { state: 'running', server: { ...server, group } } };
  const message = `process ${stray} is not in its control group ${group.folder}, so nothing limits it`;
  const failure = { message, logTail: server.logTail(), died: false };
  return { spec, outcome: { state: 'failed', failure } };
}

function processesOf({ pids, managerPids }: RunningServer): number[] {
  return [...pids, ...managerPids];
}

/** Empty once the process is gone, which is found out by whoever puts load on it. */
function membershipOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return '';
    throw error;
  }
}
