import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Expectation, recordedExchange, textExchange } from '../../src/targets/exchange.ts';
import {
  expectationOf,
  LARGEST_BODY,
  type ProbeResponse,
  problemOf,
} from '../../src/targets/expectation.ts';
import { userError } from '../support/caught.ts';

type Body = Expectation['body'];

const LARGE = 'x'.repeat(20_000);
const bytes = (data: string, encoding: 'utf8' | 'base64' = 'utf8') => {
  return { kind: 'bytes', bytes: { encoding, data } } as const;
};
const digest = (text: string) => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { kind: 'digest', sha256, bytes: text.length } as const;
};

test.each<[string, Body, Body | null]>([
  ['a large body as its digest', bytes(LARGE), digest(LARGE)],
  ['large JSON as its digest', { kind: 'json', value: [LARGE] }, digest(`["${LARGE}"]`)],
  ['a small body', bytes('Hello World!'), null],
  ['small JSON', { kind: 'json', value: { a: 1 } }, null],
  ['a length', { kind: 'length', bytes: 1e6 }, null],
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

test.each<[string, ProbeResponse[], Body]>([
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

const headers = { 'Content-Type': 'text/plain' };
const { expect: EXPECTED } = textExchange('Hello World!', { headers });
const ANSWER = answer('Hello World!', { headers: { ...TEXT.headers, date: 'today' } });
const html = { headers: { 'content-type': 'text/html' } };
const brief = { body: Buffer.from('Hello\n') };
const long = { body: Buffer.from('x'.repeat(1000)) };

test.each([
  ['as declared, with other headers too', {}, null],
  ['of a wrong status', { status: 404 }, 'status 404 instead of 200'],
  ['of a wrong header', html, 'Content-Type: text/html instead of text/plain'],
  ['without a header', { headers: {} }, 'Content-Type: nothing instead of text/plain'],
  ['of a wrong body', brief, 'the body "Hello\\n" instead of "Hello World!"'],
  ['that is cut off', long, `the body "${'x'.repeat(60)}…" instead of "Hello World!"`],
])('an answer %s', (_, changes, problem) => {
  const found = problemOf({ ...ANSWER, ...changes }, EXPECTED);
  expect(found).toBe(problem && `it answered with ${problem}`);
});

const VALUE: Body = { kind: 'json', value: { a: [1], b: null } };
const LENGTH: Body = { kind: 'length', bytes: 3 };

const OTHER = 'the JSON "{\\"a\\":[2]}" instead of "{\\"a\\":[1],\\"b\\":null}"';
test.each<[what: string, found: string | Buffer, body: Body, problem: string | null]>([
  ['anything', 'x', { kind: 'any' }, null],
  ['as long as declared', 'abc', LENGTH, null],
  ['longer', 'abcd', LENGTH, 'a body of 4 bytes instead of 3'],
  ['not text', BINARY, bytes('a'), 'the body <2 B of binary data> instead of "a"'],
  ['the same JSON, written in another way', '{ "b": null,\n"a": [1] }', VALUE, null],
  ['other JSON', '{"a":[2]}', VALUE, OTHER],
  ['no JSON', '{', VALUE, '"{", which is not JSON'],
])('a body that is %s', (_, found, body, problem) => {
  const answer = { ...ANSWER, body: Buffer.from(found) };
  expect(problemOf(answer, { ...EXPECTED, body })).toBe(problem && `it answered with ${problem}`);
});
