import { join } from 'node:path';
import { Endings } from '../../src/launch/endings.ts';
import { startGuardian } from '../../src/launch/guardian.ts';
import { launch } from '../../src/launch/launch.ts';
import { type ReadyServers, startVerified } from '../../src/launch/ready.ts';
import {
  contextOf,
  HOST,
  type LaunchContext,
  type RunningServer,
  type ServerSpec,
} from '../../src/launch/server.ts';
import type { Manager, ServerRef, Topology } from '../../src/plan/topology.ts';
import { freePort } from '../../src/system/free-port.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';

/** The folder of the servers that tests start. */
export const FIXTURES = join(import.meta.dirname, '../fixtures');

export const SINGLE = topology('single', 'none');
const FORK = topology('fork', 'pm2 fork');
const CLUSTER_OF_1 = topology('1', 'pm2');
export const CLUSTER_OF_2 = topology('2', 'pm2', 2);
export const MONITORED = topology('pmx:2', 'pm2 with pmx', 2);
export const NODE_CLUSTER_OF_1 = topology('cluster:1', 'node:cluster');
export const NODE_CLUSTER_OF_2 = topology('cluster:2', 'node:cluster', 2);
const REUSE_PORT_OF_2 = topology('reuse-port:2', 'SO_REUSEPORT', 2);
export const THREADS_OF_2 = topology('threads:2', 'worker threads', 2);
/** One of every kind, and pm2's clusters in two sizes. */
export const TOPOLOGIES = [
  ...[SINGLE, NODE_CLUSTER_OF_2, FORK, CLUSTER_OF_1, CLUSTER_OF_2, MONITORED],
  ...[REUSE_PORT_OF_2, THREADS_OF_2],
];
/** One of each way to start processes, and none that differs from another in its options alone. */
export const WAYS = [
  ...[SINGLE, NODE_CLUSTER_OF_2, FORK, CLUSTER_OF_2],
  ...[REUSE_PORT_OF_2, THREADS_OF_2],
];

/** How many processes serve in a topology: threads are all in one. */
export function processesIn({ manager, processes }: Topology): number {
  return manager === 'worker threads' ? 1 : processes;
}

/** How many processes keep these. */
export function managersIn({ manager }: Pick<Topology, 'manager'>): number {
  return manager === 'node:cluster' || manager.startsWith('pm2') ? 1 : 0;
}

/** The fixture servers of these names. */
export function fixtures(...names: string[]): LocalTarget[] {
  return selectTargets(readTargets(FIXTURES), names);
}

/** The fixture server of this name. */
export function fixture(name: string): LocalTarget {
  const [target] = fixtures(name);
  if (target === undefined) throw new Error(`no fixture ${name}`);
  return target;
}

function topology(id: string, manager: Manager, processes = 1): Topology {
  return { id, names: [id], manager, processes, cores: null, spareCores: [] };
}

interface Launching {
  startTimeoutMs?: number;
  signal?: AbortSignal;
}

/** A guardian with a launch context, more or less patient. */
export function startContext({
  startTimeoutMs = 10_000,
  signal = new AbortController().signal,
}: Launching = {}): { context: LaunchContext; guardian: number } & AsyncDisposable {
  const guardian = startGuardian();
  return {
    context: { ...contextOf(guardian, signal), startTimeoutMs },
    guardian: guardian.pid,
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}

/** Starts these servers, which nobody verifies. */
export async function launched(specs: readonly ServerSpec[], context: LaunchContext) {
  await using stack = new AsyncDisposableStack();
  const started = await launch(specs, context, stack.use(new Endings()));
  const all = stack.move();
  return { started, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** A server to start, with a port that the test may watch. */
export async function specOf(target: LocalTarget, topology: Topology): Promise<ServerSpec> {
  const port = await freePort(HOST);
  const key = `${target.name}/${topology.id}`;
  return { key, target, topology, address: HOST, port, services: [] };
}

/** Starts and verifies these fixture servers in each of these topologies. */
export function startFixtures(
  names: string[],
  topologies: Topology[],
  context: LaunchContext,
): Promise<ReadyServers> {
  const refs = refsOf(names, topologies);
  return startVerified({ refs, topologies, targets: fixtures(...names), services: [] }, context);
}

/** Each of these targets in each of these topologies. */
export function refsOf(names: string[], topologies: Topology[]): ServerRef[] {
  return topologies.flatMap(({ id }) => {
    return names.map((name) => ({ server: `${name}/${id}`, target: name, topology: id }));
  });
}

/** The running server of this key. */
export function running(ready: ReadyServers, key: string): RunningServer {
  const server = ready.servers.get(key);
  if (server === undefined) throw new Error(`${key} is not running: ${problems(ready)}`);
  return server;
}

function problems({ notReady }: ReadyServers): string {
  return notReady.map(({ server, message }) => `${server}: ${message}`).join('; ');
}
