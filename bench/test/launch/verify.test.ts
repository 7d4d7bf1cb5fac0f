import { expect, test } from 'vitest';
import { addressOf } from '../../src/launch/sockets.ts';
import { type Expectation, textExchange } from '../../src/targets/exchange.ts';
import { problemOf } from '../../src/targets/expectation.ts';

const { expect: EXPECTED } = textExchange('Hello World!', {
  headers: { 'Content-Type': 'text/plain' },
});
const ANSWER = {
  status: 200,
  headers: { 'content-type': 'text/plain', date: 'today' },
  body: Buffer.from('Hello World!'),
};
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

type Body = Expectation['body'];
const TEXT: Body = { kind: 'bytes', bytes: { encoding: 'utf8', data: 'a' } };
const VALUE: Body = { kind: 'json', value: { a: [1], b: null } };
const LENGTH: Body = { kind: 'length', bytes: 3 };

const OTHER = 'the JSON "{\\"a\\":[2]}" instead of "{\\"a\\":[1],\\"b\\":null}"';
test.each<[what: string, found: string | Buffer, body: Body, problem: string | null]>([
  ['anything', 'x', { kind: 'any' }, null],
  ['as long as declared', 'abc', LENGTH, null],
  ['longer', 'abcd', LENGTH, 'a body of 4 bytes instead of 3'],
  ['not text', Buffer.from([255]), TEXT, 'the body <1 B of binary data> instead of "a"'],
  ['the same JSON, written in another way', '{ "b": null,\n"a": [1] }', VALUE, null],
  ['other JSON', '{"a":[2]}', VALUE, OTHER],
  ['no JSON', '{', VALUE, '"{", which is not JSON'],
])('a body that is %s', (_, found, body, problem) => {
  const answer = { ...ANSWER, body: Buffer.from(found) };
  expect(problemOf(answer, { ...EXPECTED, body })).toBe(problem && `it answered with ${problem}`);
});

test.each([
  ['http://127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
  ['http://[::1]:3000', { host: '::1', port: 3000 }],
  ['http://localhost', { host: 'localhost', port: 80 }],
])('%s is reached at its host and port, 80 by default', (origin, address) => {
  expect(addressOf(origin)).toEqual(address);
});
