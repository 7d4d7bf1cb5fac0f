import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codeOf, explain, messageOf, UserError } from '../../src/base/errors.ts';

test('a user error has a message, the next step and the cause', () => {
  const cause = new Error('the disk is full');
  const error = new UserError("can't save", 'Free some space.', { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'UserError', message: "can't save", cause });
  expect(error.next).toBe('Free some space.');
});

test('gives the message of an error, and anything else as text', () => {
  expect(messageOf(new Error('broken'))).toBe('broken');
  expect(messageOf('just text')).toBe('just text');
  expect(messageOf(undefined)).toBe('undefined');
});

test('gives the code of a system error', () => {
  const read = () => readFileSync('/no/such/file');
  expect(read).toThrow();
  try {
    read();
  } catch (error) {
    expect(codeOf(error)).toBe('ENOENT');
  }
});

test('gives no code where there is none, or where it is no text', () => {
  expect(codeOf(new Error('plain'))).toBeNull();
  expect(codeOf(Object.assign(new Error('numbered'), { code: 7 }))).toBeNull();
  expect(codeOf({ code: 'ENOENT' })).toBeNull();
  expect(codeOf(null)).toBeNull();
});

describe('explains', () => {
  test('an error for the user by its message and the next step, without a stack', () => {
    const error = new UserError("can't save", 'Free some space.', { cause: new Error('full') });
    expect(explain(error)).toBe("error: can't save\nFree some space.");
  });

  test('an error that nobody foresaw with its stack, and asks for a report', () => {
    const lines = explain(new TypeError('x is not a function')).split('\n');
    expect(lines[0]).toBe('error: TypeError: x is not a function');
    expect(lines[1]).toMatch(/^ {4}at .*errors\.test/);
    expect(lines.at(-1)).toContain('please report it');
  });

  test('what is no error, or has no stack, by what there is', () => {
    const bare = new Error('bare');
    delete bare.stack;
    for (const thrown of ['bare', bare]) {
      expect(explain(thrown)).toMatch(/^error: bare\nThis is a defect of overhead/);
    }
  });
});
