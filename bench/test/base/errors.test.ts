import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf, explain, messageOf, UserError } from '../../src/base/errors.ts';

const CAUSE = new Error('the disk is full');
const ERROR = new UserError("can't save", 'Free some space.', { cause: CAUSE });

test('an error for the user has a message, the next step and the cause, and is shown without a stack', () => {
  expect(ERROR).toMatchObject({ name: 'UserError', message: "can't save", cause: CAUSE });
  expect(explain(ERROR)).toBe("error: can't save\nFree some space.");
});

test('an unexpected error is shown with its stack, if it has one, and a report is asked for', () => {
  const lines = explain(new TypeError('x is not a function')).split('\n');
  expect(lines[0]).toBe('error: TypeError: x is not a function');
  expect(lines[1]).toMatch(/^ {4}at .*errors\.test/);
  expect(lines.at(-1)).toContain('please report it');
  const bare = new Error('bare');
  delete bare.stack;
  for (const thrown of ['bare', bare]) {
    expect(messageOf(thrown)).toBe('bare');
    expect(explain(thrown)).toMatch(/^error: bare\nThis is a defect of overhead/);
  }
});

test('an error has a code if the system gave it one, as a text', () => {
  const numbered = Object.assign(new Error('numbered'), { code: 7 });
  expect([CAUSE, numbered, { code: 'ENOENT' }, null].map(codeOf)).toEqual([null, null, null, null]);
  try {
    readFileSync('/no/such/file');
    expect.unreachable();
  } catch (error) {
    expect(codeOf(error)).toBe('ENOENT');
  }
});
