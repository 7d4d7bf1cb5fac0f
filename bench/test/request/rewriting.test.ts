import { expect, test } from 'vitest';
import { repeating, rewritten } from '../../src/request/command-line.ts';
import { wordsOf } from '../support/command.ts';

const SHOWN = '--json --plain --details --explain --profile-dir profiles';
test.each([
  ['goes to a file of its own', 'truth -o a.json --quick --out=b.json', 'truth --quick --seed 7'],
  ['keeps its seed', 'run constructor --seed 1', 'run constructor --seed 1'],
  ['is shown in the usual way', `where ${SHOWN} --quick`, 'where --quick --seed 7'],
  ['keeps options and values', 'run -oa -d5 --name --json x', 'run -d5 --name --json x --seed 7'],
  ['takes --seed as a value', 'run x --name --seed', 'run x --name --seed --seed 7'],
])('a command that measures the same again %s', (_, line, again) => {
  expect(repeating(wordsOf(line), 7)).toEqual(wordsOf(again));
});

test('values of variables, headers and bodies, and users of addresses, stay out of it, and what comes after -- stays', () => {
  const line =
    "run --env KEY=secret --env=TOKEN=secret --header 'cookie: secret' --body secret " +
    '\'--body={"a":"secret"}\' --url http://me:secret@[::1]:80/ -- node --env x.js';
  const words = repeating(wordsOf(line), 7);
  expect(words.join(' ')).not.toContain('secret');
  expect(words).toEqual([
    ...['run', '--env', 'KEY', '--env=TOKEN', '--header', 'cookie: …', '--body', '…', '--body=…'],
    ...['--url', 'http://…@[::1]:80/', '--seed', '7', '--', 'node', '--env', 'x.js'],
  ]);
});

test.each([
  [
    'run --server-host box --seed=3 -- node x.js --seed 5',
    'run --seed=3 --out r.json -- node x.js --seed 5',
  ],
  ['run -- node', 'run --seed 7 --out r.json -- node'],
])('what is added to %j stands before a command after `--`', (line, expected) => {
  const changes = { without: new Set(['server-host']), seed: 7, added: ['--out', 'r.json'] };
  expect(rewritten(wordsOf(line), changes)).toEqual(wordsOf(expected));
});
