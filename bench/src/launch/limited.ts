import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  groupsFor,
  hasKilled,
  isInGroup,
  type Limit,
  type LimitedGroup,
  makeGroup,
  removeGroup,
} from '../system/control-groups.ts';
import { ifThere } from '../system/gone.ts';
import { memoryName } from '../targets/copies.ts';
import { Endings } from './endings.ts';
import { groupLimits } from './limits.ts';
import type { LaunchContext, ServerSpec, Started } from './server.ts';
import { type Launcher, startInTurn } from './start.ts';

/**
 * The same launcher for servers with a limit: each by itself, with whatever manages it, in control groups of its
 * own that give it so much CPU time or memory.
 */
export function limited(launcher: Launcher): Launcher {
  return (specs, context, endings) => {
    return startInTurn(specs, (spec) => launchWithin(spec, launcher, context, endings));
  };
}

/**
 * The groups are there before the server starts, since what a runtime finds then decides how many threads and how
 * large a heap it has, and go after it. With less than a core a server has as much longer to start.
 */
async function launchWithin(
  spec: ServerSpec,
  launcher: Launcher,
  context: LaunchContext,
  endings: Endings,
): Promise<Started> {
  const toMake = groupsFor(groupLimits(spec.target), nameOf(spec, context.folder));
  const groups = toMake.map(({ group }) => group);
  const within = new Endings();
  endings.add(async () => {
    await within[Symbol.asyncDispose]();
    for (const group of groups) {
      await removeGroup(group);
      context.release(group);
    }
  });
  for (const { group, limits } of toMake) {
    // Told before it is made: a harness that is killed in between leaves nothing either.
    context.guard(group);
    makeGroup(group, limits);
  }
  const startTimeoutMs = context.startTimeoutMs / Math.min(1, spec.target.cpuLimit ?? 1);
  const [started] = await launcher([spec], { ...context, groups, startTimeoutMs }, within);
  if (started === undefined) throw new Error(`nothing became of ${spec.key}`);
  return heldIn(toMake, started);
}

/** Like no other's: a run's folder has a name of its own. */
function nameOf({ key }: ServerSpec, folder: string): string {
  return `${basename(folder)}-${key.replaceAll(/[^\w.@-]/g, '-')}`;
}

/** A server whose processes are all in its groups, by what the kernel says; a failure where one is not. */
function heldIn(made: readonly LimitedGroup[], { spec, outcome }: Started): Started {
  const groupOf = (controller: Limit['controller']) => {
    return made.find(({ limits }) => limits.some((limit) => limit.controller === controller))
      ?.group;
  };
  const memory = groupOf('memory');
  const { memoryLimit } = spec.target;
  const killedBy = () => {
    return memory !== undefined && memoryLimit !== null && hasKilled(memory)
      ? `the kernel killed one of its processes, since it reached its memory limit of ${memoryName(memoryLimit)}`
      : null;
  };
  if (outcome.state === 'failed') {
    const { failure } = outcome;
    const message = killedBy() ?? failure.message;
    return { spec, outcome: { state: 'failed', failure: { ...failure, message } } };
  }
  const { server } = outcome;
  const all = [...server.pids, ...server.managerPids];
  for (const each of made) {
    const stray = all.find((pid) => !isInGroup(each, membershipOf(pid)));
    if (stray === undefined) continue;
    const { folder } = each.group;
    const message = `process ${stray} is not in its control group ${folder}, so nothing limits it`;
    const failure = { message, logTail: server.logTail(), died: false };
    return { spec, outcome: { state: 'failed', failure } };
  }
  const held = { ...server, group: groupOf('cpu') ?? null, killedBy };
  return { spec, outcome: { state: 'running', server: held } };
}

/** Empty once the process is gone, which is found out by whoever puts load on it. */
function membershipOf(pid: number): string {
  return ifThere(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'), '');
}
