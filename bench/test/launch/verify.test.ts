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

test('an answer as declared has no problem, whatever other headers it has', () => {
  expect(problemOf(ANSWER, EXPECTED)).toBeNull();
});

test('a wrong status is named with the right one', () => {
  const problem = problemOf({ ...ANSWER, status: 404 }, EXPECTED);
  expect(problem).toBe('it answered with status 404 instead of 200');
});

test('a wrong header is named with the right one', () => {
  const problem = problemOf({ ...ANSWER, headers: { 'content-type': 'text/html' } }, EXPECTED);
  expect(problem).toBe('it answered with Content-Type: text/html instead of text/plain');
});

test('a missing header is named', () => {
  const problem = problemOf({ ...ANSWER, headers: {} }, EXPECTED);
  expect(problem).toBe('it answered with Content-Type: nothing instead of text/plain');
});

test('a wrong body is quoted, and cut off where it is long', () => {
  expect(problemOf({ ...ANSWER, body: Buffer.from('Hello\n') }, EXPECTED)).toBe(
    'it answered with the body "Hello\\n" instead of "Hello World!"',
  );
  const long = problemOf({ ...ANSWER, body: Buffer.from('x'.repeat(1000)) }, EXPECTED);
  expect(long).toContain(`"${'x'.repeat(60)}…"`);
});
