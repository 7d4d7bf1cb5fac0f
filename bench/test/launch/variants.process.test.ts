import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { provideVariant } from '../../src/launch/variants.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { fakeNpm, type Registry } from '../support/fake-npm.ts';
import { makeTarget } from '../support/make-record.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const REGISTRY: Registry = { versions: { web: ['4.9.0', '4.21.2', '5.0.0'] } };

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

/** A target that depends on web 5.0.0 and log 1.2.3, both installed. */
function makeApp(folder: TemporaryFolder, dependencies: object = {}): LocalTarget {
  folder.write('app/package.json', {
    type: 'module',
    dependencies: { web: '^5.0.0', log: '^1.0.0', ...dependencies },
    devDependencies: { types: '*' },
    scripts: { start: 'node main.js' },
  });
  folder.write('app/src/main.js', 'one');
  for (const [name, version] of [
    ['web', '5.0.0'],
    ['log', '1.2.3'],
  ]) {
    folder.write(`app/node_modules/${name}/package.json`, { name, version });
  }
  return makeTarget('app', { label: 'App', over: 'floor', directory: join(folder.path, 'app') });
}

async function provide(
  folder: TemporaryFolder,
  target: LocalTarget,
  { version = '4', registry = REGISTRY }: { version?: string; registry?: Registry } = {},
): Promise<LocalTarget> {
  process.env.PATH = fakeNpm(folder.path, registry).PATH;
  const signal = new AbortController().signal;
  const cache = join(folder.path, 'cache');
  return provideVariant({ target, dependency: 'web', version }, { cache, signal, say: () => {} });
}

function manifestIn(directory: string) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

function held({ path }: TemporaryFolder): string[] {
  const folder = join(path, 'cache/variants');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('a target with another version of a dependency', () => {
  test('is one more target, over the same floor', async () => {
    using folder = temporaryFolder();
    const target = makeApp(folder);
    expect(await provide(folder, target)).toEqual({
      ...target,
      name: 'app+web-4.21.2',
      label: 'App (web 4.21.2)',
      variantOf: 'app',
      variant: 'web 4.21.2',
      directory: expect.stringContaining('app+web-4.21.2-'),
    });
  });

  test('is a copy in which all else is of the version that the original has', async () => {
    using folder = temporaryFolder();
    const { directory } = await provide(folder, makeApp(folder));
    expect(readFileSync(join(directory, 'src/main.js'), 'utf8')).toBe('one');
    expect(manifestIn(directory)).toEqual({
      type: 'module',
      dependencies: { web: '4.21.2', log: '1.2.3' },
    });
    expect(manifestIn(join(directory, 'node_modules/web')).version).toBe('4.21.2');
    expect(manifestIn(join(directory, 'node_modules/log')).version).toBe('1.2.3');
  });

  test('leaves the original as it was', async () => {
    using folder = temporaryFolder();
    const { directory } = makeApp(folder);
    const before = [manifestIn(directory), readdirSync(directory, { recursive: true })];
    await provide(folder, makeApp(folder));
    expect([manifestIn(directory), readdirSync(directory, { recursive: true })]).toEqual(before);
  });

  test('is made once, and anew when the original is another', async () => {
    using folder = temporaryFolder();
    const target = makeApp(folder);
    const { directory: first } = await provide(folder, target);
    expect((await provide(folder, target)).directory).toBe(first);
    folder.write('app/src/main.js', 'two');
    const { directory: second } = await provide(folder, target);
    expect(second).not.toBe(first);
    expect(readFileSync(join(second, 'src/main.js'), 'utf8')).toBe('two');
  });

  test('of a version that does not exist is refused, and nothing is left', async () => {
    using folder = temporaryFolder();
    const error = await provide(folder, makeApp(folder), { version: '9' }).catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe('there is no web@9 in the npm registry');
    expect(error.next).toContain('npm view web versions');
    expect(held(folder)).toEqual([]);
  });

  test('needs the registry, and says so', async () => {
    using folder = temporaryFolder();
    const registry = { error: { code: 'ECONNREFUSED', summary: 'refused' } };
    const error = await provide(folder, makeApp(folder), { registry }).catch((e) => e);
    expect(error.message).toBe(
      "can't look up web@4: the npm registry is not within reach (ECONNREFUSED)",
    );
  });

  test('is refused where something that it depends on is in no registry', async () => {
    using folder = temporaryFolder();
    const error = await provide(folder, makeApp(folder, { own: 'workspace:*' })).catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe("app depends on own as workspace:*, which a copy of it can't");
  });
});
