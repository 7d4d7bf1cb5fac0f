/** Whatever stands in files and on the command line is a target that can be measured, or is refused. */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { resolveChanges } from '../../src/targets/changes.ts';
import { perRequest } from '../../src/targets/copies.ts';
import { encodedPath, recordedExchange, textExchange } from '../../src/targets/exchange.ts';
import { namedTargets, serverOfCommand, serverOfWord } from '../../src/targets/named.ts';
import { readFolder, readTargets, targetSchema } from '../../src/targets/targets.ts';
import { makeTarget } from '../support/make-record.ts';
import { expectSavable, garbled, mutated, property, textOf, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
folder.write('one/answer.txt', 'fine');
afterAll(() => folder[Symbol.dispose]());

const ANSWER = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'fine' };
const GET = { method: 'GET', path: '/users/1?full=yes' };
const POST = { ...GET, method: 'POST', body: 'text', weight: 3 };
const PLAIN = { label: 'A server', start: ['./main'] };
/** A block with several requests. */
const SEVERAL = {
  ...PLAIN,
  requests: [
    { ...GET, expect: { status: 200, json: { id: 1 } } },
    { ...POST, expect: { status: 201, file: 'answer.txt' } },
    { ...GET, body: { json: [1] }, expect: { status: 200, check: ['node', 'check.js'] } },
  ],
};
/** One with all other keys. */
const SINGLE = {
  ...{ ...PLAIN, suite: 'frameworks', port: 3001, fixedPort: 3002, needs: ['node'] },
  ...{ build: ['node', 'build.js'], cwd: '.', env: { LEVEL: 'warn' } },
  scale: { by: 'threads', env: 'THREADS' },
  services: { redis: { seed: ['node', 'seed.js'] }, mariadb: {} },
  request: { ...GET, headers: { accept: '*/*' } },
  expect: ANSWER,
  variants: { quick: { variant: 'faster', env: { FAST: '1' }, request: GET, expect: ANSWER } },
};

const IN_FILE = { ...SINGLE, request: undefined, expect: undefined, requests: 'requests.json' };
folder.write('one/requests.json', JSON.stringify(SEVERAL.requests));

const blocks = fc.oneof(mutated(SINGLE), mutated(SEVERAL), mutated(IN_FILE));
const manifests = blocks.map((bench) => JSON.stringify({ name: 'server', bench }));
const texts = fc.oneof(
  { arbitrary: manifests, weight: 3 },
  garbled(manifests),
  textOf('{', '"bench":', '}', '[]', 'null'),
);

property('a block is a target that can be started and asked, or is refused', texts, (text) => {
  folder.write('one/package.json', text);
  const target = unless(UserError, () => readFolder(join(folder.path, 'one')));
  if (target === undefined || target === null) return;
  const { start, build, cwd, env, requests } = target;
  expect(start[0]).not.toBe('');
  const words = [...start, ...(build ?? []), cwd, ...Object.entries(env).flat()];
  expect(words.filter((word) => word.includes('\0'))).toEqual([]);
  expect(Object.keys(env).filter((name) => name === '' || name.includes('='))).toEqual([]);
  expect(requests.length).toBeGreaterThan(0);
  for (const { request, weight, expect: answer } of requests) {
    expect(encodedPath(request.path)).toBe(request.path);
    const headers = [...Object.entries(request.headers), ...Object.entries(answer.headers)];
    expect(() => new Headers(headers)).not.toThrow();
    expect(Number.isInteger(weight) && weight >= 1).toBe(true);
  }
  const saved = targetSchema.parse({ ...target, requests: requests.map(recordedExchange) });
  expectSavable(targetSchema, saved);
});

const more = { variant: 'more', variantOf: 'app' };
const related = {
  app: { ...SEVERAL, label: 'App', over: 'floor' },
  floor: { ...SEVERAL, label: 'Floor', variants: { more } },
  other: { ...SEVERAL, label: null, variantOf: 'app', variant: 'other' },
};
for (const name of Object.keys(related)) folder.write(`related/${name}/answer.txt`, 'fine');
const families = mutated(related);
property('targets stand on each other and on nothing else, or are refused', families, (all) => {
  const blocks = new Map(Object.entries(all ?? {}));
  for (const name of Object.keys(related)) {
    folder.write(`related/${name}/package.json`, { bench: blocks.get(name) });
  }
  const targets = unless(UserError, () => readTargets(join(folder.path, 'related'))) ?? [];
  const names = targets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { label, over, variantOf } of targets) {
    expect(label).not.toBe('');
    for (const other of [over, variantOf]) if (other !== null) expect(names).toContain(other);
  }
});

const request = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const),
  path: fc.stringMatching(/^\/[a-b/?-]{0,3}$/),
});
const mixes = fc.array(request, { minLength: 1, maxLength: 6 });
property('a target for each request has a name of its own', mixes, (asked) => {
  const requests = asked.map((each) => textExchange('', each));
  const targets = perRequest([makeTarget('app', { requests })]);
  expect(targets.flatMap((target) => target.requests)).toHaveLength(asked.length);
  const names = targets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^app(-[A-Za-z0-9-]*)?$/);
});

/** Manifests like this one, as text. */
function manifestsLike(manifest: object) {
  const texts = mutated(manifest).map((each) => JSON.stringify(each));
  return fc.oneof(texts, garbled(texts));
}

const dependents = manifestsLike({ name: 'app', dependencies: { express: '^5.1.0', ws: '8' } });
const dependency = fc.constantFrom('express', 'ws', 'constructor', '__proto__', 'toString', '0');
const changes = fc.tuple(dependents, dependency);
property('only what a manifest depends on can be changed', changes, ([text, name]) => {
  folder.write('app/package.json', text);
  const app = makeTarget('app', { directory: `${folder.path}/app` });
  const change = { target: null, dependency: name, version: '4' };
  if (unless(UserError, () => resolveChanges([app], [change])) === undefined) return;
  expect(Object.keys(JSON.parse(text).dependencies)).toContain(name);
});

const word = textOf('node', ' ', 'server.js', '"', "'", '\\', './', '..', '=', '$');
property('a word is a server that has a program, or is refused', word, (text) => {
  const server = unless(UserError, () => serverOfWord(text.replaceAll('\0', ''), folder.path));
  for (const each of server?.start ?? ['']) expect(each).toBeTypeOf('string');
});

const words = fc.array(fc.stringMatching(/^[\w./=-]{1,8}$/), { minLength: 1, maxLength: 5 });
property('a command is as its words, however they are given', words, (command) => {
  const given = serverOfCommand(command, '/here');
  expect(given).toMatchObject({ start: command, directory: '/here' });
  expect(serverOfWord(command.map((each) => `"${each}"`).join(' '), '/here')).toEqual(given);
});

const scripts = { start: 'node "my server.js"', test: 'x' };
property('a folder is what it starts, or is refused', manifestsLike({ scripts }), (text) => {
  folder.write('mine/package.json', text);
  const server = unless(UserError, () => serverOfWord('./mine', folder.path));
  if (server === undefined) return;
  expect(server.start[0]).toBeTypeOf('string');
  expect(server.directory).toBe(join(folder.path, 'mine'));
});

const labels = fc.array(textOf('a', 'b', ' (2)', ' (3)', 'É'), { minLength: 1, maxLength: 5 });
property('no two servers have the same name or label', labels, (names) => {
  const servers = names.map(() => serverOfCommand(['node', 'server.js'], '/here'));
  const asked = { method: 'GET', path: '/', headers: {}, body: null } as const;
  const targets = namedTargets(servers, { requests: [asked], isAsked: false, env: {}, names });
  for (const key of ['name', 'label'] as const) {
    expect(new Set(targets.map((target) => target[key])).size).toBe(names.length);
  }
  for (const { name } of targets) expect(name).toMatch(/^\d+-[a-z0-9-]*$/);
});
