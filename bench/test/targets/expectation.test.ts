import { expect, test } from 'vitest';
import { expectationOf, LARGEST_BODY, type ProbeResponse } from '../../src/targets/expectation.ts';
import { userError } from '../support/caught.ts';

const told = (body: string, changes: Partial<ProbeResponse> = {}): ProbeResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
  ...changes,
});

const bytes = (encoding: 'utf8' | 'base64', data: string) => {
  return { kind: 'bytes', bytes: { encoding, data } };
};
const BINARY = Buffer.from([0xff, 0x00]);

test.each([
  ['all the same are expected byte for byte', [told('a'), told('a')], bytes('utf8', 'a')],
  ['no text are, too', [told('', { body: BINARY })], bytes('base64', BINARY.toString('base64'))],
  ['as long as each other are to be so long', [told('a'), told('b')], { kind: 'length', bytes: 1 }],
  ['of any length are to have their status', [told('a'), told('bb')], { kind: 'any' }],
])('answers that are %s', (_, answers, body) => {
  const headers = { 'content-type': 'text/plain' };
  expect(expectationOf(answers, null)).toEqual({ status: 200, headers, body });
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

test('another status than the one that is asked for is refused, and one that changes', () => {
  const refusal = (answers: ProbeResponse[], wanted: number | null) => {
    return userError(() => expectationOf(answers, wanted)).message;
  };
  expect(refusal([told('')], 404)).toBe('it answers with status 200, not 404');
  const changing = [told(''), told('', { status: 500 })];
  expect(refusal(changing, null)).toBe('it answers with status 200 and with 500');
});

test('the largest body is measured, and one byte more is refused', () => {
  const large = (bytes: number) => told('', { body: Buffer.alloc(bytes) });
  expect(expectationOf([large(LARGEST_BODY)], null).status).toBe(200);
  expect(userError(() => expectationOf([large(LARGEST_BODY + 1)], null)).message).toContain(
    '16 MB can be',
  );
});
