import { beforeEach, expect, test } from 'vitest';
import { SERVICES } from '../../src/services/index.ts';
import { withServices } from '../../src/targets/served.ts';
import type { LocalTarget, TargetSelection } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';

const PLAIN = makeTarget('plain');
const NEEDY = makeTarget('needy', { services: { redis: { seed: null, seedFiles: null } } });

function chosen(...targets: LocalTarget[]): TargetSelection {
  return { targets, leftOut: [], areBuilt: false };
}

beforeEach(() => {
  const real = SERVICES.redis.program;
  Object.assign(SERVICES.redis, { program: ['no-such-server-here'] });
  return () => Object.assign(SERVICES.redis, { program: real });
});

test('a target whose service is not here is left out, and it is said', () => {
  expect(withServices(chosen(PLAIN, NEEDY), null)).toEqual({
    ...chosen(PLAIN),
    leftOut: [
      'needy needs Redis, and no-such-server-here is not here (Debian: apt-get install redis-server)',
    ],
  });
  expect(withServices(chosen(NEEDY), ['all']).targets).toEqual([]);
});

test('one that was named is refused', () => {
  const { message, next } = userError(() => withServices(chosen(PLAIN, NEEDY), ['needy']));
  expect(message).toBe('needy needs Redis, and no-such-server-here is not here');
  expect(next).toContain('apt-get install redis-server');
});

test('all are there where nothing is missing', () => {
  expect(withServices(chosen(PLAIN), ['plain'])).toEqual(chosen(PLAIN));
});
