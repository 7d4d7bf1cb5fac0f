import { expect, test } from 'vitest';
import { BodyCheck } from '../../src/load/body-check.ts';

const TEXT = Buffer.from('안녕하세요, 🌍 Hello');

/** Whether a body that comes in these pieces is right. */
function check(pieces: Buffer[], right: Buffer | null, own = new BodyCheck()): boolean {
  for (const piece of pieces) own.add(piece, right);
  return own.end(right);
}

test('a body is right wherever it is cut, also within a character', () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    expect(check([TEXT.subarray(0, cut), TEXT.subarray(cut)], TEXT)).toBe(true);
  }
  expect(
    check(
      [...TEXT].map((byte) => Buffer.from([byte])),
      TEXT,
    ),
  ).toBe(true);
});

test.each([
  { name: 'shorter', body: TEXT.subarray(0, -1) },
  { name: 'longer', body: Buffer.concat([TEXT, TEXT.subarray(0, 1)]) },
  { name: 'other', body: Buffer.from(TEXT.toString().replace('H', 'h')) },
  { name: 'empty', body: Buffer.alloc(0) },
])('a body that is $name is wrong', ({ body }) => {
  expect(check([body.subarray(0, 5), body.subarray(5)], TEXT)).toBe(false);
});

test('each body counts for itself, and any will do where nobody looks', () => {
  const own = new BodyCheck();
  const oks = [TEXT, Buffer.from('x'), TEXT].map((body) => check([body], TEXT, own));
  expect(oks).toEqual([true, false, true]);
  expect(check([Buffer.from('x')], null, own)).toBe(true);
});

test('the empty body is right where nothing is to come', () => {
  expect(check([], Buffer.alloc(0))).toBe(true);
});
