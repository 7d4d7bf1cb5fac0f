import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf, messageOf, UserError } from '../src/errors.ts';

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
