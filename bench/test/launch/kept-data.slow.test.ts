import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import { planServices } from '../../src/plan/services.ts';
import type { ServiceName } from '../../src/services/index.ts';
import { type LocalTarget, readTargets, selectTargets } from '../../src/targets/targets.ts';
import { start } from '../cli/harness.ts';
import { SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine } from '../support/make-record.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const place = ownPlace();
const FILLED = () => join(place.folder, '.cache/overhead/filled');
const PATIENT = { startTimeoutMs: 30_000 };

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
  const [target] = selectTargets(readTargets(SERVED), [name]);
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

function kept(): string[] {
  return existsSync(FILLED()) ? readdirSync(FILLED()) : [];
}

/** One launch of this target; returns what was wrong with it. */
async function launchOnce(target: LocalTarget): Promise<string[]> {
  await using guarded = startContext(PATIENT);
  const services = planServices([target], makeMachine({ canPin: false }));
  const refs = [{ server: `${target.name}/single`, target: target.name, topology: 'single' }];
  const wanted = { refs, topologies: [SINGLE], targets: [target], services };
  await using ready = await startVerified(wanted, guarded.context);
  return [...ready.notReady, ...ready.troubles].map(({ message }) => message);
}

describe('MariaDB', () => {
  beforeEach(({ skip }) => {
    const missing = missingHere('mariadb');
    skip(missing !== null, missing ?? '');
  });

  test('what a seed has filled in is kept for the next launch, until a file of it changes', async () => {
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

  test('what a seed fills in that does not say what decides its rows is not kept', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const { services, ...target } = seeded(folder);
    const { seed = null } = services.mariadb ?? {};
    const silent = { ...target, services: { mariadb: { seed, seedFiles: null } } };
    expect(await launchOnce(silent)).toEqual([]);
    expect(runs(folder)).toBe(1);
    expect(kept()).toEqual(before);
  });

  test('what a seed that fails has left is not kept, and its servers are told of', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const target = seeded(folder, { says: 'fails', ending: 'process.exitCode = 3;' });
    expect(await launchOnce(target)).toEqual(['its seed of mariadb ended with code 3']);
    expect(kept()).toEqual(before);
  });

  test('data of a service that was killed are not kept', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const kill = [
      "const pid = readFileSync(join(dirname(process.env.MARIADB_SOCKET), 'pid'), 'utf8');",
      "process.kill(Number(pid), 'SIGKILL');",
    ];
    const target = seeded(folder, { says: 'killed', ending: kill.join('\n') });
    expect(await launchOnce(target)).toEqual([expect.stringMatching(/^it gave no answer: /)]);
    expect(kept()).toEqual(before);
  });

  test('a run that ends while data are filled leaves nothing, and the next one fills them', async () => {
    using folder = temporaryFolder();
    const before = kept();
    const slow = seeded(folder, { says: 'ended', ending: 'setTimeout(() => {}, 60_000);' });
    const controller = new AbortController();
    await using guarded = startContext({ ...PATIENT, signal: controller.signal });
    const services = planServices([slow], makeMachine({ canPin: false }));
    const refs = [{ server: 'mariadb-a/single', target: 'mariadb-a', topology: 'single' }];
    const starting = startVerified(
      { refs, topologies: [SINGLE], targets: [slow], services },
      guarded.context,
    );
    const ended = expect(starting).rejects.toThrow(/abort/);
    while (runs(folder) === 0) await sleep(20);
    controller.abort();
    await ended;
    expect(kept()).toEqual(before);
    expect(await launchOnce(seeded(folder, { says: 'ended' }))).toEqual([]);
    expect(kept().length).toBe(before.length + 1);
  });

  test('two runs at a time fill their own, and keep one', async () => {
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

test('data that are not on the disk once a service has ended are not kept', async ({ skip }) => {
  const missing = missingHere('redis');
  skip(missing !== null, missing ?? '');
  using folder = temporaryFolder();
  const before = kept();
  expect(await launchOnce(seeded(folder, { name: 'redis-a', service: 'redis' }))).toEqual([]);
  expect(runs(folder)).toBe(1);
  expect(kept()).toEqual(before);
});
