import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { textExchange } from '../../src/targets/exchange.ts';
import { namedTargets, serverOfCommand, serverOfWord } from '../../src/targets/named.ts';
import { type Need, runnable } from '../../src/targets/needs.ts';
import {
  chooseTargets,
  type LocalTarget,
  nodeScript,
  readTargets,
  requireBuilt,
  selectTargets,
  TARGET_DEFAULTS,
} from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { makeTarget } from '../support/make-record.ts';

const BLOCK = {
  suite: 'frameworks',
  label: 'A server',
  start: ['node', 'main.js'],
  port: 3001,
  request: { method: 'GET', path: '/' },
  expect: { status: 200, body: 'Hello World!' },
} as const;

const folder = folderOfEach();

/** Makes the folder one of these targets: each name with its `bench` block. */
function writeTargets(blocks: Record<string, unknown>) {
  for (const [name, bench] of Object.entries(blocks)) {
    folder.write(`${name}/package.json`, { name, bench });
  }
}

/** The refusal of these blocks, with paths relative to their folder. */
function refusal(blocks: Record<string, unknown>) {
  writeTargets(blocks);
  const { message, next } = userError(() => readTargets(folder.path));
  return { message: message.replaceAll(folder.path, ''), next };
}

test('every folder with a bench block is a target, by name, with its defaults', () => {
  writeTargets({ second: { ...BLOCK, over: 'first' }, first: BLOCK });
  folder.write('README.md', '# not a target');
  folder.write('empty/index.js', '');
  folder.write('library/package.json', { name: 'library' });
  // A folder is named relative to the caller's.
  const from = process.env.INIT_CWD ?? process.cwd();
  const [first, second, ...others] = readTargets(relative(from, folder.path));
  expect(others).toEqual([]);
  const { request: _request, expect: answer, ...said } = BLOCK;
  expect(first).toEqual({
    ...TARGET_DEFAULTS,
    ...said,
    name: 'first',
    directory: join(folder.path, 'first'),
    requests: [textExchange(answer.body)],
  });
  expect(second).toMatchObject({ name: 'second', over: 'first' });
});

test('each variant is one more target of the folder, with its changes', () => {
  const redis = { seed: null, seedFiles: null };
  const mariadb = { seed: ['node', 'seed.mjs'], seedFiles: null };
  const variants = {
    quiet: { variant: 'no log', env: { LOG: 'none' } },
    'quiet-json': { variant: 'JSON', variantOf: 'quiet', env: { FORMAT: 'json' } },
    row: {
      ...{ variant: 'a row', services: { mariadb }, label: 'Rows' },
      ...{ request: { method: 'POST', path: '/' }, expect: { status: 201, body: 'made' } },
    },
  };
  const env = { LOG: 'all', SIZE: '7' };
  writeTargets({ server: { ...BLOCK, env, services: { redis }, variants } });
  const [server, quiet, json, row] = readTargets(folder.path);
  expect(quiet).toEqual({
    ...server,
    ...{ name: 'quiet', label: 'A server (no log)', variantOf: 'server', variant: 'no log' },
    ...{ over: 'server', port: null, env: { LOG: 'none', SIZE: '7' } },
  });
  expect(json).toMatchObject({
    ...{ label: 'A server (no log, JSON)', variantOf: 'quiet', over: 'quiet' },
    env: { LOG: 'all', SIZE: '7', FORMAT: 'json' },
  });
  expect(row).toMatchObject({
    ...{ label: 'Rows', services: { redis, mariadb } },
    requests: [{ request: { method: 'POST' }, expect: { status: 201 } }],
  });
});

test('a folder of its own can be a variant, over something else', () => {
  const variant = { label: undefined, variantOf: 'b', variant: 'logger', over: 'floor' };
  const a = { ...BLOCK, ...variant };
  writeTargets({ a, b: { ...BLOCK, label: 'Gin' }, floor: BLOCK });
  expect(readTargets(folder.path)[0]).toMatchObject({ label: 'Gin (logger)', over: 'floor' });
});

const PATH = '/bad/package.json';
const services = { redis: { seed: ['node', 'seed.mjs'], seedFiles: ['package.json', 'rows'] } };
const row = { variant: 'a row', services };
const twice = { bad: { ...BLOCK, variants: { z: { variant: 'no log' } } }, z: BLOCK };
const NO_ROWS = `${PATH}: bench.services: there is no rows among the seedFiles`;
test.each([
  ['no target', {}, 'no target in '],
  ['two of one name', twice, `"z" is a target of ${PATH} and of /z/package.json`],
  ['missing files of a seed', { bad: { ...BLOCK, services } }, NO_ROWS],
  ['those of a variant', { bad: { ...BLOCK, variants: { row } } }, NO_ROWS],
  ['a missing cwd', { bad: { ...BLOCK, cwd: 'x' } }, `${PATH}: bench.cwd: there is no /bad/x`],
])('a folder of targets is refused for %s', (_, blocks, message) => {
  expect(refusal(blocks).message).toBe(message);
});

test.each([
  ['bad/package.json', '{ "name": ', /^\/bad\/package\.json is not a JSON object$/],
  ['bad/package.json', '[]', /^\/bad\/package\.json is not a JSON object$/],
  ['bad/package.json/file', 'package.json is a folder', /can't read .*EISDIR/],
  ['absent', null, /can't read the targets' folder \/absent: ENOENT/],
])('%s that holds %s is refused', (name, text, message) => {
  writeTargets({ good: BLOCK });
  if (text !== null) folder.write(name, text);
  const error = userError(() => readTargets(join(folder.path, text === null ? name : '.')));
  expect(error.message.replace(folder.path, '')).toMatch(message);
  expect(error.cause).toBeInstanceOf(Error);
});

test.each([
  ['suite', { suite: '' }, ['bench.suite']],
  ['empty label', { label: '' }, ['bench.label']],
  ['empty command', { start: [] }, ['bench.start']],
  ['command in one text', { start: 'node main.js' }, ['bench.start', 'expected tuple']],
  ['port above 65535', { port: 65_536 }, ['bench.port', '<=65535']],
  ['port that is no whole number', { port: 80.5 }, ['bench.port', 'int']],
  ['method', { request: { method: 'get', path: '/' } }, ['bench.request.method', '"GET"']],
  ['relative path', { request: { method: 'GET', path: 'x' } }, ['bench.request.path', '"/"']],
  ['status', { expect: { status: 999, body: '' } }, ['bench.expect.status', '<=599']],
  ['way to scale', { scale: { by: 'magic' } }, ['bench.scale', 'by']],
  ['threads without a variable', { scale: { by: 'threads' } }, ['bench.scale.env']],
  ['unknown key', { sweet: 'frameworks' }, ['bench', '"sweet"']],
  ['block that is no object', null, ['bench', 'expected object']],
  ['suite and port', { port: 0, suite: '' }, ['bench.suite: ', '; bench.port: ', '>=1']],
])('file, key and what is allowed are named for a wrong %s', (_, change, expected) => {
  const { message, next } = refusal({ bad: change && { ...BLOCK, ...change } });
  expect(message.startsWith(`${PATH}: bench`)).toBe(true);
  for (const part of expected) expect(message).toContain(part);
  expect(next).toContain('docs/SERVERS.md');
});

test.each([
  ['nobody', '"nobody" is not another target'],
  ['bad', '"bad" is {} bad itself'],
  ['good', '"good" is {} bad itself'],
])('a target over %s, or a variant of it, is refused', (base, problem) => {
  for (const [key, words] of Object.entries({ over: 'built on', variantOf: 'a variant of' })) {
    const variant = key === 'over' ? undefined : 'x';
    const on = (name: string) => ({ ...BLOCK, [key]: name, variant });
    expect(refusal({ bad: on(base), good: on('bad'), other: BLOCK })).toEqual({
      message: `${PATH}: bench.${key}: ${problem.replace('{}', words)}`,
      next: 'Use one of: good, other.',
    });
  }
});

test('a folder without a bench block is no target that can be selected', () => {
  writeTargets({ server: BLOCK, library: undefined });
  const { message } = userError(() => selectTargets(readTargets(folder.path), ['library']));
  expect(message).toMatch(/library has no "bench" block/);
});

test.each([
  ['of the suite if none is named', null, 'frameworks', ['a', 'b']],
  ['of every suite without one', null, null, ['a', 'b', 'c']],
  ['that are named, of any suite', ['c', 'a'], 'frameworks', ['a', 'c']],
  ['of all suites for "all"', ['all'], 'cluster', ['a', 'b', 'c']],
])('the targets are those %s', (_, names, suite, expected) => {
  writeTargets({ b: BLOCK, a: BLOCK, c: { ...BLOCK, suite: 'cluster' } });
  for (const name of ['a', 'b', 'c']) folder.write(`${name}/main.js`, '');
  const { targets } = chooseTargets(folder.path, names, suite);
  expect(targets.map(({ name }) => name)).toEqual(expected);
});

test('only node has a script that has to be built, which is absolute', () => {
  const commands = ['node dist/main.js', 'node', 'node --inspect main.js', 'nginx -c nginx.conf'];
  const made = commands.map((command) => {
    const [program = '', ...others] = command.split(' ');
    return makeTarget('server', { start: [program, ...others] });
  });
  expect(made.map(nodeScript)).toEqual(['/packages/server/dist/main.js', null, null, null]);
  expect(() => requireBuilt(made.slice(1))).not.toThrow();
});

const leftOutBy = (parts: Partial<LocalTarget>, isThere?: (need: Need) => boolean) => {
  return runnable([makeTarget('gin', parts)], isThere).leftOut;
};

test('a target lacks every file that does not exist, by a pattern of its absolute path', () => {
  const need = `${folder.path}/{a,b}*.so`;
  expect(leftOutBy({ needs: [need] })).toEqual([`gin needs ${need}`]);
  folder.write('b1.so', '');
  expect(leftOutBy({ needs: [need] })).toEqual([]);
});

test('what a target lacks is named with its source, if that is known, and with the package of a service', () => {
  const lacks = 'gin needs go (https://go.dev/doc/install) and curl';
  expect(leftOutBy({ needs: ['go', 'curl'] }, () => false)).toEqual([lacks]);
  const services = { redis: { seed: null, seedFiles: null } };
  expect(leftOutBy({ services }, ({ any }) => !any.includes('/usr/sbin/redis-server'))).toEqual([
    'gin needs Redis (Debian: apt-get install redis-server)',
  ]);
});

test('targets that lack something are refused if they are named, or if they are all', () => {
  const block = { ...BLOCK, start: ['sh', 'main.sh'] };
  const choose = (names: string[] | null) => chooseTargets(folder.path, names, 'frameworks');
  writeTargets({ lacking: { ...block, needs: ['no-such-program'] } });
  const lacks = 'lacking needs no-such-program';
  expect(userError(() => choose(null)).message).toBe(`no target can run here: ${lacks}`);
  expect(userError(() => choose(['lacking']))).toMatchObject({
    message: `not on this machine: ${lacks}`,
    next: expect.stringContaining('--targets'),
  });
  writeTargets({ here: { ...block, needs: ['sh'] } });
  for (const names of [null, ['all']]) {
    expect(choose(names)).toMatchObject({ targets: [{ name: 'here' }], leftOut: [lacks] });
  }
});

test('a folder with neither a start script nor a bench block is refused, and no command', () => {
  folder.write('mine/package.json', {});
  const { message } = userError(() => serverOfWord('mine', folder.path));
  expect(message).toContain('has no "start" script');
  expect(userError(() => serverOfCommand([], '/here')).message).toBe('no command');
});

test('servers of the same command have numbers in their labels', () => {
  const app = serverOfCommand(['/usr/bin/node', 'a.js'], '/here');
  const named = namedTargets([app, app], { requests: [], isAsked: false, env: {}, names: [] });
  expect(named.map(({ label }) => label)).toEqual(['node a.js', 'node a.js (2)']);
});
