import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { WORKLOADS } from '../../src/base/places.ts';
import { buildTargets } from '../../src/launch/build.ts';
import { type ReadyServers, startVerified } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/services.ts';
import type { Topology } from '../../src/plan/topology.ts';
import type { ServiceName } from '../../src/services/index.ts';
import { runnable } from '../../src/targets/needs.ts';
import { type LocalTarget, readTargets } from '../../src/targets/targets.ts';
import { refsOf, running, SINGLE, startContext } from './fixtures.ts';
import { makeMachine } from './make-record.ts';
import { callersEnvironment, isRegistryWithinReach } from './registry.ts';
import { missingHere } from './services.ts';

/** Installing and building take minutes where nothing is cached. */
const BUILDING_MS = 600_000;

/** A workload of the repository, on this machine. */
export interface Workload {
  folder: string;
  /** Those that can run here. */
  targets: LocalTarget[];
  leftOut: string[];
  /** Makes builds and installations find what the caller's own have fetched and built. */
  environment: Record<string, string>;
  /** Has all targets built before the tests of this block, which are skipped where that can't be. */
  isBuilt(): void;
}

/** To be called before a test file makes a place of its own: the caller's caches are in its home folder. */
export function workload(name: string, ...services: ServiceName[]): Workload {
  const folder = join(WORKLOADS, name);
  const { targets, leftOut } = runnable(readTargets(folder));
  const environment = callersEnvironment();
  const isInstalled = existsSync(join(folder, 'node_modules/.overhead-installed'));
  const lacking =
    missingHere(...services) ??
    (isInstalled || isRegistryWithinReach() ? null : "npm's registry is not within reach");
  const isBuilt = () => {
    beforeAll(async () => {
      for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
      if (lacking === null) await buildTargets(targets, new AbortController().signal, () => {});
    }, BUILDING_MS);
    afterAll(() => {
      vi.unstubAllEnvs();
    });
    beforeEach(({ skip }) => {
      skip(lacking !== null, lacking ?? '');
    });
  };
  return { folder, targets, leftOut, environment, isBuilt };
}

/** Servers that answer as declared. */
export interface Answering extends AsyncDisposable {
  ready: ReadyServers;
  originOf(name: string): string;
}

/** Starts these servers with what they need, and expects that each answers as it declares. */
export async function startAnswering(
  targets: LocalTarget[],
  topology: Topology = SINGLE,
): Promise<Answering> {
  await using stack = new AsyncDisposableStack();
  const guarded = stack.use(startContext({ startTimeoutMs: 60_000 }));
  const names = targets.map(({ name }) => name);
  const services = planServices(targets, makeMachine({ canPin: false }));
  const wanted = { refs: refsOf(names, [topology]), topologies: [topology], targets, services };
  const ready = stack.use(await startVerified(wanted, guarded.context));
  expect({ notReady: ready.notReady, troubles: ready.troubles }).toEqual({
    notReady: [],
    troubles: [],
  });
  expect(ready.servers.size).toBe(targets.length);
  const own = stack.move();
  return {
    ready,
    originOf: (name) => running(ready, `${name}/${topology.id}`).origin,
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
