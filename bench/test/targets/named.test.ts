import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedTargets, ofCommand, ofUrl, ofWord } from '../../src/targets/named.ts';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMON = {
  request: { method: 'GET', path: '/', headers: {}, body: null },
  env: { LEVEL: 'warn' },
  names: [],
} as const;

describe('a word of the command line', () => {
  test('is a command, with its quotes, where the user stands', () => {
    const { kind, ...rest } = ofWord('node "my server.js" --port 1', '/here');
    expect(kind).toBe('plain');
    expect(rest).toMatchObject({
      place: { directory: '/here', start: ['node', 'my server.js', '--port', '1'] },
    });
  });

  test('is the start script of a folder', () => {
    using folder = temporaryFolder();
    folder.write('mine/package.json', { scripts: { start: 'node dist/main.js' } });
    expect(ofWord('./mine', folder.path)).toMatchObject({
      kind: 'plain',
      place: {
        directory: join(folder.path, 'mine'),
        start: ['node', 'dist/main.js'],
        label: 'mine',
      },
    });
  });

  test('is all that the bench block of a folder says', () => {
    expect(ofWord('ok', FIXTURES)).toMatchObject({
      kind: 'declared',
      target: { name: 'ok', over: null },
    });
  });

  test('is refused where a folder has neither', () => {
    using folder = temporaryFolder();
    folder.write('mine/package.json', {});
    expect(userError(() => ofWord('mine', folder.path)).message).toContain('has no "start" script');
  });

  test('is refused without a word in it', () => {
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
