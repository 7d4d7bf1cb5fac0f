import { expect, test } from 'vitest';
import { problemOf } from '../../src/launch/verify.ts';
import { textExchange } from '../../src/targets/exchange.ts';

const { expect: EXPECTED } = textExchange(
  { method: 'GET', path: '/' },
  { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Hello World!' },
);
const ANSWER = {
  status: 200,
  headers: { 'content-type': 'text/plain', date: 'today' },
  body: Buffer.from('Hello World!'),
};
const html = { 'content-type': 'text/html' };
const long = Buffer.from('x'.repeat(1000));

test.each([
  ['as declared, whatever other headers it has', {}, null],
  ['of a wrong status', { status: 404 }, 'status 404 instead of 200'],
  ['of a wrong header', { headers: html }, 'Content-Type: text/html instead of text/plain'],
  ['without a header', { headers: {} }, 'Content-Type: nothing instead of text/plain'],
  [
    'of a wrong body',
    { body: Buffer.from('Hello\n') },
    'the body "Hello\\n" instead of "Hello World!"',
  ],
  [
    'of a long one, which is cut off',
    { body: long },
    `the body "${'x'.repeat(60)}…" instead of "Hello World!"`,
  ],
])('an answer %s', (_, changes, problem) => {
  const found = problemOf({ ...ANSWER, ...changes }, EXPECTED);
  expect(found).toBe(problem && `it answered with ${problem}`);
});
