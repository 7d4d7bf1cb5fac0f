import { dirname, join } from 'node:path';
import { startGuardian } from '../../src/launch/guardian.ts';
import { type ReadyServers, startVerified } from '../../src/launch/ready.ts';
import { contextOf, type RunningServer } from '../../src/launch/server.ts';
import type { PlannedService } from '../../src/plan/plan.ts';
import type { Topology } from '../../src/plan/topology.ts';
import type { ServiceName } from '../../src/services/index.ts';
import { runnable } from '../../src/targets/needs.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';
import type { Write } from './temporary-folder.ts';

export const FIXTURES = join(import.meta.dirname, '../fixtures');
/** The folder of those that need services. */
export const SERVED = join(FIXTURES, 'services');

/** Why tests of these services are skipped; null if their programs are installed. */
export function missingHere(...names: ServiceName[]): string | null {
  const services = Object.fromEntries(names.map((name) => [name, {}]));
  return runnable([{ name: 'the test', needs: [], services }]).leftOut[0] ?? null;
}

export function odd(way: string, ...args: string[]): LocalTarget['start'] {
  return ['node', join(FIXTURES, 'odd.mjs'), way, ...args];
}

export function fixtures(...names: string[]): LocalTarget[] {
  return selectTargets(readTargets(FIXTURES), names);
}

export function fixture(name: string, folder = FIXTURES): LocalTarget {
  const [target] = selectTargets(readTargets(folder), [name]);
  if (target === undefined) throw new Error(`no fixture ${name}`);
  return target;
}

const SERVE = JSON.stringify(join(FIXTURES, 'serve.mjs'));

/** A target whose script is written by `write`: CommonJS, in which `serve()` serves `hello` or another handler. */
export function scripted(write: Write, name: string, script: string): LocalTarget {
  const serve = `const serve = (handlerOf = ({ hello }) => hello) => {
    import(${SERVE}).then((own) => own.serve(handlerOf(own)));
  };\n`;
  const directory = dirname(write(`${name}/main.js`, serve + script));
  return { ...fixture('ok'), name, directory, start: ['node', 'main.js'] };
}

export interface Launching {
  startTimeoutMs?: number;
  signal?: AbortSignal;
  isVerified?: boolean;
}

/** Starts a guardian, and returns its pid with a launch context. */
export function startContext(launching: Launching = {}) {
  const { startTimeoutMs = 10_000, signal = new AbortController().signal } = launching;
  const guardian = startGuardian();
  return {
    context: { ...contextOf(guardian, signal), startTimeoutMs },
    guardian: guardian.pid,
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}

/** Starts these targets in each of these topologies under a guardian of their own; disposing of the result ends all. */
export async function startTargets(
  targets: LocalTarget[],
  topologies: Topology[],
  { isVerified = true, ...launching }: Launching = {},
  services: PlannedService[] = [],
) {
  await using stack = new AsyncDisposableStack();
  const { context, guardian } = stack.use(startContext(launching));
  const servers = serversIn(topologies, targets);
  const unverified = isVerified ? [] : servers.map(({ key }) => key);
  const ready = stack.use(await startVerified({ servers, services, unverified }, context));
  const all = stack.move();
  return { ...ready, context, guardian, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Starts a target in a topology without verifying it. */
export function startOne(target: LocalTarget, topology: Topology, launching?: Launching) {
  return startTargets([target], [topology], { ...launching, isVerified: false });
}

export function startFixtures(names: string[], topologies: Topology[], launching?: Launching) {
  return startTargets(fixtures(...names), topologies, launching);
}

export function serversIn(topologies: Topology[], targets: LocalTarget[]) {
  return topologies.flatMap((topology) => {
    return targets.map((target) => ({ key: `${target.name}/${topology.id}`, target, topology }));
  });
}

/** The running server with this key. @throws without one. */
export function running(ready: ReadyServers, key: string): RunningServer {
  const server = ready.servers.get(key);
  const problems = ready.notReady.map((each) => `${each.server}: ${each.message}`);
  if (server === undefined) throw new Error(`${key} is not running: ${problems.join('; ')}`);
  return server;
}
