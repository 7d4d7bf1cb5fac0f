import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadyServers } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/services.ts';
import { SERVICES, type ServiceName } from '../../src/services/index.ts';
import { isAlive } from '../../src/system/processes.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';
import { start } from '../cli/harness.ts';
import {
  CLUSTER_OF_2,
  type Launching,
  running,
  SINGLE,
  startTargets,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine } from '../support/make-record.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const place = ownPlace();

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

function served(name: string): LocalTarget {
  const [target] = selectTargets(readTargets(SERVED), [name]);
  if (target === undefined) throw new Error(`no fixture ${name}`);
  return target;
}

/** Starts and verifies these servers with what they need. Making MariaDB's data takes seconds, and more on a busy machine. */
function startServed(targets: LocalTarget[], launching: Launching = {}, topologies = [SINGLE]) {
  const services = planServices(targets, makeMachine({ canPin: false }));
  return startTargets(targets, topologies, { startTimeoutMs: 30_000, ...launching }, services);
}

const problemsOf = ({ notReady, troubles }: Pick<ReadyServers, 'notReady' | 'troubles'>) => {
  return [...notReady, ...troubles];
};

describe.each([
  { service: 'redis', first: 'redis-a', second: 'redis-b' },
  { service: 'mariadb', first: 'mariadb-a', second: 'mariadb-b' },
] as const)('$service', ({ service, first, second }) => {
  needs(service);

  test('several that are made and start at once leave each other alone', async () => {
    vi.stubEnv('XDG_CACHE_HOME', join(place.folder, `own-${service}`));
    await using stack = new AsyncDisposableStack();
    const starting = Array.from({ length: 4 }, async () => {
      return stack.use(await startServed([served(first)]));
    });
    expect((await Promise.all(starting)).flatMap(problemsOf)).toEqual([]);
  });

  test('one instance, filled by the seed once, serves all that declare it, in any topology', async () => {
    const targets = [first, second].map(served);
    const pids: number[] = [];
    {
      await using ready = await startServed(targets, {}, [SINGLE, CLUSTER_OF_2]);
      const { services } = ready;
      pids.push(...services.flatMap((each) => each.pids));
      // The seed of MariaDB's fixture creates a table, which can be done once only.
      expect(problemsOf(ready)).toEqual([]);
      const version = expect.stringMatching(/^\d+\.\d+/);
      expect(services).toMatchObject([{ name: service, version }]);
      expect(ready.servers.size).toBe(4);
      for (const { spec } of ready.servers.values()) expect(spec.services).toEqual(services);
      expect(pids.every(isAlive)).toBe(true);
      // In the folder of the run, with a path for its socket that is short enough.
      const environment = Object.entries(services[0]?.environment ?? {});
      const socket = environment.find(([name]) => name.endsWith('_SOCKET'))?.[1] ?? '';
      expect(existsSync(socket)).toBe(true);
      expect(socket.startsWith(`${ready.context.folder}/`)).toBe(true);
      expect(Buffer.byteLength(socket)).toBeLessThan(107);
      expect(Number(new URL(environment[0]?.[1] ?? '').port)).toBeGreaterThan(1023);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a seed that fails takes out the targets that declare it, and no other', async () => {
    const seed = ['node', '-e', 'console.log("no rows"); process.exitCode = 3'] as const;
    const services = { [service]: { seed: [...seed], seedFiles: null } };
    const bad = { ...served(second), services };
    await using ready = await startServed([served(first), bad]);
    expect([...ready.servers.keys()]).toEqual([`${first}/single`]);
    expect(ready.notReady).toEqual([
      {
        server: `${second}/single`,
        when: 'start',
        died: false,
        message: `its seed of ${service} ended with code 3`,
        logTail: ['no rows'],
      },
    ]);
  });

  test('a start that is aborted leaves nothing', async () => {
    const reason = new Error('the user has had enough');
    const controller = new AbortController();
    const { signal } = controller;
    const starting = startServed([served(first)], { signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(starting).rejects.toBe(reason);
  });
});

test('a server without services has none of their addresses', async () => {
  await using ready = await startServed([served('plain')]);
  expect(ready.services).toEqual([]);
  expect(running(ready, 'plain/single').spec).toMatchObject({ services: [], target: { env: {} } });
});

const CACHE = () => join(place.folder, '.cache/overhead');
const kept = () => {
  const folder = join(CACHE(), 'filled');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/**
 * A target whose seed is the fixture's, notes that it ran, and ends with these lines; `says` is in the file that
 * decides the rows.
 */
function seeded(
  folder: TemporaryFolder,
  { says = '1', ending = '' },
  service: ServiceName = 'mariadb',
): LocalTarget {
  const script = [
    "import { appendFileSync, readFileSync } from 'node:fs';",
    "import { dirname, join } from 'node:path';",
    "appendFileSync(join(import.meta.dirname, 'ran'), 'x');",
    `await import(${JSON.stringify(join(SERVED, `seed-${service}.mjs`))});`,
    ending,
  ];
  const seed: [string, ...string[]] = ['node', folder.write('seed.mjs', script.join('\n'))];
  const seedFiles = [folder.write('rows', says)];
  return { ...served(`${service}-a`), services: { [service]: { seed, seedFiles } } };
}

/** How often the seed of this folder has run. */
function runs({ path }: TemporaryFolder): number {
  const file = join(path, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** One launch of this target; returns what was wrong with it. */
async function launchOnce(target: LocalTarget): Promise<string[]> {
  await using ready = await startServed([target]);
  return problemsOf(ready).map(({ message }) => message);
}

describe('what MariaDB keeps for the next launch', () => {
  needs('mariadb');

  test('is its fresh data', async () => {
    const made: string[] = [];
    for (const _ of [1, 2]) {
      expect(await launchOnce(served('mariadb-a'))).toEqual([]);
      const names = readdirSync(CACHE()).filter((name) => name !== 'filled');
      made.push(...names.map((name) => `${name} ${statSync(join(CACHE(), name)).ino}`));
    }
    expect(made).toEqual([expect.stringMatching(/^mariadb-[\d.]+ \d+$/), made[0]]);
  });

  test('is what a seed has filled in, until a file of it changes', async () => {
    using folder = temporaryFolder();
    const before = kept().length;
    // The server answers from the rows of the seed, which would fail if it ran twice on the same data.
    for (const [says, hasRun] of [
      ['one', 1],
      ['one', 1],
      ['two', 2],
    ] as const) {
      expect(await launchOnce(seeded(folder, { says }))).toEqual([]);
      expect(runs(folder)).toBe(hasRun);
      expect(kept()).toHaveLength(before + hasRun);
    }
    expect(kept()).toContainEqual(expect.stringMatching(/^mariadb-[\d.]+-[\da-f]{16}$/));
  });

  const KILL = [
    "const pid = readFileSync(join(dirname(process.env.MARIADB_SOCKET), 'pid'), 'utf8');",
    "process.kill(Number(pid), 'SIGKILL');",
  ];
  test.each([
    ['the seed fails', 'process.exitCode = 3;', /^its seed of .+ with code 3$/],
    ['it was killed', KILL.join('\n'), /^it gave no answer: /],
  ])('is nothing where %s, which is told', async (says, ending, message) => {
    using folder = temporaryFolder();
    const before = kept();
    const problems = await launchOnce(seeded(folder, { says, ending }));
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(kept()).toEqual(before);
  });

  test('is nothing of a seed that does not say what decides its rows', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const { services, ...target } = seeded(folder, {});
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
    const { signal } = controller;
    const ended = expect(startServed([slow], { signal })).rejects.toThrow(/abort/);
    while (runs(folder) === 0) await sleep(20);
    controller.abort();
    await ended;
    expect(kept()).toEqual(before);
    expect(await launchOnce(seeded(folder, { says: 'ended' }))).toEqual([]);
    expect(kept().length).toBe(before.length + 1);
  });

  test('is one of two runs at a time, each of which fills its own', async () => {
    using folder = temporaryFolder();
    const { name, suite, label, directory, ...own } = seeded(folder, { says: 'together' });
    const [program, ...words] = own.start;
    const absolute = [program, ...words.map((word) => join(directory, word))];
    const request = { method: 'GET', path: '/' };
    const expected = { status: 200, body: 'row 2 of 3' };
    const declared = { suite, label, port: own.port, services: own.services };
    const bench = { ...declared, start: absolute, request, expect: expected };
    folder.write(`targets/${name}/package.json`, { name, bench });
    const before = kept();
    const args = ['verify', '--packages', join(folder.path, 'targets'), '--topology', 'single'];
    const verify = async () => {
      const { code, stderr } = await start(place, args).finished;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    await Promise.all([verify(), verify()]);
    expect(kept().length).toBe(before.length + 1);
    // The next one begins with it.
    const filled = runs(folder);
    await verify();
    expect(runs(folder)).toBe(filled);
  });
});

describe('Redis', () => {
  needs('redis');

  test('keeps nothing, since its data are not on the disk once it has ended', async () => {
    using folder = temporaryFolder();
    const before = kept();
    expect(await launchOnce(seeded(folder, {}, 'redis'))).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(before);
  });

  test('where it does not start its servers are not either, others are', async () => {
    const args = vi.spyOn(SERVICES.redis, 'args').mockReturnValue(['--no-such-option', 'here']);
    try {
      await using ready = await startServed(['redis-a', 'plain'].map(served));
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
