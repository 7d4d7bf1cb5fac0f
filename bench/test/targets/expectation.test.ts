import { expect, test } from 'vitest';
import { expectationOf, LARGEST_BODY, type ProbeResponse } from '../../src/targets/expectation.ts';
import { userError } from '../support/caught.ts';

const told = (body: string, changes: Partial<ProbeResponse> = {}): ProbeResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
  ...changes,
});

test('answers that are all the same are expected byte for byte, with their type', () => {
  expect(expectationOf([told('a'), told('a')], null)).toEqual({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: { kind: 'bytes', bytes: { encoding: 'utf8', data: 'a' } },
  });
});

test('answers that are as long as each other are expected to be that long', () => {
  expect(expectationOf([told('a'), told('b')], null).body).toEqual({ kind: 'length', bytes: 1 });
});

test('answers of any length are expected to have their status', () => {
  expect(expectationOf([told('a'), told('bb')], null).body).toEqual({ kind: 'any' });
});

test('bytes that are no text are expected as they are', () => {
  const body = Buffer.from([0xff, 0x00]);
  const bytes = { encoding: 'base64', data: body.toString('base64') };
  expect(expectationOf([told('', { body })], null).body).toEqual({ kind: 'bytes', bytes });
});

test.each([
  { status: 404, says: 'it answers with status 404', next: '--status 404' },
  { status: 302, says: 'it redirects (302) to /there', next: '--status 302' },
])('a status of $status is refused unless it is asked for', ({ status, says, next }) => {
  const answer = told('', { status, headers: { location: '/there' } });
  const error = userError(() => expectationOf([answer], null));
  expect(error.message).toBe(says);
  expect(error.next).toContain(next);
  expect(expectationOf([answer], status).status).toBe(status);
});

test('another status than the one that is asked for is refused', () => {
  expect(userError(() => expectationOf([told('')], 404)).message).toBe(
    'it answers with status 200, not 404',
  );
});

test('a status that changes is refused', () => {
  const error = userError(() => expectationOf([told(''), told('', { status: 500 })], null));
  expect(error.message).toBe('it answers with status 200 and with 500');
});

test('the largest body is measured, and one byte more is refused', () => {
  const large = (bytes: number) => told('', { body: Buffer.alloc(bytes) });
  expect(expectationOf([large(LARGEST_BODY)], null).status).toBe(200);
  expect(userError(() => expectationOf([large(LARGEST_BODY + 1)], null)).message).toContain(
    '16 MB can be',
  );
});
