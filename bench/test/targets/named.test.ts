import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type NamedServer,
  namedTargets,
  serverOfCommand,
  serverOfUrl,
  serverOfWord,
} from '../../src/targets/named.ts';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMON = {
  requests: [{ method: 'GET', path: '/', headers: {}, body: null }],
  isAsked: false,
  env: { LEVEL: 'warn' },
  names: [],
} as const;
const COMMAND = serverOfCommand(['/usr/bin/node', 'a.js'], '/here');

test('a word is a command, a folder with a start script, or one with a bench block', () => {
  using folder = temporaryFolder();
  folder.write('mine/package.json', { scripts: { start: 'node dist/main.js' } });
  expect(serverOfWord('node "my server.js" --port 1', '/here')).toMatchObject({
    isDeclared: false,
    target: { directory: '/here', start: ['node', 'my server.js', '--port', '1'] },
  });
  const directory = join(folder.path, 'mine');
  expect(serverOfWord('./mine', folder.path)).toMatchObject({
    isDeclared: false,
    target: { directory, start: ['node', 'dist/main.js'], label: 'mine' },
  });
  expect(serverOfWord('ok', FIXTURES)).toMatchObject({
    isDeclared: true,
    target: { name: 'ok', over: null },
  });
});

test('a folder with neither is refused, and a command without words', () => {
  using folder = temporaryFolder();
  folder.write('mine/package.json', {});
  const { message } = userError(() => serverOfWord('mine', folder.path));
  expect(message).toContain('has no "start" script');
  expect(userError(() => serverOfCommand([], '/here')).message).toBe('no command');
});

test('servers have unique names, and the labels that they are given', () => {
  const labelsOf = (named: NamedServer[]) => named.map(({ target }) => target.label);
  const up = serverOfUrl('http://127.0.0.1:80', [7], '/here');
  const named = namedTargets([COMMAND, COMMAND, up], { ...COMMON, names: ['mine'] });
  expect(labelsOf(named)).toEqual(['mine', 'node a.js', '127.0.0.1']);
  expect(new Set(named.map(({ target }) => target.name)).size).toBe(3);
  expect(named[2]?.target.external).toEqual({ origin: 'http://127.0.0.1:80', pids: [7] });
  expect(labelsOf(namedTargets([COMMAND, COMMAND], COMMON))).toEqual([
    'node a.js',
    'node a.js (2)',
  ]);
});

test('servers are sent the common requests, unless they declare their own', () => {
  const named = namedTargets([COMMAND, serverOfWord('ok', FIXTURES)], COMMON);
  for (const [place, kind] of ['any', 'bytes'].entries()) {
    expect(named[place]).toMatchObject({
      isDeclared: kind === 'bytes',
      target: { passed: { LEVEL: 'warn' }, requests: [{ expect: { body: { kind } } }] },
    });
  }
});
