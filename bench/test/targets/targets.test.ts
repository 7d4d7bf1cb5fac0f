import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textExchange } from '../../src/targets/exchange.ts';
import {
  chooseTargets,
  nodeScript,
  readTargets,
  requireBuilt,
  selectTargets,
  TARGET_DEFAULTS,
} from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { makeTarget, STACK } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BLOCK = {
  suite: 'frameworks',
  label: 'A server',
  start: ['node', 'main.js'],
  port: 3001,
  request: { method: 'GET', path: '/' },
  expect: { status: 200, body: 'Hello World!' },
} as const;

/** A folder of targets: each name with its `bench` block. */
function targetsFolder(blocks: Record<string, unknown>) {
  const folder = temporaryFolder();
  for (const [name, bench] of Object.entries(blocks)) {
    folder.write(`${name}/package.json`, { name, bench });
  }
  return folder;
}

describe('reading targets', () => {
  test('a folder may be named from where the user stands on', () => {
    using folder = targetsFolder({ server: BLOCK });
    const from = process.env.INIT_CWD ?? process.cwd();
    const [target] = readTargets(relative(from, folder.path));
    expect(target?.directory).toBe(join(folder.path, 'server'));
  });

  test('a variant is one more target of the folder, with its own environment', () => {
    const variants = {
      quiet: { variant: 'no log', env: { LOG: 'none' } },
      'quiet-json': { variant: 'JSON', variantOf: 'quiet', env: { FORMAT: 'json' } },
    };
    const env = { LOG: 'all', SIZE: '7' };
    using folder = targetsFolder({ server: { ...BLOCK, env, variants } });
    const [, quiet, json] = readTargets(folder.path);
    expect(quiet).toEqual({
      ...readTargets(folder.path)[0],
      ...{ name: 'quiet', label: 'A server (no log)', variantOf: 'server', variant: 'no log' },
      ...{ over: 'server', port: null, env: { LOG: 'none', SIZE: '7' } },
    });
    expect(json).toMatchObject({
      ...{ label: 'A server (no log, JSON)', variantOf: 'quiet' },
      env: { LOG: 'all', SIZE: '7', FORMAT: 'json' },
    });
  });

  test('a variant has what it is sent and the services that it says, beside those of its folder', () => {
    const redis = { seed: null, seedFiles: null };
    const mariadb = { seed: ['node', 'seed.mjs'], seedFiles: null };
    const variants = {
      row: {
        variant: 'a row',
        services: { mariadb },
        request: { method: 'POST', path: '/rows' },
        expect: { status: 201, body: 'made' },
      },
      plain: { variant: 'no log' },
    };
    using folder = targetsFolder({ server: { ...BLOCK, services: { redis }, variants } });
    const [server, row, plain] = readTargets(folder.path);
    expect(row).toMatchObject({
      services: { redis, mariadb },
      requests: [{ request: { method: 'POST', path: '/rows' }, expect: { status: 201 } }],
    });
    expect(row?.requests).toHaveLength(1);
    expect(plain).toMatchObject({ services: { redis }, requests: server?.requests });
    expect(Object.keys(plain?.services ?? {})).toEqual(['redis']);
  });

  test('two targets of one name are refused', () => {
    const variants = { other: { variant: 'no log' } };
    using folder = targetsFolder({ server: { ...BLOCK, variants }, other: BLOCK });
    const at = (name: string) => join(folder.path, name, 'package.json');
    const { message } = userError(() => readTargets(folder.path));
    expect(message).toBe(`"other" is a target of ${at('other')} and of ${at('server')}`);
  });

  test('refuses files of a seed that are not there', () => {
    const mariadb = { seed: ['node', 'seed.mjs'], seedFiles: ['package.json', 'rows'] };
    using folder = targetsFolder({ a: { ...BLOCK, services: { mariadb } } });
    const message = `${join(folder.path, 'a/package.json')}: bench.services: there is no rows among the seedFiles`;
    expect(userError(() => readTargets(folder.path)).message).toBe(message);
    const variants = { row: { variant: 'a row', services: { mariadb } } };
    using others = targetsFolder({ a: { ...BLOCK, variants } });
    expect(userError(() => readTargets(others.path)).message).toBe(
      message.replace(folder.path, others.path),
    );
    folder.write('a/rows', '');
    expect(readTargets(folder.path)[0]?.services).toEqual({ mariadb });
  });

  test('a folder of targets may be named from where the harness stands', () => {
    using folder = targetsFolder({ a: BLOCK });
    const [target] = readTargets(relative(process.cwd(), folder.path));
    expect(target?.directory).toBe(join(folder.path, 'a'));
  });

  test('finds every folder with a bench block, by name, with its defaults', () => {
    using folder = targetsFolder({ second: { ...BLOCK, over: 'first' }, first: BLOCK });
    const [first, second, ...others] = readTargets(folder.path);
    expect(others).toEqual([]);
    const { request, expect: declared, ...said } = BLOCK;
    expect(first).toEqual({
      ...TARGET_DEFAULTS,
      ...said,
      name: 'first',
      directory: join(folder.path, 'first'),
      requests: [textExchange(request, { headers: {}, ...declared })],
    });
    expect(second).toMatchObject({ name: 'second', over: 'first' });
  });

  test('passes over files, folders without package.json and packages without bench block', () => {
    using folder = targetsFolder({ server: BLOCK });
    folder.write('README.md', '# not a target');
    folder.write('empty/index.js', '');
    folder.write('library/package.json', { name: 'library' });
    expect(readTargets(folder.path).map(({ name }) => name)).toEqual(['server']);
  });

  test('refuses a folder that is not there', () => {
    const error = userError(() => readTargets('/no/such/folder'));
    expect(error.message).toMatch(/can't read the targets' folder \/no\/such\/folder: ENOENT/);
    expect(error.next).toContain('--packages');
  });

  test('refuses a folder without any target', () => {
    using folder = temporaryFolder();
    expect(userError(() => readTargets(folder.path)).message).toBe(`no target in ${folder.path}`);
  });

  test.each(['{ "name": ', '[]', '"text"'])('refuses a package.json that holds %s', (text) => {
    using folder = targetsFolder({ good: BLOCK });
    const path = folder.write('bad/package.json', text);
    const error = userError(() => readTargets(folder.path));
    expect(error.message).toBe(`${path} is not a JSON object`);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('says why a package.json cannot be read', () => {
    using folder = targetsFolder({ good: BLOCK });
    folder.write('bad/package.json/file', 'package.json is a folder');
    expect(userError(() => readTargets(folder.path)).message).toMatch(/can't read .*EISDIR/);
  });

  test.each([
    ['suite', { suite: '' }, ['bench.suite']],
    ['missing key', { label: undefined }, ['bench.label', 'expected string']],
    ['empty label', { label: '' }, ['bench.label']],
    ['empty command', { start: [] }, ['bench.start']],
    ['command in one text', { start: 'node main.js' }, ['bench.start', 'expected tuple']],
    ['port above 65535', { port: 65_536 }, ['bench.port', '<=65535']],
    ['port 0', { port: 0 }, ['bench.port', '>=1']],
    ['port that is no whole number', { port: 80.5 }, ['bench.port', 'int']],
    ['method', { request: { method: 'get', path: '/' } }, ['bench.request.method', '"GET"']],
    ['relative path', { request: { method: 'GET', path: 'x' } }, ['bench.request.path', '"/"']],
    ['status', { expect: { status: 999, body: '' } }, ['bench.expect.status', '<=599']],
    ['missing body', { expect: { status: 200 } }, ['bench.expect.body']],
    ['way to scale', { scale: { by: 'magic' } }, ['bench.scale', 'by']],
    ['threads without a variable', { scale: { by: 'threads' } }, ['bench.scale.env']],
    ['unknown key', { sweet: 'frameworks' }, ['bench', '"sweet"']],
    ['block that is no object', null, ['bench', 'expected object']],
  ])('names file, key and what is allowed for a wrong %s', (_, change, expected) => {
    using folder = targetsFolder({ bad: change && { ...BLOCK, ...change } });
    const { message, next } = userError(() => readTargets(folder.path));
    expect(message.startsWith(`${join(folder.path, 'bad', 'package.json')}: bench`)).toBe(true);
    for (const part of expected) expect(message).toContain(part);
    expect(next).toContain('docs/SERVERS.md');
  });

  test('names every problem of a block at once', () => {
    using folder = targetsFolder({ bad: { ...BLOCK, port: 0, suite: '' } });
    const { message } = userError(() => readTargets(folder.path));
    expect(message).toMatch(/bench\.suite: .*; bench\.port: /);
  });

  test.each([
    ['nobody', '"nobody" is not another target'],
    ['bad', '"bad" is built on bad itself'],
    ['good', '"good" is built on bad itself'],
  ])('refuses to stand over %s, and names the others', (over, problem) => {
    using folder = targetsFolder({
      bad: { ...BLOCK, over },
      good: { ...BLOCK, over: 'bad' },
      other: BLOCK,
    });
    const error = userError(() => readTargets(folder.path));
    expect(error.message).toContain(`bad/package.json: bench.over: ${problem}`);
    expect(error.next).toBe('Use one of: good, other.');
  });
});

describe('selecting targets', () => {
  test('keeps the order of the targets, whatever the order of the names', () => {
    const names = selectTargets(STACK, ['top', 'floor']).map(({ name }) => name);
    expect(names).toEqual(['floor', 'top']);
  });

  test('refuses an unknown name and lists the known ones', () => {
    const error = userError(() => selectTargets(STACK, ['floor', 'flor']));
    expect(error.message).toBe('unknown target "flor"');
    expect(error.next).toBe('The targets are: floor, middle, top.');
  });

  test('tells a folder without bench block from a name that is nothing', () => {
    using folder = targetsFolder({ server: BLOCK });
    folder.write('library/package.json', { name: 'library' });
    const targets = readTargets(folder.path);
    const error = userError(() => selectTargets(targets, ['library']));
    expect(error.message).toMatch(/library has no "bench" block/);
    expect(error.next).toMatch(/Add a "bench" block/);
  });
});

describe('choosing targets', () => {
  /** The names of the targets chosen of a folder of two suites, all of them built. */
  function chosen(names: string[] | null, suite: string | null): string[] {
    using folder = targetsFolder({ b: BLOCK, a: BLOCK, c: { ...BLOCK, suite: 'cluster' } });
    for (const name of ['a', 'b', 'c']) folder.write(`${name}/main.js`, '');
    return chooseTargets(folder.path, names, suite).targets.map(({ name }) => name);
  }

  test('takes those of the suite where none is named, and of every suite where there is none', () => {
    expect(chosen(null, 'frameworks')).toEqual(['a', 'b']);
    expect(chosen(null, 'cluster')).toEqual(['c']);
    expect(chosen(null, null)).toEqual(['a', 'b', 'c']);
  });

  test('takes those that are named, of whatever suite, and all for "all"', () => {
    expect(chosen(['c', 'a'], 'frameworks')).toEqual(['a', 'c']);
    expect(chosen(['all'], 'cluster')).toEqual(['a', 'b', 'c']);
  });

  test('refuses one that is not built', () => {
    using folder = targetsFolder({ built: BLOCK, one: BLOCK });
    folder.write('built/main.js', '');
    expect(() => chooseTargets(folder.path, ['built'], null)).not.toThrow();
    const error = userError(() => chooseTargets(folder.path, ['all'], null));
    expect(error.message).toBe('not built: one');
  });
});

describe('built targets', () => {
  test('names every target whose script is missing, and how to build it', () => {
    using folder = targetsFolder({ built: BLOCK, one: BLOCK, two: BLOCK });
    folder.write('built/main.js', '');
    const error = userError(() => requireBuilt(readTargets(folder.path)));
    expect(error.message).toBe('not built: one, two');
    expect(error.next).toContain('pnpm build');
  });

  test('accepts built targets, and commands that run no script', () => {
    using folder = targetsFolder({ built: BLOCK });
    folder.write('built/main.js', '');
    const foreign = makeTarget('foreign', { start: ['nginx', '-c', 'nginx.conf'] });
    expect(() => requireBuilt([...readTargets(folder.path), foreign])).not.toThrow();
  });

  test('the script of a target is absolute, and only node has one', () => {
    const directory = '/packages/server';
    expect(nodeScript(makeTarget('server', { directory }))).toBe('/packages/server/dist/main.js');
    expect(nodeScript(makeTarget('server', { start: ['node'] }))).toBeNull();
    expect(nodeScript(makeTarget('server', { start: ['deno', 'main.ts'] }))).toBeNull();
  });
});
