import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ReadyServers, startVerified } from '../../src/launch/ready.ts';
import type { LaunchContext } from '../../src/launch/server.ts';
import { planServices } from '../../src/plan/services.ts';
import { SERVICES, type ServiceName } from '../../src/services/index.ts';
import { isAlive } from '../../src/system/processes.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';
import { start } from '../cli/harness.ts';
import { CLUSTER_OF_2, refsOf, running, SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine } from '../support/make-record.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const place = ownPlace();
/** Making MariaDB's data takes seconds, and more on a busy machine. */
const PATIENT = { startTimeoutMs: 30_000 };

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Skips the tests of a group where this service is not here. */
function needs(service: ServiceName): void {
  beforeEach(({ skip }) => {
    const missing = missingHere(service);
    skip(missing !== null, missing ?? '');
  });
}

function served(...names: string[]): LocalTarget[] {
  return selectTargets(readTargets(SERVED), names);
}

/** Starts and verifies these servers with what they need. */
function startServed(
  targets: LocalTarget[],
  context: LaunchContext,
  topologies = [SINGLE],
): Promise<ReadyServers> {
  const names = targets.map(({ name }) => name);
  const services = planServices(targets, makeMachine({ canPin: false }));
  return startVerified({ refs: refsOf(names, topologies), topologies, targets, services }, context);
}

describe.each([
  { service: 'redis', first: 'redis-a', second: 'redis-b' },
  { service: 'mariadb', first: 'mariadb-a', second: 'mariadb-b' },
] as const)('$service', ({ service, first, second }) => {
  needs(service);

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
    const { notReady, troubles, services } = ready;
    const pids = services.flatMap((each) => each.pids);
    try {
      // The seed of MariaDB's fixture creates a table, which can be done once only.
      expect({ notReady, troubles }).toEqual({ notReady: [], troubles: [] });
      const version = expect.stringMatching(/^\d+\.\d+/);
      expect(services).toMatchObject([{ name: service, version }]);
      expect([...ready.servers.keys()]).toHaveLength(4);
      for (const { spec } of ready.servers.values()) expect(spec.services).toEqual(services);
      expect(pids.every(isAlive)).toBe(true);
      // In the folder of the run, with a path for its socket that is short enough.
      const environment = Object.entries(services[0]?.environment ?? {});
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

test('a server without services has none of their addresses', async () => {
  await using guarded = startContext();
  await using ready = await startServed(served('plain'), guarded.context);
  expect(ready.services).toEqual([]);
  expect(running(ready, 'plain/single').spec).toMatchObject({ services: [], target: { env: {} } });
});

const CACHE = () => join(place.folder, '.cache/overhead');
const kept = () => {
  const folder = join(CACHE(), 'filled');
  return existsSync(folder) ? readdirSync(folder) : [];
};

interface Seeding {
  name: string;
  service: ServiceName;
  /** What the file says that decides the rows. */
  says: string;
  /** The last lines of the seed. */
  ending: string;
}

/** A target whose seed is the fixture's, notes that it ran, and then does something. */
function seeded(
  folder: TemporaryFolder,
  { name = 'mariadb-a', service = 'mariadb', says = '1', ending = '' }: Partial<Seeding> = {},
): LocalTarget {
  const [target] = served(name);
  if (target === undefined) throw new Error('no fixture');
  const rows = folder.write('rows', says);
  const script = [
    "import { appendFileSync, readFileSync } from 'node:fs';",
    "import { dirname, join } from 'node:path';",
    "appendFileSync(join(import.meta.dirname, 'ran'), 'x');",
    `await import(${JSON.stringify(join(SERVED, `seed-${service}.mjs`))});`,
    ending,
  ];
  const seed: [string, ...string[]] = ['node', folder.write('seed.mjs', script.join('\n'))];
  return { ...target, services: { [service]: { seed, seedFiles: [rows] } } };
}

/** How often the seed of this folder has run. */
function runs({ path }: TemporaryFolder): number {
  const file = join(path, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** One launch of this target; returns what was wrong with it. */
async function launchOnce(target: LocalTarget): Promise<string[]> {
  await using guarded = startContext(PATIENT);
  await using ready = await startServed([target], guarded.context);
  return [...ready.notReady, ...ready.troubles].map(({ message }) => message);
}

describe('what MariaDB keeps for the next launch', () => {
  needs('mariadb');

  test('is its fresh data', async () => {
    const [fresh] = served('mariadb-a');
    if (fresh === undefined) throw new Error('no fixture');
    const made: string[] = [];
    for (const _ of [1, 2]) {
      expect(await launchOnce(fresh)).toEqual([]);
      const names = readdirSync(CACHE()).filter((name) => name !== 'filled');
      made.push(...names.map((name) => `${name} ${statSync(join(CACHE(), name)).ino}`));
    }
    expect(made).toEqual([expect.stringMatching(/^mariadb-[\d.]+ \d+$/), made[0]]);
  });

  test('is what a seed has filled in, until a file of it changes', async () => {
    using folder = temporaryFolder();
    const before = kept().length;
    // The server answers from the rows of the seed, which would fail if it ran twice on the same data.
    expect(await launchOnce(seeded(folder, { says: 'one' }))).toEqual([]);
    const first = kept();
    expect(first).toHaveLength(before + 1);
    expect(first).toContainEqual(expect.stringMatching(/^mariadb-[\d.]+-[\da-f]{16}$/));
    expect(await launchOnce(seeded(folder, { says: 'one' }))).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(first);
    expect(await launchOnce(seeded(folder, { says: 'two' }))).toEqual([]);
    expect(runs(folder)).toBe(2);
    expect(kept()).toHaveLength(before + 2);
  });

  const KILL = [
    "const pid = readFileSync(join(dirname(process.env.MARIADB_SOCKET), 'pid'), 'utf8');",
    "process.kill(Number(pid), 'SIGKILL');",
  ];
  test.each([
    {
      why: 'the seed fails',
      ending: 'process.exitCode = 3;',
      says: /^its seed of .+ with code 3$/,
    },
    { why: 'it was killed', ending: KILL.join('\n'), says: /^it gave no answer: / },
  ])('is nothing where $why, which is told', async ({ why, ending, says }) => {
    using folder = temporaryFolder();
    const before = kept();
    const problems = await launchOnce(seeded(folder, { says: why, ending }));
    expect(problems).toEqual([expect.stringMatching(says)]);
    expect(kept()).toEqual(before);
  });

  test('is nothing of a seed that does not say what decides its rows', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const { services, ...target } = seeded(folder);
    const { seed = null } = services.mariadb ?? {};
    const silent = { ...target, services: { mariadb: { seed, seedFiles: null } } };
    expect(await launchOnce(silent)).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(before);
  });

  test('is nothing of a run that ends while data are filled, and the next one fills them', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const slow = seeded(folder, { says: 'ended', ending: 'setTimeout(() => {}, 60_000);' });
    const controller = new AbortController();
    await using guarded = startContext({ ...PATIENT, signal: controller.signal });
    const ended = expect(startServed([slow], guarded.context)).rejects.toThrow(/abort/);
    while (runs(folder) === 0) await sleep(20);
    controller.abort();
    await ended;
    expect(kept()).toEqual(before);
    expect(await launchOnce(seeded(folder, { says: 'ended' }))).toEqual([]);
    expect(kept().length).toBe(before.length + 1);
  });

  test('is one of two runs at a time, each of which fills its own', async () => {
    using folder = temporaryFolder();
    const { name, services, requests: _requests, ...own } = seeded(folder, { says: 'together' });
    const { suite, label, start: command, port } = own;
    const [program, ...words] = command;
    const absolute = [program, ...words.map((word) => join(own.directory, word))];
    const said = { request: { method: 'GET', path: '/' } };
    const expected = { expect: { status: 200, body: 'row 2 of 3' } };
    const bench = { suite, label, start: absolute, port, services, ...said, ...expected };
    folder.write(`targets/${name}/package.json`, { name, bench });
    const before = kept();
    const args = ['verify', '--packages', join(folder.path, 'targets'), '--topology', 'single'];
    const both = await Promise.all([1, 2].map(() => start(place, args).finished));
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      both.map(() => ({ code: 0, stderr: '' })),
    );
    expect(kept().length).toBe(before.length + 1);
    // The next one begins with it.
    const filled = runs(folder);
    expect((await start(place, args).finished).code).toBe(0);
    expect(runs(folder)).toBe(filled);
  });
});

describe('Redis', () => {
  needs('redis');

  test('keeps nothing, since its data are not on the disk once it has ended', async () => {
    using folder = temporaryFolder();
    const before = kept();
    expect(await launchOnce(seeded(folder, { name: 'redis-a', service: 'redis' }))).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(before);
  });

  test('where it does not start its servers are not either, others are', async () => {
    await using guarded = startContext(PATIENT);
    const args = vi.spyOn(SERVICES.redis, 'args').mockReturnValue(['--no-such-option', 'here']);
    try {
      await using ready = await startServed(served('redis-a', 'plain'), guarded.context);
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
});
