import { expect, test } from 'vitest';
import { requireDriver } from '../../src/load/drivers.ts';
import { userError } from '../support/caught.ts';
import { onPathAlone } from '../support/fake-programs.ts';
import { exchangeOf, makeTarget } from '../support/make-record.ts';

const FIRST = exchangeOf(makeTarget('first'));
const BYTES = { encoding: 'base64', data: '//8=' } as const;
const SENT = { ...FIRST, request: { ...FIRST.request, body: BYTES } };
const BODY = { kind: 'bytes', bytes: BYTES } as const;
const EXPECTED = { ...FIRST, expect: { ...FIRST.expect, body: BODY } };

test.each([
  ['nothing', [FIRST], 'k6 is not on the PATH'],
  ['texts, as many as there are', [FIRST, FIRST], 'k6 is not on the PATH'],
  ['bytes that are sent', [SENT], 'k6 sends and checks texts, and plain has other bytes'],
  ['bytes that come', [EXPECTED], 'k6 sends and checks texts, and plain has other bytes'],
])('the pacer requires nothing, and k6 a program and texts: %s', (_what, requests, needed) => {
  using _ = onPathAlone();
  const targets = [makeTarget('plain', { requests })];
  expect(() => requireDriver('pacer', targets)).not.toThrow();
  expect(userError(() => requireDriver('k6', targets)).message).toBe(needed);
});
