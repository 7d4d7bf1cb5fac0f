/** Servers under pm2, and the apps of `ecosystem.config.js`. */
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { PACKAGES } from '../base/places.ts';
import { inGroups } from '../system/control-groups.ts';
import { parallelism } from '../system/machine.ts';
import { type Command, pinned } from '../system/pin.ts';
import { pidsWithPathsIn } from '../system/processes.ts';
import {
  type LocalTarget,
  nodeScript,
  readTargets,
  requireBuilt,
  workingFolder,
} from '../targets/targets.ts';
import { daemonPid, makePm2Home } from './pm2-home.ts';
import { endGroup } from './process-group.ts';
import {
  closedEnvironment,
  HOST,
  KEEP_HEAP,
  type ListenAddress,
  programOf,
  type ServerSpec,
  type StartContext,
  serverEnvironment,
} from './server.ts';
import { Died, type Launcher, startedBy, untilReady } from './start.ts';
import { settled } from './teardown.ts';

/** The path of pm2's program. @throws UserError if it is not installed; the npm package does not depend on it. */
export function requirePm2(): string {
  try {
    return createRequire(import.meta.url).resolve('pm2/bin/pm2');
  } catch (cause) {
    const next = 'Install it beside the harness: npm install --save-dev pm2.';
    throw new UserError('pm2 is not installed', next, { cause });
  }
}

function pm2App(target: LocalTarget, instances: number, listening: ListenAddress) {
  return {
    name: target.name,
    script: nodeScript(target),
    args: target.start.slice(2),
    cwd: workingFolder(target),
    exec_mode: 'cluster',
    instances,
    env: serverEnvironment(target, listening),
  };
}

/** The apps of `ecosystem.config.js`. @throws UserError for a bad number, and as `readTargets` and `requireBuilt`. */
export function pm2Apps(instances = 'max'): object[] {
  // pm2's own `max` also counts cores that this process may not use.
  const count = instances === 'max' ? parallelism() : Number(instances);
  if (!Number.isInteger(count) || count < 1) {
    throw new UserError(
      `INSTANCES=${instances} is not a number of processes`,
      'Use 1, 2, … or max.',
    );
  }
  const targets = readTargets(PACKAGES).filter((target) => {
    return nodeScript(target) !== null && target.scale.by === 'processes';
  });
  requireBuilt(targets);
  return targets.flatMap((target) => {
    // Without pm2's monitoring, which instruments every request.
    if (target.port === null) return [];
    return [{ ...pm2App(target, count, { address: HOST, port: target.port }), pmx: false }];
  });
}

const COMMAND_TIMEOUT_MS = 30_000;
/** `keep-heap.cjs` is copied into pm2's home, whose path has no space: pm2 splits arguments at spaces. */
const HEAP_FILE = 'keep-heap.cjs';

const listSchema = z.array(
  z.object({ name: z.string(), pid: z.int(), pm2_env: z.object({ status: z.string() }) }),
);

/** The processes that the last line of `pm2 jlist` lists. @throws if it is no list. */
export function parseList(stdout: string): z.infer<typeof listSchema> {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  const list = parseJson(line, listSchema);
  if (list !== null) return list;
  throw new Error(`pm2 listed no processes: ${JSON.stringify(line.slice(0, 100))}`);
}

/** Starts servers of one topology and runtime under a private pm2 daemon; workers inherit its cores and its Node. */
export const launchPm2: Launcher = async (specs, context) => {
  const [first] = specs;
  if (first === undefined) return [];
  const { cores } = first.topology;
  const home = makePm2Home(context.folder);
  let daemon: number | null = null;
  context.teardown.add(async () => {
    daemon ??= daemonPid(home);
    if (daemon !== null) await endGroup(daemon, context);
    // In fork mode a process leads its own group and survives a daemon that was killed.
    await settled(pidsWithPathsIn(home).map((leader) => endGroup(leader, context)));
    // It may contain the pid of a daemon that had to be killed, which another process may get.
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  copyFileSync(KEEP_HEAP, join(home, HEAP_FILE));
  const config = join(home, 'apps.json');
  writeFileSync(config, JSON.stringify({ apps: specs.map((spec) => measuredApp(spec, home)) }));
  const pm2 = (words: string[], groups: StartContext['groups'] = []) => {
    const command: Command = [programOf(first.target), requirePm2(), ...words, '--silent'];
    return runPm2(pinned(cores, inGroups(groups, command)), home, context);
  };
  const beganMs = performance.now();
  // Workers inherit the daemon's control groups.
  await pm2(['start', config], context.groups);
  daemon = daemonPid(home);
  if (daemon === null) throw new Error('pm2 started no daemon');
  context.guard(daemon);
  const managerPids = [daemon];
  const listed = parseList(await pm2(['jlist']));
  const starting = specs.map((spec) => {
    const untilUp = async () => {
      const { target, topology } = spec;
      const online = listed.filter(({ name: app, pm2_env: { status } }) => {
        return app === target.name && status === 'online';
      });
      if (online.length !== topology.processes) {
        const count = `${online.length} of ${topology.processes} workers`;
        throw new Died(`${count} were online after the start`);
      }
      const pids = online.map(({ pid }) => pid);
      await untilReady(spec, pids, context);
      return { pids, managerPids };
    };
    return startedBy(untilUp, spec, [logOf(spec, home)], context, beganMs);
  });
  return (await settled(starting)).flat();
};

/** The app of a server under test: not watched or restarted, and patched only if that is measured. */
function measuredApp(spec: ServerSpec, home: string): object {
  const log = logOf(spec, home);
  const { manager, processes } = spec.topology;
  const app = pm2App(spec.target, processes, spec);
  // pm2's workers fail at a path with a space: a link in pm2's home replaces such a folder.
  const linked = (kind: string, folder: string) => {
    if (!folder.includes(' ')) return folder;
    const link = join(home, `${app.name}.${kind}`);
    symlinkSync(folder, link);
    return link;
  };
  const { script, cwd } = app;
  return {
    ...app,
    exec_mode: manager === 'pm2 fork' ? 'fork' : app.exec_mode,
    cwd: linked('cwd', cwd),
    script: script && join(linked('script', dirname(script)), basename(script)),
    // pm2 sets the environment of its workers after their start, too late for NODE_OPTIONS.
    node_args: ['--require', join(home, HEAP_FILE)],
    // In fork mode pm2 would use the first `node` on the PATH.
    interpreter: programOf(spec.target),
    pmx: manager === 'pm2 with pmx',
    disable_source_map_support: true,
    autorestart: false,
    vizion: false,
    merge_logs: true,
    out_file: log,
    error_file: log,
  };
}

function logOf(spec: ServerSpec, home: string): string {
  return join(home, `${spec.target.name}.log`);
}

/** What a pm2 command with this home prints. */
async function runPm2([file, ...args]: Command, home: string, context: StartContext) {
  const own = { PM2_HOME: home, PM2_DISABLE_VERSION_CHECK: 'true', PM2_DISCRETE_MODE: 'true' };
  // Never interrupted: a daemon whose command goes away while it starts takes that for an error and forks itself anew.
  const child = execa(file, args, {
    detached: true,
    extendEnv: false,
    env: { ...closedEnvironment(home), ...own },
    stdin: 'ignore',
    timeout: COMMAND_TIMEOUT_MS,
  });
  if (child.pid !== undefined) context.guard(child.pid);
  try {
    const { stdout } = await child;
    context.signal.throwIfAborted();
    return stdout;
  } finally {
    // Even after a failure: the guardian must not kill a later group with the same number.
    if (child.pid !== undefined) context.release(child.pid);
  }
}
