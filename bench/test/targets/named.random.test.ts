import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { namedTargets, ofCommand, ofWord } from '../../src/targets/named.ts';
import { garbled, mutated, property, textOf, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const COMMON = { request: { method: 'GET', path: '/', headers: {}, body: null }, env: {} } as const;

const word = textOf('node', ' ', 'server.js', '"', "'", '\\', './', '..', '=', '$');
property('a word is a server that has a program, or is refused', word, (text) => {
  const place = unless(UserError, () => ofWord(text.replaceAll('\0', ''), folder.path));
  if (place?.kind !== 'plain') return;
  expect(place.place.start[0]).toBeTypeOf('string');
  for (const each of place.place.start) expect(each).toBeTypeOf('string');
});

const words = fc.array(fc.stringMatching(/^[\w./=-]{1,8}$/), { minLength: 1, maxLength: 5 });
property('a command is as its words, however they are given', words, (command) => {
  const given = ofCommand(command, '/here');
  expect(given).toMatchObject({ place: { start: command, directory: '/here' } });
  expect(ofWord(command.map((each) => `"${each}"`).join(' '), '/here')).toEqual(given);
});

const manifest = mutated({ name: 'mine', scripts: { start: 'node "my server.js"', test: 'x' } });
const texts = manifest.map((each) => JSON.stringify(each));
property(
  'a folder is the server that it starts, or is refused',
  fc.oneof(texts, garbled(texts)),
  (text) => {
    folder.write('mine/package.json', text);
    const place = unless(UserError, () => ofWord('./mine', folder.path));
    if (place?.kind !== 'plain') return;
    expect(place.place.start[0]).toBeTypeOf('string');
    expect(place.place.directory).toBe(join(folder.path, 'mine'));
  },
);

const labels = fc.array(textOf('a', 'b', ' (2)', ' (3)', 'É'), { minLength: 1, maxLength: 5 });
property('no two servers have the same name or label', labels, (names) => {
  const places = names.map(() => ofCommand(['node', 'server.js'], '/here'));
  const targets = namedTargets(places, { ...COMMON, names }).map(({ target }) => target);
  for (const key of ['name', 'label'] as const) {
    expect(new Set(targets.map((target) => target[key])).size).toBe(names.length);
  }
  for (const { name } of targets) expect(name).toMatch(/^\d+-[a-z0-9-]*$/);
});
