import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedTargets, ofCommand, ofUrl, ofWord } from '../../src/targets/named.ts';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMON = {
  requests: [{ method: 'GET', path: '/', headers: {}, body: null }],
  isAsked: false,
  env: { LEVEL: 'warn' },
  names: [],
} as const;

describe('a word of the command line', () => {
  test('is a command, with its quotes, where the user stands', () => {
    expect(ofWord('node "my server.js" --port 1', '/here')).toMatchObject({
      isDeclared: false,
      target: { directory: '/here', start: ['node', 'my server.js', '--port', '1'] },
    });
  });

  test('is the start script of a folder, or all that its bench block says', () => {
    using folder = temporaryFolder();
    folder.write('mine/package.json', { scripts: { start: 'node dist/main.js' } });
    const directory = join(folder.path, 'mine');
    expect(ofWord('./mine', folder.path)).toMatchObject({
      isDeclared: false,
      target: { directory, start: ['node', 'dist/main.js'], label: 'mine' },
    });
    expect(ofWord('ok', FIXTURES)).toMatchObject({
      isDeclared: true,
      target: { name: 'ok', over: null },
    });
  });

  test('is refused where a folder has neither, and without a word in it', () => {
    using folder = temporaryFolder();
    folder.write('mine/package.json', {});
    expect(userError(() => ofWord('mine', folder.path)).message).toContain('has no "start" script');
    expect(userError(() => ofCommand([], '/here')).message).toBe('no command');
  });
});

describe('servers', () => {
  test('have names of their own, and those that they are given', () => {
    const command = ofCommand(['/usr/bin/node', 'a.js'], '/here');
    const up = ofUrl('http://127.0.0.1:80', [7], '/here');
    const named = namedTargets([command, command, up], { ...COMMON, names: ['mine'] });
    expect(named.map(({ target }) => target.label)).toEqual(['mine', 'node a.js', '127.0.0.1']);
    expect(namedTargets([command, command], COMMON).map(({ target }) => target.label)).toEqual([
      ...['node a.js', 'node a.js (2)'],
    ]);
    expect(new Set(named.map(({ target }) => target.name)).size).toBe(3);
    expect(named[2]?.target.external).toEqual({ origin: 'http://127.0.0.1:80', pids: [7] });
  });

  test('are asked what all are asked, but for those that declare it', () => {
    const named = namedTargets([ofCommand(['node', 'a.js'], '/'), ofWord('ok', FIXTURES)], COMMON);
    const [plain, declared] = named;
    expect(plain).toMatchObject({ isDeclared: false, target: { passed: { LEVEL: 'warn' } } });
    expect(plain?.target.requests[0]).toMatchObject({ expect: { body: { kind: 'any' } } });
    expect(declared).toMatchObject({ isDeclared: true, target: { passed: { LEVEL: 'warn' } } });
    expect(declared?.target.requests[0]).toMatchObject({ expect: { body: { kind: 'bytes' } } });
  });
});
