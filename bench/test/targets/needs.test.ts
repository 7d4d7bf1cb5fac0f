import { expect, test } from 'vitest';
import { type Need, runnable } from '../../src/targets/needs.ts';
import { chooseTargets, type LocalTarget } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { makeTarget } from '../support/make-record.ts';

const folder = folderOfEach();

/** A program that does not exist. */
const NOWHERE = 'no-such-program';
const leftOutBy = (parts: Partial<LocalTarget>, isThere?: (need: Need) => boolean) => {
  return runnable([makeTarget('gin', parts)], isThere).leftOut;
};

test('a target lacks every file that does not exist, by a pattern of its absolute path', () => {
  const need = `${folder.path}/{a,b}*.so`;
  expect(leftOutBy({ needs: [need] })).toEqual([`gin needs ${need}`]);
  folder.write('b1.so', '');
  expect(leftOutBy({ needs: [need] })).toEqual([]);
});

test('what a target lacks is named with its source, if that is known', () => {
  const lacks = 'gin needs go (https://go.dev/doc/install) and curl';
  expect(leftOutBy({ needs: ['go', 'curl'] }, () => false)).toEqual([lacks]);
});

test('a target lacks a service whose program is missing, which a package provides', () => {
  const services = { redis: { seed: null, seedFiles: null } };
  expect(leftOutBy({ services }, ({ any }) => !any.includes('/usr/sbin/redis-server'))).toEqual([
    'gin needs Redis (Debian: apt-get install redis-server)',
  ]);
});

test('targets that lack something are refused if they are named, or if they are all', () => {
  const answer = { request: { method: 'GET', path: '/' }, expect: { status: 200, body: '' } };
  const block = { suite: 'frameworks', label: 'A server', start: ['sh', 'main.sh'], ...answer };
  const choose = (names: string[] | null) => chooseTargets(folder.path, names, 'frameworks');
  folder.write('lacking/package.json', { bench: { ...block, needs: [NOWHERE] } });
  const lacks = 'lacking needs no-such-program';
  expect(userError(() => choose(null)).message).toBe(`no target can run here: ${lacks}`);
  expect(userError(() => choose(['lacking']))).toMatchObject({
    message: `not on this machine: ${lacks}`,
    next: expect.stringContaining('--targets'),
  });
  folder.write('here/package.json', { bench: { ...block, needs: ['sh'] } });
  for (const names of [null, ['all']]) {
    expect(choose(names)).toMatchObject({ targets: [{ name: 'here' }], leftOut: [lacks] });
  }
});
