/** Servers that are started as plain processes, each leading a group that holds all the others. */
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import { inGroups } from '../system/control-groups.ts';
import { CAN_SEE_SOCKETS, portsOf } from '../system/sockets.ts';
import type { RuntimeKind } from '../targets/runtime.ts';
import { workingFolder } from '../targets/targets.ts';
import type { Endings } from './endings.ts';
import { endGroup, membersOf, startLogged } from './process-group.ts';
import {
  addressesFor,
  environmentOf,
  type LaunchContext,
  originOf,
  programOf,
  type RunningServer,
  type ServerSpec,
  type Started,
} from './server.ts';
import { accepts } from './sockets.ts';
import {
  ACCEPTS_NONE,
  duringStart,
  type Found,
  type Launcher,
  NotUp,
  reasonOf,
  requireAlive,
  runningServer,
  startedOf,
  startInTurn,
  untilReady,
} from './start.ts';

/** The first process of a server. */
export interface Leader {
  pid: number;
  /** It, and all processes that it has started, as far as they still run. */
  members(): number[];
  onMessage(listen: (message: unknown) => void): void;
}

/** How a server starts whose first process leads a process group that holds all the others. */
export interface GroupWay {
  command: [string, ...string[]];
  /** Whether the first process has a channel to the harness, which changes how a Node process runs. */
  channel: boolean;
  /** Waits until the server is up. @throws NotUp where it is not; when aborted. */
  untilUp(leader: Leader): Promise<Found>;
}

/** Starts a server in a process group of its own. */
export async function startInGroup(
  spec: ServerSpec,
  { command, channel, untilUp }: GroupWay,
  context: LaunchContext,
  endings: Endings,
): Promise<Started> {
  const log = join(context.folder, `${spec.key.replaceAll(/[/:#]/g, '-')}.log`);
  const logged = {
    command: inGroups(context.groups, command),
    ...{ log, directory: workingFolder(spec.target) },
    // What it leaves in there goes with the run, whatever ends it.
    environment: { TMPDIR: context.folder, ...environmentOf(spec) },
  };
  const beganMs = performance.now();
  const child = startLogged(logged, { cores: spec.topology.cores, channel });
  const { pid } = child;
  if (pid !== undefined) {
    endings.add(() => endGroup(pid, context, log));
    context.guard(pid);
  }
  return await startedOf(spec, log, beganMs, async () => {
    if (pid === undefined) {
      throw new NotUp(`it did not start: ${messageOf((await child).cause)}`, false);
    }
    const leader: Leader = {
      pid,
      members: () => membersOf(pid, log),
      onMessage: (listen) => child.nodeChildProcess.on('message', listen),
    };
    try {
      return await untilUp(leader);
    } catch (error) {
      throw await reasonOf(error, child);
    }
  });
}

/** Makes a server on Node listen with SO_REUSEPORT. */
export const REUSE_PORT = join(SRC, 'launch/reuse-port.cjs');

/** What a runtime is told before the script; Deno else allows it nothing, and writes a lock file of its own. */
const BEFORE_SCRIPT: Record<RuntimeKind, string[]> = {
  node: [],
  bun: [],
  deno: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
};

/** The `start` command of a server, with the program that it means. */
function startCommand({ target, topology }: ServerSpec): [string, ...string[]] {
  const [program, ...rest] = target.start;
  const before = target.runtime && program === 'node' ? BEFORE_SCRIPT[target.runtime.kind] : [];
  const sharing = topology.manager === 'SO_REUSEPORT' ? ['--require', REUSE_PORT] : [];
  return [programOf(target), ...before, ...sharing, ...rest];
}

/**
 * Starts each server as the process, or the processes, that its `start` command becomes. One that does
 * not heed PORT is found by what it listens on.
 */
export const launchSingle: Launcher = (specs, context, endings) => {
  return startInTurn(specs, (spec) => {
    const untilUp = ({ members }: Leader) => untilListening(spec, members, context);
    const way = { command: startCommand(spec), channel: false, untilUp };
    return startInGroup(spec, way, context, endings);
  });
};

/** A server that does not listen where it is told to has so long to do so, once it listens elsewhere. */
const ELSEWHERE_MS = 500;

async function untilListening(
  { address, port }: ServerSpec,
  members: () => number[],
  context: LaunchContext,
): Promise<Found> {
  let elsewhereSince: number | null = null;
  return await duringStart(
    context,
    () => ACCEPTS_NONE,
    async () => {
      const host = await hostOf(address, port);
      const pids = members();
      if (pids.length === 0) throw new NotUp('it ended while starting', false);
      if (host !== null) return { pids, managerPids: [], origin: originOf(host, port) };
      const [other] = portsOf(pids);
      if (other === undefined) return null;
      elsewhereSince ??= performance.now();
      if (performance.now() - elsewhereSince < ELSEWHERE_MS) return null;
      const otherHost = await hostOf(address, other);
      if (otherHost === null) return null;
      return { pids, managerPids: [], origin: originOf(otherHost, other) };
    },
  );
}

/** By which of this machine's addresses somebody accepts connections on this port. */
async function hostOf(address: string, port: number): Promise<string | null> {
  for (const host of addressesFor(address)) {
    if (await accepts(host, port)) return host;
  }
  return null;
}

/**
 * Starts each server as so many processes of its `start` command that share one port by SO_REUSEPORT:
 * the kernel deals the connections to them, by their addresses. They are of one topology.
 */
export const launchReusePort: Launcher = async (specs, context, endings) => {
  const members = specs.flatMap((spec) => {
    return Array.from({ length: spec.topology.processes }, (_, index) => {
      return { ...spec, key: `${spec.key}#${index + 1}` };
    });
  });
  const started = await startInTurn(members, (spec) => {
    const untilUp = ({ pid }: Leader) => untilSharing(spec, pid, context);
    const way = { command: startCommand(spec), channel: false, untilUp };
    return startInGroup(spec, way, context, endings);
  });
  const each = members.length / specs.length;
  return specs.map((spec, place) => {
    return together(spec, started.slice(place * each, (place + 1) * each));
  });
};

/** One of several processes is up once it listens itself, not when another one accepts. */
async function untilSharing(spec: ServerSpec, pid: number, context: LaunchContext): Promise<Found> {
  const { address, port } = spec;
  await untilReady(spec, [pid], context);
  await duringStart(
    context,
    () => 'it did not listen',
    () => {
      requireAlive([pid]);
      return !CAN_SEE_SOCKETS || portsOf([pid]).includes(port) || null;
    },
  );
  return { pids: [pid], managerPids: [], origin: originOf(address, port) };
}

/** The processes of a server as one; one that failed is a failure of all. */
function together(spec: ServerSpec, members: readonly Started[]): Started {
  const servers: RunningServer[] = [];
  for (const { outcome } of members) {
    if (outcome.state === 'failed') return { spec, outcome };
    servers.push(outcome.server);
  }
  const pids = servers.flatMap((server) => server.pids);
  const found = { pids, managerPids: [], origin: originOf(spec.address, spec.port) };
  const logTail = () => servers.flatMap((server) => server.logTail());
  const startNs = Math.max(...servers.map((server) => server.startNs ?? 0));
  const server = runningServer(spec, found, startNs, logTail);
  return { spec, outcome: { state: 'running', server } };
}

/** Servers that somebody else has started: nothing is started, and nothing ends with the launch. */
export const launchExternal: Launcher = async (specs) => {
  return specs.map((spec): Started => {
    const { external } = spec.target;
    if (external === null) throw new Error(`${spec.key} is to be started`);
    const server = runningServer(spec, { ...external, managerPids: [] }, null, () => []);
    return { spec, outcome: { state: 'running', server } };
  });
};
