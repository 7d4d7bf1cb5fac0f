import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { requireDriver } from '../../src/load/drivers.ts';
import type { DriverName } from '../../src/request/option-values.ts';
import { exchangeOf, makeTarget } from '../support/make-record.ts';

describe('what a driver requires', () => {
  /** With nothing on the PATH. */
  const complaintOf = (name: DriverName, target = makeTarget('plain')): string | null => {
    const { PATH = '' } = process.env;
    process.env.PATH = '';
    try {
      requireDriver(name, [target]);
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      process.env.PATH = PATH;
    }
  };
  const first = exchangeOf(makeTarget('first'));
  const bytes = { encoding: 'base64', data: '//8=' } as const;
  const sent = { ...first, request: { ...first.request, body: bytes } };
  const body = { kind: 'bytes', bytes } as const;
  const expected = { ...first, expect: { ...first.expect, body } };

  test.each([
    ['nothing', [first], 'k6 is not on the PATH'],
    ['texts, as many as there are', [first, first], 'k6 is not on the PATH'],
    ['bytes that are sent', [sent], 'k6 sends and checks texts, and plain has other bytes'],
    ['bytes that come', [expected], 'k6 sends and checks texts, and plain has other bytes'],
  ])('is nothing for the pacer, and a program and texts for k6: %s', (_what, requests, needed) => {
    const target = makeTarget('plain', { requests });
    expect(complaintOf('pacer', target)).toBeNull();
    expect(complaintOf('k6', target)).toBe(needed);
  });
});
