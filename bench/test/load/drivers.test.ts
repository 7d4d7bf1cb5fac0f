import { expect, test } from 'vitest';
import { requireDriver } from '../../src/load/drivers.ts';
import { userError } from '../support/caught.ts';
import { exchangeOf, makeTarget } from '../support/make-record.ts';

const FIRST = exchangeOf(makeTarget('first'));
const BYTES = { encoding: 'base64', data: '//8=' } as const;
const SENT = { ...FIRST, request: { ...FIRST.request, body: BYTES } };
const BODY = { kind: 'bytes', bytes: BYTES } as const;
const EXPECTED = { ...FIRST, expect: { ...FIRST.expect, body: BODY } };

test.each([
  ['sends', SENT],
  ['expects', EXPECTED],
])('the pacer also %s bytes, and k6 only texts', (_what, exchange) => {
  const targets = [makeTarget('plain', { requests: [FIRST, exchange] })];
  expect(() => requireDriver('pacer', targets)).not.toThrow();
  const { message } = userError(() => requireDriver('k6', targets));
  expect(message).toBe('k6 sends and checks texts, and plain has other bytes');
});
