import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ReadyServers, startVerified } from '../../src/launch/ready.ts';
import type { LaunchContext } from '../../src/launch/server.ts';
import { planServices } from '../../src/plan/services.ts';
import { SERVICES } from '../../src/services/index.ts';
import { isAlive } from '../../src/system/processes.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';
import { CLUSTER_OF_2, running, SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine } from '../support/make-record.ts';
import { missingHere, SERVED } from '../support/services.ts';

const place = ownPlace();
const ANY_CORE = makeMachine({ canPin: false });
/** Making MariaDB's data takes seconds, and more on a busy machine. */
const PATIENT = { startTimeoutMs: 30_000 };

afterEach(() => {
  vi.unstubAllEnvs();
});

function served(...names: string[]): LocalTarget[] {
  return selectTargets(readTargets(SERVED), names);
}

/** Starts and verifies these servers with what they need. */
function startServed(
  targets: LocalTarget[],
  context: LaunchContext,
  topologies = [SINGLE],
): Promise<ReadyServers> {
  const refs = topologies.flatMap(({ id }) => {
    return targets.map(({ name }) => ({ server: `${name}/${id}`, target: name, topology: id }));
  });
  const services = planServices(targets, ANY_CORE);
  return startVerified({ refs, topologies, targets, services }, context);
}

function pidsOf({ services }: ReadyServers): number[] {
  return services.flatMap(({ pids }) => pids);
}

describe.each([
  { service: 'redis', first: 'redis-a', second: 'redis-b' },
  { service: 'mariadb', first: 'mariadb-a', second: 'mariadb-b' },
] as const)('$service', ({ service, first, second }) => {
  beforeEach(({ skip }) => {
    const missing = missingHere(service);
    skip(missing !== null, missing ?? '');
  });

  test('several that are made and start at once leave each other alone', async () => {
    vi.stubEnv('XDG_CACHE_HOME', join(place.folder, `own-${service}`));
    await using stack = new AsyncDisposableStack();
    const starting = Array.from({ length: 4 }, async () => {
      const guarded = stack.use(startContext(PATIENT));
      return stack.use(await startServed(served(first), guarded.context));
    });
    for (const { notReady, troubles } of await Promise.all(starting)) {
      expect({ notReady, troubles }).toEqual({ notReady: [], troubles: [] });
    }
  });

  test('one instance, filled by the seed once, serves all that declare it, in any topology', async () => {
    await using guarded = startContext(PATIENT);
    const topologies = [SINGLE, CLUSTER_OF_2];
    const ready = await startServed(served(first, second), guarded.context, topologies);
    const pids = pidsOf(ready);
    try {
      // The seed of MariaDB's fixture creates a table, which can be done once only.
      expect({ notReady: ready.notReady, troubles: ready.troubles }).toEqual({
        notReady: [],
        troubles: [],
      });
      const version = expect.stringMatching(/^\d+\.\d+/);
      expect(ready.services).toMatchObject([{ name: service, version }]);
      expect([...ready.servers.keys()]).toHaveLength(4);
      for (const { spec } of ready.servers.values()) expect(spec.services).toEqual(ready.services);
      expect(pids.every(isAlive)).toBe(true);
      // In the folder of the run, with a path for its socket that is short enough.
      const environment = Object.entries(ready.services[0]?.environment ?? {});
      const socket = environment.find(([name]) => name.endsWith('_SOCKET'))?.[1] ?? '';
      expect(existsSync(socket)).toBe(true);
      expect(socket.startsWith(`${guarded.context.folder}/`)).toBe(true);
      expect(Buffer.byteLength(socket)).toBeLessThan(107);
      expect(Number(new URL(environment[0]?.[1] ?? '').port)).toBeGreaterThan(1023);
    } finally {
      await ready[Symbol.asyncDispose]();
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a seed that fails takes out the targets that declare it, and no other', async () => {
    await using guarded = startContext(PATIENT);
    const [good, other] = served(first, second);
    if (good === undefined || other === undefined) throw new Error('no fixtures');
    const seed = ['node', '-e', 'console.log("no rows"); process.exitCode = 3'] as const;
    const bad = { ...other, services: { [service]: { seed: [...seed], seedFiles: null } } };
    await using ready = await startServed([good, bad], guarded.context);
    expect([...ready.servers.keys()]).toEqual([`${first}/single`]);
    expect(ready.notReady).toEqual([
      {
        ...{ server: `${second}/single`, when: 'start', died: false, logTail: ['no rows'] },
        message: `its seed of ${service} ended with code 3`,
      },
    ]);
  });

  test('a start that is aborted leaves nothing', async () => {
    const reason = new Error('the user has had enough');
    const controller = new AbortController();
    await using guarded = startContext({ signal: controller.signal });
    const starting = startServed(served(first), guarded.context);
    setTimeout(() => controller.abort(reason), 100);
    await expect(starting).rejects.toBe(reason);
  });
});

test('where a service does not start its servers are not either, others are', async ({ skip }) => {
  const missing = missingHere('redis');
  skip(missing !== null, missing ?? '');
  await using guarded = startContext(PATIENT);
  const targets = served('redis-a', 'plain');
  const args = vi.spyOn(SERVICES.redis, 'args').mockReturnValue(['--no-such-option', 'here']);
  try {
    await using ready = await startServed(targets, guarded.context);
    expect(ready.troubles).toMatchObject([
      { name: 'redis', message: 'it ended with code 1 while starting' },
    ]);
    expect(ready.troubles[0]?.logTail.join(' ')).toContain('no-such-option');
    expect(ready.notReady).toEqual([]);
    expect([...ready.servers.keys()]).toEqual(['plain/single']);
  } finally {
    args.mockRestore();
  }
});

test('what takes long to make is made once, and copied', async ({ skip }) => {
  const missing = missingHere('mariadb');
  skip(missing !== null, missing ?? '');
  await using guarded = startContext(PATIENT);
  const cache = join(place.folder, '.cache/overhead');
  const made: string[] = [];
  for (const _ of [1, 2]) {
    await using ready = await startServed(served('mariadb-a'), guarded.context);
    expect(ready.servers.size).toBe(1);
    made.push(...readdirSync(cache).map((name) => `${name} ${statSync(join(cache, name)).ino}`));
  }
  expect(made).toEqual([expect.stringMatching(/^mariadb-[\d.]+ \d+$/), made[0]]);
});

test('a server without services has none of their addresses', async () => {
  await using guarded = startContext();
  await using ready = await startServed(served('plain'), guarded.context);
  expect(ready.services).toEqual([]);
  expect(running(ready, 'plain/single').spec).toMatchObject({ services: [], target: { env: {} } });
});
