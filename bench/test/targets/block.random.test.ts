import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { recordedExchange, sentPath } from '../../src/targets/exchange.ts';
import { readFolder, readTargets, targetSchema } from '../../src/targets/targets.ts';
import { garbled, mutated, property, textOf, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
folder.write('one/answer.txt', 'fine');
afterAll(() => folder[Symbol.dispose]());

const ANSWER = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'fine' };
const GET = { method: 'GET', path: '/users/1?full=yes' };
/** Blocks that say everything that one can. */
const BLOCKS = [
  {
    ...{ suite: 'frameworks', label: 'A server', port: 3001, fixedPort: 3002, needs: ['node'] },
    ...{
      start: ['node', 'main.js'],
      build: ['node', 'build.js'],
      cwd: '.',
      env: { LEVEL: 'warn' },
    },
    scale: { by: 'threads', env: 'THREADS' },
    services: { redis: { seed: ['node', 'seed.js'] }, mariadb: {} },
    request: { ...GET, headers: { accept: '*/*' } },
    expect: ANSWER,
    variants: { quick: { variant: 'faster', env: { FAST: '1' }, request: GET, expect: ANSWER } },
  },
  {
    ...{ label: 'A server', start: ['./main'] },
    requests: [
      { ...GET, expect: { status: 200, json: { id: 1 } } },
      {
        method: 'POST',
        path: '/',
        body: 'text',
        weight: 3,
        expect: { status: 201, file: 'answer.txt' },
      },
      {
        method: 'PUT',
        path: '/',
        body: { json: [1] },
        expect: { status: 200, check: ['node', 'check.js'] },
      },
    ],
  },
];

const blocks = fc.oneof(...BLOCKS.map(mutated));
const manifests = blocks.map((bench) => JSON.stringify({ name: 'server', bench }));

function clean(words: readonly string[]): void {
  for (const word of words) expect(word).not.toContain('\0');
}

property(
  'a block is a target that can be started and asked, or is refused',
  manifests,
  (text) => {
    folder.write('one/package.json', text);
    const target = unless(UserError, () => readFolder(join(folder.path, 'one')));
    if (target === undefined || target === null) return;
    expect(target.start[0]).not.toBe('');
    clean([
      ...target.start,
      ...(target.build ?? []),
      target.cwd,
      ...Object.entries(target.env).flat(),
    ]);
    for (const name of Object.keys(target.env)) expect(name).toMatch(/^[^=]+$/);
    expect(target.requests.length).toBeGreaterThan(0);
    for (const { request, weight, expect: answer } of target.requests) {
      expect(sentPath(request.path)).toBe(request.path);
      expect(
        () => new Headers([...Object.entries(request.headers), ...Object.entries(answer.headers)]),
      ).not.toThrow();
      expect(Number.isInteger(weight) && weight >= 1).toBe(true);
    }
    const saved = targetSchema.parse({
      ...target,
      requests: target.requests.map(recordedExchange),
    });
    expect(targetSchema.parse(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
  },
  { share: 0.5 },
);

property(
  'any text of a manifest is a target, none, or refused',
  fc.oneof(garbled(manifests), textOf('{', '"bench":', '}', '[]', 'null')),
  (text) => {
    folder.write('one/package.json', text);
    unless(UserError, () => readFolder(join(folder.path, 'one')));
  },
);

const related = {
  app: { ...BLOCKS[1], label: 'App', over: 'floor' },
  floor: {
    ...BLOCKS[1],
    label: 'Floor',
    variants: { more: { variant: 'more', variantOf: 'app' } },
  },
  other: { ...BLOCKS[1], label: null, variantOf: 'app', variant: 'other' },
};
property(
  'targets stand on each other and on nothing else, or are refused',
  mutated(related),
  (all) => {
    using packages = temporaryFolder();
    packages.write('floor/answer.txt', 'fine');
    packages.write('app/answer.txt', 'fine');
    packages.write('other/answer.txt', 'fine');
    for (const [name, bench] of Object.entries(all ?? {})) {
      if (name in related) packages.write(`${name}/package.json`, { bench });
    }
    const targets = unless(UserError, () => readTargets(packages.path)) ?? [];
    const names = targets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { label, over, variantOf } of targets) {
      expect(label).not.toBe('');
      for (const other of [over, variantOf]) if (other !== null) expect(names).toContain(other);
    }
  },
  { share: 0.1 },
);
