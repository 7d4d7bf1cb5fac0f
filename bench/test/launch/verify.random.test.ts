import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { problemOf } from '../../src/launch/verify.ts';
import { type Expectation, payloadOf } from '../../src/targets/exchange.ts';
import { property } from '../support/random.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));
const bodies = fc.oneof(
  bytes,
  fc.json().map((text) => Buffer.from(text)),
);
const json = fc.json().map((text) => z.json().parse(JSON.parse(text)));

const answerOf = (body: Buffer) => ({ status: 200, headers: {}, body });
const expecting = (body: Expectation['body']): Expectation => ({ status: 200, headers: {}, body });

property('an answer is right by its bytes', fc.tuple(bodies, bodies), ([body, other]) => {
  const right = expecting({ kind: 'bytes', bytes: payloadOf(body) });
  expect(problemOf(answerOf(body), right)).toBeNull();
  expect(problemOf(answerOf(other), right) === null).toBe(body.equals(other));
});

property('an answer is right by its value, however it is written', json, (value) => {
  const right = expecting({ kind: 'json', value });
  expect(problemOf(answerOf(Buffer.from(JSON.stringify(value, null, 2))), right)).toBeNull();
});

property('any other answer is said to be wrong', fc.tuple(bodies, json), ([body, value]) => {
  const problem = problemOf(answerOf(body), expecting({ kind: 'json', value }));
  if (problem === null) expect(JSON.parse(body.toString())).toEqual(value);
  else expect(problem).toMatch(/^it answered with /);
});
