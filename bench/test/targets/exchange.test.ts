import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Expectation, recordedExchange } from '../../src/targets/exchange.ts';

function recorded(body: Expectation['body']): Expectation['body'] {
  const request = { method: 'GET', path: '/', headers: {}, body: null } as const;
  const expectation = { status: 200, headers: {}, body };
  return recordedExchange({ request, weight: 1, expect: expectation }).expect.body;
}

const LARGE = 'x'.repeat(20_000);
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

test('a large answer is in a record as its digest', () => {
  const bytes = { encoding: 'utf8', data: LARGE } as const;
  const digest = { kind: 'digest', sha256: sha256Of(LARGE), bytes: LARGE.length };
  expect(recorded({ kind: 'bytes', bytes })).toEqual(digest);
  expect(recorded({ kind: 'json', value: [LARGE] })).toEqual({
    ...{ kind: 'digest', sha256: sha256Of(`["${LARGE}"]`), bytes: LARGE.length + 4 },
  });
});

test('a small one is in it whole, and so is what is no body', () => {
  const bytes = { encoding: 'utf8', data: 'Hello World!' } as const;
  for (const body of [
    { kind: 'bytes', bytes },
    { kind: 'json', value: { a: 1 } },
    { kind: 'length', bytes: 1e6 },
    { kind: 'any' },
  ] as const) {
    expect(recorded(body)).toEqual(body);
  }
});
