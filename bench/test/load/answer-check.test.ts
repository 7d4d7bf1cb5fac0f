import { expect, test } from 'vitest';
import { AnswerCheck } from '../../src/load/answer-check.ts';

const TEXT = Buffer.from('안녕하세요, 🌍 Hello');
const EMPTY = Buffer.alloc(0);

/** What an answer is whose body comes in these chunks. */
function check(chunks: Buffer[], body: Buffer | number | null, own = new AnswerCheck()) {
  const expected = { status: 200, body };
  for (const chunk of chunks) own.add(chunk, expected);
  return own.end(200, expected);
}

test('a body is right however it is split, also within a character', () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    expect(check([TEXT.subarray(0, cut), TEXT.subarray(cut)], TEXT)).toBe('ok');
  }
  const bytes = [...TEXT].map((byte) => Buffer.from([byte]));
  expect(check(bytes, TEXT)).toBe('ok');
});

test.each([
  ['shorter', TEXT.subarray(0, -1), TEXT, 'wrongBody'],
  ['longer', Buffer.concat([TEXT, TEXT.subarray(0, 1)]), TEXT, 'wrongBody'],
  ['other', Buffer.from(TEXT.toString().replace('H', 'h')), TEXT, 'wrongBody'],
  ['empty', EMPTY, TEXT, 'wrongBody'],
  ['empty, as it should be,', EMPTY, EMPTY, 'ok'],
  ['any, where nobody looks,', TEXT, null, 'ok'],
  ['as long as it should be', TEXT, TEXT.length, 'ok'],
  ['longer than it should be', TEXT, 3, 'wrongBody'],
])('a body that is %s is %4$s', (_how, body, expected, kind) => {
  expect(check([body.subarray(0, 5), body.subarray(5)], expected)).toBe(kind);
});

test('each answer counts for itself, and a wrong status whatever the body', () => {
  const own = new AnswerCheck();
  const bodies = [TEXT, EMPTY, TEXT];
  expect(bodies.map((body) => check([body], TEXT, own))).toEqual(['ok', 'wrongBody', 'ok']);
  const expected = { status: 200, body: TEXT };
  own.add(TEXT, expected);
  expect(own.end(500, expected)).toBe('wrongStatus');
  own.add(TEXT, expected);
  own.reset();
  expect(check([TEXT], TEXT, own)).toBe('ok');
});
