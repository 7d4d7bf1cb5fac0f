import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { codeOf, explain, messageOf, UserError } from '../../src/base/errors.ts';

const CAUSE = new Error('the disk is full');
const ERROR = new UserError("can't save", 'Free some space.', { cause: CAUSE });

test('a UserError has a message, a next step and a cause, and is shown without a stack', () => {
  expect(ERROR).toMatchObject({ name: 'UserError', message: "can't save", cause: CAUSE });
  expect(explain(ERROR)).toBe("error: can't save\nFree some space.");
});

test('an unexpected error is shown with its stack and a request to report it', () => {
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

test('an error of the system has a code', async () => {
  const numbered = Object.assign(new Error('numbered'), { code: 7 });
  expect([CAUSE, numbered, { code: 'ENOENT' }, null].map(codeOf)).toEqual([null, null, null, null]);
  expect(await readFile('/no/such/file').catch(codeOf)).toBe('ENOENT');
});
