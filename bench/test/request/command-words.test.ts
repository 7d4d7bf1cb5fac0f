import { expect, test } from 'vitest';
import { repeating, rewritten } from '../../src/request/command-words.ts';

test('a command that measures the same again has the seed, and goes to a file of its own', () => {
  const words = repeating(['frameworks', '-o', 'a.json', '--quick', '--out=b.json', '--json'], 7);
  expect(words).toEqual(['frameworks', '--quick', '--seed', '7']);
  expect(repeating(['truth', '--seed', '1'], 1)).toEqual(['truth', '--seed', '1']);
});

test('neither how it is shown nor where profiles are kept is of the same again', () => {
  const shown = ['--json', '--plain', '--details', '--explain', '--profile-dir', 'profiles'];
  expect(repeating(['where', ...shown, '--quick'], 7)).toEqual(['where', '--quick', '--seed', '7']);
});

test('words are taken as options and values as the command line takes them', () => {
  expect(repeating(['run', '-oa.json', '-d5', '--name', '--json', 'x'], 7)).toEqual([
    ...['run', '-d5', '--name', '--json', 'x', '--seed', '7'],
  ]);
  expect(repeating(['run', 'constructor', '--name', '--seed'], 7).slice(-2)).toEqual([
    '--seed',
    '7',
  ]);
});

test('values of variables, headers and bodies, and users of addresses, stay out of it, and what comes after -- stays', () => {
  const argv = ['run', '--env', 'KEY=secret', '--env=TOKEN=secret', '--header', 'cookie: secret'];
  const more = ['--body', 'secret', '--body={"a":"secret"}', '--url', 'http://me:secret@[::1]:80/'];
  const words = repeating([...argv, ...more, '--', 'node', '--env', 'x.js'], 7);
  expect(words.join(' ')).not.toContain('secret');
  expect(words).toEqual([
    ...['run', '--env', 'KEY', '--env=TOKEN', '--header', 'cookie: …'],
    ...['--body', '…', '--body=…', '--url', 'http://…@[::1]:80/', '--seed', '7'],
    ...['--', 'node', '--env', 'x.js'],
  ]);
});

test('what is added to words stands before a command after `--`', () => {
  const argv = [
    'run',
    '--server-host',
    'box',
    '--seed=3',
    '--',
    'node',
    'server.js',
    '--seed',
    '5',
  ];
  const added = ['--out', 'record.json'];
  const without = new Set(['server-host']);
  expect(rewritten(argv, { without, seed: 7, added })).toEqual([
    ...['run', '--seed=3', '--out', 'record.json', '--', 'node', 'server.js', '--seed', '5'],
  ]);
  expect(rewritten(['run', '--', 'node'], { without, seed: 7, added })).toEqual([
    ...['run', '--seed', '7', '--out', 'record.json', '--', 'node'],
  ]);
});
