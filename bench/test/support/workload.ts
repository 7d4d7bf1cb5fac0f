import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test, vi } from 'vitest';
import { ROOT, WORKLOADS } from '../../src/base/places.ts';
import { buildTargets } from '../../src/launch/build.ts';
import { planServices } from '../../src/plan/make-plan.ts';
import type { ServiceName } from '../../src/services/index.ts';
import { runnable } from '../../src/targets/needs.ts';
import { type LocalTarget, readTargets } from '../../src/targets/targets.ts';
import { missingHere, running, startTargets } from './fixtures.ts';
import { makeMachine } from './make-record.ts';
import { callersEnvironment, isRegistryWithinReach } from './registry.ts';
import { SINGLE } from './topologies.ts';

/** Installing and building take minutes where nothing is cached. */
const BUILDING_MS = 1_800_000;

/**
 * The targets of a workload that can run here, and why others can't. `isBuilt` builds them before the tests of a block,
 * or skips these. Builds use caches in the home folder: call this before `ownPlace`, which changes that.
 */
export function workload(name: string, ...services: ServiceName[]) {
  const folder = join(WORKLOADS, name);
  const { targets, leftOut } = runnable(readTargets(folder));
  const environment = callersEnvironment();
  const isInstalled = existsSync(join(folder, 'node_modules/.overhead-installed'));
  const lacking =
    missingHere(...services) ??
    (isInstalled || isRegistryWithinReach() ? null : "npm's registry is not within reach");
  const isBuilt = (): void => {
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
  /** The output of a command in a folder of the workload, by default in its own. @throws when it fails. */
  const run = async (file: string, args: readonly string[], inside = '.') => {
    const options = { cwd: join(folder, inside), env: environment, all: true } as const;
    return (await execa(file, args, options)).all;
  };
  const needGo = (skip: TestContext['skip']) => {
    skip(!targets.some(({ needs }) => needs.includes('go')), leftOut.join('; '));
  };
  /** Tests that the sources in TypeScript and in these packages of Go have no errors. */
  const areSound = (...goPackages: string[]) => {
    test('are sound in TypeScript', async () => {
      await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', '.']);
    });
    test('are sound in Go', async ({ skip }) => {
      needGo(skip);
      expect(await run('go', ['vet', ...goPackages])).toBe('');
    });
  };
  return { folder, targets, leftOut, isBuilt, run, needGo, areSound };
}

/** Starts these servers with the services that they need, and expects that each answers as declared. */
export async function startAnswering(targets: LocalTarget[], topology = SINGLE) {
  await using stack = new AsyncDisposableStack();
  const services = planServices(targets, makeMachine({ canPin: false }));
  const patient = { startTimeoutMs: 60_000 };
  const ready = stack.use(await startTargets(targets, [topology], patient, services));
  expect([...ready.notReady, ...ready.failedServices]).toEqual([]);
  expect(ready.servers.size).toBe(targets.length);
  const own = stack.move();
  return {
    ready,
    originOf: (name: string) => running(ready, `${name}/${topology.id}`).origin,
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
