import { expect, test } from 'vitest';
import {
  namedTargets,
  serverOfCommand,
  serverOfUrl,
  serverOfWord,
} from '../../src/targets/named.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
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

test('a folder with neither a start script nor a bench block is refused, and no command', () => {
  using folder = temporaryFolder();
  folder.write('mine/package.json', {});
  const { message } = userError(() => serverOfWord('mine', folder.path));
  expect(message).toContain('has no "start" script');
  expect(userError(() => serverOfCommand([], '/here')).message).toBe('no command');
});

test('servers have the labels that they are given', () => {
  const labelsOf = (named: LocalTarget[]) => named.map(({ label }) => label);
  const up = serverOfUrl('http://127.0.0.1:80', [7], '/here');
  const named = namedTargets([COMMAND, COMMAND, up], { ...COMMON, names: ['mine'] });
  expect(labelsOf(named)).toEqual(['mine', 'node a.js', '127.0.0.1']);
  expect(named[2]?.external).toEqual({ origin: 'http://127.0.0.1:80', pids: [7] });
  const again = namedTargets([COMMAND, COMMAND], COMMON);
  expect(labelsOf(again)).toEqual(['node a.js', 'node a.js (2)']);
});

test('servers are sent the common requests, unless they declare their own', () => {
  const named = namedTargets([COMMAND, serverOfWord('ok', FIXTURES)], COMMON);
  for (const [place, kind] of ['any', 'bytes'].entries()) {
    expect(named[place]).toMatchObject({
      hidesRequests: kind === 'any',
      passed: { LEVEL: 'warn' },
      requests: [{ expect: { body: { kind } } }],
    });
  }
});
