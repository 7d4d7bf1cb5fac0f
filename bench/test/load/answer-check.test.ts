import { expect, test } from 'vitest';
import { AnswerCheck } from '../../src/load/answer-check.ts';

const TEXT = Buffer.from('안녕하세요, 🌍 Hello');

/** What an answer is whose body comes in these chunks. */
function check(
  chunks: Buffer[],
  body: Buffer | number | null,
  own = new AnswerCheck(),
  status = 200,
) {
  const expected = { status: 200, body };
  for (const chunk of chunks) own.add(chunk, expected);
  return own.end(status, expected);
}

test('a body is right however it is split, also within a character', () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    expect(check([TEXT.subarray(0, cut), TEXT.subarray(cut)], TEXT)).toBe('ok');
  }
  const bytes = [...TEXT].map((byte) => Buffer.from([byte]));
  expect(check(bytes, TEXT)).toBe('ok');
});

test.each([
  ['shorter', TEXT.subarray(0, -1)],
  ['longer', Buffer.concat([TEXT, TEXT.subarray(0, 1)])],
  ['other', Buffer.from(TEXT.toString().replace('H', 'h'))],
  ['empty', Buffer.alloc(0)],
])('a body that is %s is wrong', (_how, body) => {
  expect(check([body.subarray(0, 5), body.subarray(5)], TEXT)).toBe('wrongBody');
});

test('each answer counts for itself, and a wrong status whatever the body', () => {
  const own = new AnswerCheck();
  const bodies = [TEXT, Buffer.from('x'), TEXT];
  expect(bodies.map((body) => check([body], TEXT, own))).toEqual(['ok', 'wrongBody', 'ok']);
  expect(check([TEXT], TEXT, own, 500)).toBe('wrongStatus');
  own.add(TEXT, { status: 200, body: TEXT });
  own.reset();
  expect(check([TEXT], TEXT, own)).toBe('ok');
});

test('any body will do where nobody looks, or any as long, and the empty one where none is to come', () => {
  expect(check([Buffer.from('x')], null)).toBe('ok');
  expect([check([TEXT], TEXT.length), check([TEXT], 3)]).toEqual(['ok', 'wrongBody']);
  expect(check([], Buffer.alloc(0))).toBe('ok');
});
