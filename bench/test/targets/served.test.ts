import { beforeEach, expect, test } from 'vitest';
import { SERVICES } from '../../src/services/index.ts';
import { withServices } from '../../src/targets/served.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';

const PLAIN = makeTarget('plain');
const NEEDY = makeTarget('needy', { services: { redis: { seed: null, seedFiles: null } } });

beforeEach(() => {
  const real = SERVICES.redis.program;
  Object.assign(SERVICES.redis, { program: ['no-such-server-here'] });
  return () => Object.assign(SERVICES.redis, { program: real });
});

test('a target whose service is not here is left out, and it is said', () => {
  expect(withServices([PLAIN, NEEDY], null)).toEqual({
    targets: [PLAIN],
    leftOut: [
      'needy needs Redis, and no-such-server-here is not here (Debian: apt-get install redis-server)',
    ],
  });
  expect(withServices([NEEDY], ['all']).targets).toEqual([]);
});

test('one that was named is refused', () => {
  const { message, next } = userError(() => withServices([PLAIN, NEEDY], ['needy']));
  expect(message).toBe('needy needs Redis, and no-such-server-here is not here');
  expect(next).toContain('apt-get install redis-server');
});

test('all are there where nothing is missing', () => {
  expect(withServices([PLAIN], ['plain'])).toEqual({ targets: [PLAIN], leftOut: [] });
});
