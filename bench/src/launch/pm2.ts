import { copyFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { inGroups } from '../system/control-groups.ts';
import { pinned } from '../system/pin.ts';
import { toldOf } from '../system/processes.ts';
import { settled } from './endings.ts';
import { pm2App } from './pm2-app.ts';
import { daemonPid, makePm2Home } from './pm2-home.ts';
import { endGroup } from './process-group.ts';
import { KEEP_HEAP } from './resting.ts';
import { type LaunchContext, originOf, programOf, type ServerSpec } from './server.ts';
import { type Launcher, NotUp, startedOf, untilReady } from './start.ts';

/** @throws UserError where pm2 is not installed: the npm package leaves that to the user. */
export function requirePm2(): void {
  pm2Program();
}

function pm2Program(): string {
  try {
    return createRequire(import.meta.url).resolve('pm2/bin/pm2');
  } catch (cause) {
    const next = 'Install it beside the harness: npm install --save-dev pm2.';
    throw new UserError('pm2 is not installed', next, { cause });
  }
}

const COMMAND_TIMEOUT_MS = 30_000;

const listSchema = z.array(
  z.object({ name: z.string(), pid: z.int(), pm2_env: z.object({ status: z.string() }) }),
);
type Listed = z.infer<typeof listSchema>[number];

/** The processes that pm2 lists as its last line. @throws for what is no list. */
export function parseList(stdout: string): Listed[] {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    return listSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`pm2 listed no processes: ${JSON.stringify(line.slice(0, 100))}`, { cause });
  }
}

/**
 * Starts servers under pm2, all under one private daemon. The specs must agree on their topology and
 * their runtime: the daemon is pinned, and its workers with it, and forks the Node that it runs on itself.
 */
export const launchPm2: Launcher = async (specs, context, endings) => {
  const [first] = specs;
  if (first === undefined) return [];
  const { id, cores } = first.topology;
  const node = programOf(first.target);
  const name = first.target.runtime ? `${id}-${first.target.runtime.version}` : id;
  const home = makePm2Home(context.folder, context.groups.length > 0 ? null : name);
  let daemon: number | null = null;
  endings.add(async () => {
    daemon ??= daemonPid(home);
    if (daemon !== null) await endGroup(daemon, context);
    // In fork mode a process leads a group of its own, and outlives a daemon that had to be killed.
    await settled(toldOf(home).map((leader) => endGroup(leader, context)));
  });
  copyFileSync(KEEP_HEAP, keepHeapIn(home));
  const config = join(home, 'apps.json');
  writeFileSync(config, JSON.stringify({ apps: specs.map((spec) => app(spec, home)) }));
  // Whatever the daemon forks is in the control groups that it was started in.
  const beganMs = performance.now();
  await pm2(inGroups(context.groups, [node, pm2Program(), 'start', config]), home, cores, context);
  daemon = daemonPid(home);
  if (daemon === null) throw new Error('pm2 started no daemon');
  context.guard(daemon);
  const managerPids = [daemon];
  const listed = parseList(await pm2([node, pm2Program(), 'jlist'], home, cores, context));
  return await settled(
    specs.map((spec) => {
      return startedOf(spec, logOf(spec, home), beganMs, async () => {
        const pids = onlineOf(spec, listed);
        await untilReady(spec, pids, context);
        return { pids, managerPids, origin: originOf(spec.address, spec.port) };
      });
    }),
  );
};

/** The workers of a server. @throws NotUp where they are not as many as they are to be. */
function onlineOf({ target, topology: { processes } }: ServerSpec, listed: Listed[]): number[] {
  const online = listed.filter(({ name, pm2_env: { status } }) => {
    return name === target.name && status === 'online';
  });
  if (online.length === processes) return online.map(({ pid }) => pid);
  throw new NotUp(`${online.length} of ${processes} workers were online after the start`, true);
}

/** What pm2 is told of a server: nothing watched, nothing restarted, and patched only to see that price. */
function app(spec: ServerSpec, home: string): object {
  const log = logOf(spec, home);
  const { manager, processes } = spec.topology;
  const mode = manager === 'pm2 fork' ? 'fork' : 'cluster';
  return {
    ...withoutSpaces(pm2App(spec.target, processes, spec, mode), home),
    // Its workers get their environment when they have started, too late for NODE_OPTIONS.
    node_args: ['--require', keepHeapIn(home)],
    // In fork mode pm2 would take the first `node` on the PATH, whatever its version.
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

/** An app whose paths hold no space, which ends pm2's workers at once: links in pm2's home lead to its folders. */
function withoutSpaces(app: ReturnType<typeof pm2App>, home: string): typeof app {
  const { name, script, cwd } = app;
  const linked = (kind: string, folder: string) => {
    if (!folder.includes(' ')) return folder;
    const link = join(home, `${name}.${kind}`);
    // A home is there for a whole launch, whose groups start one after another.
    rmSync(link, { force: true });
    symlinkSync(folder, link);
    return link;
  };
  return {
    ...app,
    cwd: linked('cwd', cwd),
    script: script && join(linked('script', dirname(script)), basename(script)),
  };
}

/** pm2 takes a space in an argument for the end of it, and no home has one. */
function keepHeapIn(home: string): string {
  return join(home, 'keep-heap.cjs');
}

function logOf(spec: ServerSpec, home: string): string {
  return join(home, `${spec.target.name}.log`);
}

/**
 * Runs pm2's command line on this Node against this home, and returns its stdout. It is never cut short: a daemon
 * whose command line goes away while it starts takes that for an error and forks itself anew.
 */
async function pm2(
  command: [string, ...string[]],
  home: string,
  cores: readonly number[] | null,
  context: LaunchContext,
): Promise<string> {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  const [file, fileArgs] = pinned(cores, [...command, '--silent']);
  const child = execa(file, fileArgs, {
    detached: true,
    extendEnv: false,
    env: {
      PATH,
      LANG,
      HOME: home,
      PM2_HOME: home,
      PM2_DISABLE_VERSION_CHECK: 'true',
      PM2_DISCRETE_MODE: 'true',
    },
    stdin: 'ignore',
    timeout: COMMAND_TIMEOUT_MS,
  });
  if (child.pid !== undefined) context.guard(child.pid);
  try {
    const { stdout } = await child;
    context.signal.throwIfAborted();
    return stdout;
  } finally {
    // Also after a failure: the guardian must not kill a group that later gets this number.
    if (child.pid !== undefined) context.release(child.pid);
  }
}
