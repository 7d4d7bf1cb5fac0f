import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Expectation, recordedExchange } from '../../src/targets/exchange.ts';
import { expectationOf, LARGEST_BODY, type ProbeResponse } from '../../src/targets/expectation.ts';
import { userError } from '../support/caught.ts';

const LARGE = 'x'.repeat(20_000);
const bytes = (data: string, encoding: 'utf8' | 'base64' = 'utf8') => {
  return { kind: 'bytes', bytes: { encoding, data } } as const;
};
const digest = (text: string) => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { kind: 'digest', sha256, bytes: text.length } as const;
};

test.each<[string, Expectation['body'], Expectation['body'] | null]>([
  ['a large body as its digest', bytes(LARGE), digest(LARGE)],
  ['large JSON as its digest', { kind: 'json', value: [LARGE] }, digest(`["${LARGE}"]`)],
  ['a small body', bytes('Hello World!'), null],
  ['small JSON', { kind: 'json', value: { a: 1 } }, null],
  ['a length', { kind: 'length', bytes: 1e6 }, null],
  ['anything', { kind: 'any' }, null],
])('a record has %s', (_, body, recorded) => {
  const request = { method: 'GET', path: '/', headers: {}, body: null } as const;
  const exchange = { request, weight: 1, expect: { status: 200, headers: {}, body } };
  expect(recordedExchange(exchange).expect.body).toEqual(recorded ?? body);
});

const TEXT = { status: 200, headers: { 'content-type': 'text/plain' } };
const answer = (body: string, changes: Partial<ProbeResponse> = {}): ProbeResponse => {
  return { ...TEXT, body: Buffer.from(body), ...changes };
};
const BINARY = Buffer.from([0xff, 0x00]);

test.each<[string, ProbeResponse[], Expectation['body']]>([
  ['equal answers are expected byte for byte', [answer('a'), answer('a')], bytes('a')],
  ['so are those that are no text', [answer('', { body: BINARY })], bytes('/wA=', 'base64')],
  ['answers of one length', [answer('a'), answer('b')], { kind: 'length', bytes: 1 }],
  ['answers of any length', [answer('a'), answer('bb')], { kind: 'any' }],
])('%s', (_, answers, body) => {
  expect(expectationOf(answers, null)).toEqual({ ...TEXT, body });
});

test.each([
  { status: 404, says: 'it answers with status 404', next: '--status 404' },
  { status: 302, says: 'it redirects (302) to /there', next: '--status 302' },
])('a status of $status is refused unless it is asked for', ({ status, says, next }) => {
  const other = answer('', { status, headers: { location: '/there' } });
  const error = userError(() => expectationOf([other], null));
  expect(error.message).toBe(says);
  expect(error.next).toContain(next);
  expect(expectationOf([other], status).status).toBe(status);
});

const ofBytes = (length: number) => answer('', { body: Buffer.alloc(length) });
const VARYING = [answer(''), answer('', { status: 500 })];
const TOO_LARGE = 'its answer has 16 MB, and 16 MB can be measured';
test.each<[string, ProbeResponse[], number | null, string]>([
  ['not the one asked for', [answer('')], 404, 'it answers with status 200, not 404'],
  ['one that varies', VARYING, null, 'it answers with status 200 and with 500'],
  ['right, but a body too large', [ofBytes(LARGEST_BODY + 1)], null, TOO_LARGE],
])('a status is refused that is %s', (_, answers, wanted, message) => {
  expect(userError(() => expectationOf(answers, wanted)).message).toBe(message);
  expect(expectationOf([ofBytes(LARGEST_BODY)], null).status).toBe(200);
});
