import { afterEach, describe, expect, test, vi } from 'vitest';
import { SERVICES } from '../../src/services/index.ts';
import { equipped, requireNeeds } from '../../src/targets/needs.ts';
import { chooseTargets, type LocalTarget } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A program that is nowhere. */
const NOWHERE = 'no-such-program';
const lackOf = (parts: Partial<LocalTarget>) => equipped([makeTarget('gin', parts)]).leftOut;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('what a target lacks', () => {
  test('is every program that it needs and that is not on the PATH', () => {
    const plain = makeTarget('plain', { needs: ['sh'] });
    const target = makeTarget('server', { needs: ['sh', NOWHERE] });
    const leftOut = ['server needs no-such-program'];
    expect(equipped([target, plain])).toEqual({ targets: [plain], leftOut });
  });

  test('is every file that is not there, by a pattern of its whole path', () => {
    using folder = temporaryFolder();
    const need = `${folder.path}/{a,b}*.so`;
    expect(lackOf({ needs: [need] })).toEqual([`gin needs ${need}`]);
    folder.write('b1.so', '');
    expect(lackOf({ needs: [need] })).toEqual([]);
  });

  test('is said with how to get it, where that is known', () => {
    vi.stubEnv('PATH', '/nowhere');
    const lacks = 'gin needs go (https://go.dev/doc/install) and curl';
    expect(lackOf({ needs: ['go', 'curl'] })).toEqual([lacks]);
  });

  test('is a service whose program is not here, with the package that brings it', () => {
    const { program } = SERVICES.redis;
    Object.assign(SERVICES.redis, { program: [NOWHERE] });
    try {
      expect(lackOf({ services: { redis: { seed: null, seedFiles: null } } })).toEqual([
        'gin needs Redis (Debian: apt-get install redis-server)',
      ]);
    } finally {
      Object.assign(SERVICES.redis, { program });
    }
  });

  test('is an error for those that are named', () => {
    const error = userError(() => requireNeeds([makeTarget('gin', { needs: [NOWHERE] })]));
    expect(error.message).toBe('not on this machine: gin needs no-such-program');
    expect(error.next).toContain('--targets');
  });
});

test('targets that lack something are left out unless they are named, but not all of them', () => {
  using folder = temporaryFolder();
  const answer = { request: { method: 'GET', path: '/' }, expect: { status: 200, body: '' } };
  const block = { suite: 'frameworks', label: 'A server', start: ['sh', 'main.sh'], ...answer };
  const choose = (names: string[] | null) => chooseTargets(folder.path, names, 'frameworks');
  folder.write('lacking/package.json', { bench: { ...block, needs: [NOWHERE] } });
  expect(userError(() => choose(null)).message).toBe(
    'no target can run here: lacking needs no-such-program',
  );
  folder.write('here/package.json', { bench: { ...block, needs: ['sh'] } });
  for (const names of [null, ['all']]) {
    const { targets, leftOut } = choose(names);
    expect(targets.map(({ name }) => name)).toEqual(['here']);
    expect(leftOut).toEqual(['lacking needs no-such-program']);
  }
  const refused = userError(() => choose(['here', 'lacking']));
  expect(refused.message).toContain('lacking needs no-such-program');
});
