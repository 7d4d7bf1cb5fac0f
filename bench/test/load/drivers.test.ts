import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { DRIVER_NAMES, DRIVERS, driverNamed, requireDriver } from '../../src/load/drivers.ts';
import { exchangeOf, makeTarget } from '../support/make-record.ts';

describe('the drivers', () => {
  test('have names of their own, that of the pacer first', () => {
    expect(DRIVER_NAMES[0]).toBe('pacer');
    expect(new Set(DRIVER_NAMES).size).toBe(DRIVERS.length);
  });

  test.each(DRIVER_NAMES)('are found by name: %s', (name) => {
    expect(driverNamed(name).name).toBe(name);
  });

  test('are no others', () => {
    expect(() => driverNamed('wrk')).toThrow('there is no driver wrk');
  });
});

describe('what a driver requires', () => {
  /** With nothing on the PATH. */
  const complaintOf = (name: string, targets = [makeTarget('plain')]): string | null => {
    const { PATH } = process.env;
    process.env.PATH = '';
    try {
      requireDriver(name, targets);
      return null;
    } catch (error) {
      return messageOf(error);
    } finally {
      if (PATH === undefined) delete process.env.PATH;
      else process.env.PATH = PATH;
    }
  };

  test('is nothing for the pacer', () => {
    expect(complaintOf('pacer')).toBeNull();
  });

  test('is a program for k6', () => {
    expect(complaintOf('k6')).toBe('k6 is not on the PATH');
  });

  test('is texts for k6, as many as there are, and nothing of the kind for the pacer', () => {
    const first = exchangeOf(makeTarget('first'));
    const several = makeTarget('several', { requests: [first, first] });
    const bytes = { encoding: 'base64', data: '//8=' } as const;
    const request = { ...first.request, body: bytes };
    const binary = makeTarget('binary', { requests: [{ ...first, request }] });
    const expect_ = { ...first.expect, body: { kind: 'bytes', bytes } } as const;
    const picture = makeTarget('picture', { requests: [{ ...first, expect: expect_ }] });
    expect(complaintOf('k6', [several])).toBe('k6 is not on the PATH');
    for (const target of [binary, picture]) {
      expect(complaintOf('k6', [target])).toContain(`and ${target.name} has other bytes`);
      expect(complaintOf('pacer', [target])).toBeNull();
    }
  });
});
