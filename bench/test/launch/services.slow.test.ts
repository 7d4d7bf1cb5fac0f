import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReadyServers } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/make-plan.ts';
import { SERVICES, type ServiceName } from '../../src/services/index.ts';
import { isAlive } from '../../src/system/processes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { harnessPlace } from '../cli/harness.ts';
import {
  fixture,
  type Launching,
  missingHere,
  running,
  SERVED,
  startTargets,
} from '../support/fixtures.ts';
import { makeMachine } from '../support/make-record.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { CLUSTER_OF_2, SINGLE } from '../support/topologies.ts';

const place = harnessPlace();

/** Skips the tests of a group if this service is not installed. */
function needs(service: ServiceName): void {
  beforeEach(({ skip }) => {
    const missing = missingHere(service);
    skip(missing !== null, missing ?? '');
  });
}

const served = (name: string) => fixture(name, SERVED);

/** Starts and verifies these servers with their services. Making MariaDB's data takes seconds. */
function startServed(targets: LocalTarget[], launching: Launching = {}, topologies = [SINGLE]) {
  const services = planServices(targets, makeMachine({ canPin: false }));
  return startTargets(targets, topologies, { startTimeoutMs: 30_000, ...launching }, services);
}

const problemsOf = (ready: Pick<ReadyServers, 'notReady' | 'failedServices'>) => {
  return [...ready.notReady, ...ready.failedServices];
};

describe.each(['redis', 'mariadb'] as const)('%s', (service) => {
  const [first, second] = [`${service}-a`, `${service}-b`];
  needs(service);

  test('nothing is cached of a seed without declared files, or of Redis, which is in memory', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const target = seeded(folder, {}, service);
    const { seed = null, seedFiles = null } = target.services[service] ?? {};
    const declared = service === 'redis' ? seedFiles : null;
    const services = { [service]: { seed, seedFiles: declared } };
    expect(await launchOnce({ ...target, services })).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(before);
  });

  test('one instance, seeded once, serves all targets that declare it, in any topology', async () => {
    const targets = [first, second].map(served);
    const pids: number[] = [];
    {
      await using ready = await startServed(targets, {}, [SINGLE, CLUSTER_OF_2]);
      const { services } = ready;
      pids.push(...services.flatMap((each) => each.pids));
      // The seed of MariaDB's fixture would fail the second time.
      expect(problemsOf(ready)).toEqual([]);
      const version = expect.stringMatching(/^\d+\.\d+/);
      expect(services).toMatchObject([{ name: service, version }]);
      expect(ready.servers.size).toBe(4);
      for (const { spec } of ready.servers.values()) expect(spec.services).toEqual(services);
      expect(pids.every(isAlive)).toBe(true);
      const environment = Object.entries(services[0]?.environment ?? {});
      const socket = environment.find(([name]) => name.endsWith('_SOCKET'))?.[1] ?? '';
      expect(existsSync(socket)).toBe(true);
      expect(socket.startsWith(`${ready.context.folder}/`)).toBe(true);
      expect(Buffer.byteLength(socket)).toBeLessThan(107);
      expect(Number(new URL(environment[0]?.[1] ?? '').port)).toBeGreaterThan(1023);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a seed that fails fails the targets that declare it; others get no addresses', async () => {
    const seed = ['node', '-e', 'console.log("no rows"); process.exitCode = 3'] as const;
    const services = { [service]: { seed: [...seed], seedFiles: null } };
    const failing = { ...served(second), services };
    await using ready = await startServed([served(first), failing, served('plain')]);
    expect(new Set(ready.servers.keys())).toEqual(new Set(['plain/single', `${first}/single`]));
    const failure = { server: `${second}/single`, when: 'start', died: false };
    const message = `its seed of ${service} ended with code 3`;
    expect(ready.notReady).toEqual([{ ...failure, message, logTail: ['no rows'] }]);
    const { spec } = running(ready, 'plain/single');
    expect(spec).toMatchObject({ services: [], target: { env: {} } });
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

const CACHE = () => join(place.folder, '.cache/overhead');
const kept = () => {
  const folder = join(CACHE(), 'filled');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** A target with the fixture's seed, which also counts its runs and ends with `ending`. Its file contains `says`. */
function seeded(
  folder: TemporaryFolder,
  { says = '1', ending = '' },
  service: ServiceName = 'mariadb',
): LocalTarget {
  const script = `import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
appendFileSync(join(import.meta.dirname, 'ran'), 'x');
await import(${JSON.stringify(join(SERVED, `seed-${service}.mjs`))});
${ending}`;
  const seed: [string, ...string[]] = ['node', folder.write('seed.mjs', script)];
  const seedFiles = [folder.write('rows', says)];
  return { ...served(`${service}-a`), services: { [service]: { seed, seedFiles } } };
}

/** How often the seed of this folder has run. */
function runs({ path }: TemporaryFolder): number {
  const file = join(path, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** Launches a target once; returns the messages of its problems. */
async function launchOnce(target: LocalTarget): Promise<string[]> {
  await using ready = await startServed([target]);
  return problemsOf(ready).map(({ message }) => message);
}

describe('MariaDB caches for the next launch', () => {
  needs('mariadb');

  test('its fresh data, and its seeded data until a file of the seed changes', async () => {
    using folder = temporaryFolder();
    const before = kept().length;
    const hasRun = { one: 1, 'one again': 1, two: 2 };
    const fresh: string[] = [];
    // The server answers from the rows of the seed, which would fail if it ran twice on the same data.
    for (const [launch, count] of Object.entries(hasRun)) {
      const [says = ''] = launch.split(' ');
      expect(await launchOnce(seeded(folder, { says }))).toEqual([]);
      expect(runs(folder)).toBe(count);
      expect(kept()).toHaveLength(before + count);
      const names = readdirSync(CACHE()).filter((name) => name !== 'filled');
      fresh.push(...names.map((name) => `${name} ${statSync(join(CACHE(), name)).ino}`));
    }
    expect(kept()).toContainEqual(expect.stringMatching(/^mariadb-[\d.]+-[\da-f]{16}$/));
    expect(fresh).toEqual([expect.stringMatching(/^mariadb-[\d.]+ \d+$/), fresh[0], fresh[0]]);
  });

  const KILL = `const pid = readFileSync(join(dirname(process.env.MARIADB_SOCKET), 'pid'), 'utf8');
process.kill(Number(pid), 'SIGKILL');`;
  test.each([
    ['the seed fails', 'process.exitCode = 3;', /^its seed of .+ with code 3$/],
    ['it was killed', KILL, /^it gave no answer: /],
  ])('nothing if %s, which is reported', async (says, ending, message) => {
    using folder = temporaryFolder();
    const before = kept();
    const problems = await launchOnce(seeded(folder, { says, ending }));
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(kept()).toEqual(before);
  });

  test('nothing of a run that ends during the seed', async () => {
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
  });

  test('the data of one of two simultaneous runs, which each make and seed their own', async () => {
    using folder = temporaryFolder();
    const name = 'mariadb-a';
    const manifest = JSON.parse(readFileSync(join(SERVED, name, 'package.json'), 'utf8'));
    const { services } = seeded(folder, { says: 'together' });
    const bench = { ...manifest.bench, start: ['node', join(SERVED, 'mariadb.mjs')], services };
    folder.write(`targets/${name}/package.json`, { ...manifest, bench });
    const args = ['verify', '--packages', join(folder.path, 'targets'), '--topology', 'single'];
    const cache = join(folder.path, 'cache');
    const verify = async () => {
      const { code, stderr } = await place.start(args, { XDG_CACHE_HOME: cache }).finished;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    await Promise.all([verify(), verify()]);
    expect(readdirSync(join(cache, 'overhead/filled'))).toHaveLength(1);
    const filled = runs(folder);
    await verify();
    expect(runs(folder)).toBe(filled);
  });
});

test('if Redis does not start, its servers do not start, and others do', async ({ skip }) => {
  skip(missingHere('redis') !== null, 'Redis is not installed');
  const args = vi.spyOn(SERVICES.redis, 'args').mockReturnValue(['--no-such-option', 'here']);
  onTestFinished(() => args.mockRestore());
  await using ready = await startServed(['redis-a', 'plain'].map(served));
  const failure = { name: 'redis', message: 'it ended with code 1 while starting' };
  expect(problemsOf(ready)).toMatchObject([failure]);
  expect(ready.failedServices[0]?.logTail.join(' ')).toContain('no-such-option');
  expect([...ready.servers.keys()]).toEqual(['plain/single']);
});
