import { expect, test } from 'vitest';
import { ascii, showsUnicode, wrap } from '../../../src/report/terminal/look.ts';

test.each([
  ['+7.05 ±0.31 µs, × the floor', '+7.05 +-0.31 us, x the floor'],
  ['──── • █░ ▸ … “so” ≤ 1 ÷ 2 – −3', '---- * #. > ... "so" <= 1 / 2 - -3'],
  ['Künstler, café', 'Kunstler, cafe'],
  ['서버', '??'],
  ['plain [0.98, 1.01]', 'plain [0.98, 1.01]'],
])('a text in ASCII: %s', (text, shown) => {
  expect(ascii(text)).toBe(shown);
});

test.each([
  [{}, true],
  [{ TERM: 'xterm', LANG: 'C.UTF-8' }, true],
  [{ LANG: 'de_DE.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, false],
  [{ TERM: 'dumb', LANG: 'C.UTF-8' }, false],
])('more than ASCII is shown with %o: %s', (environment, shown) => {
  expect(showsUnicode(environment)).toBe(shown);
});

const TEXT = 'The quick brown fox jumps over the lazy dog, and an incomprehensibility follows.';

test.each([
  // Between words, at the last that fits.
  ['one two three four', 9, 'one two\nthree\nfour'],
  ['one two three', 7, 'one two\nthree'],
  // As it is where it fits.
  [TEXT, TEXT.length, TEXT],
  ['', 10, ''],
  // Not between a figure and its interval or its unit, nor around an equals sign.
  ['is 0.60 [0.58, 0.61] (CPU)', 14, 'is\n0.60 [0.58, 0.61]\n(CPU)'],
  ['takes 25 % of it', 8, 'takes\n25 % of\nit'],
  ['after 10 s.', 8, 'after\n10 s.'],
  ['at 9.98 ms, or 3 µs', 11, 'at 9.98 ms,\nor 3 µs'],
  ['take max = 4 now', 8, 'take\nmax = 4\nnow'],
  ['a server so', 8, 'a server\nso'],
])('%j is broken at %d columns', (text, width, lines) => {
  expect(wrap(text, width)).toBe(lines);
});

test('every word is kept, and every line is within the width unless it is one word', () => {
  for (let width = 1; width <= 100; width++) {
    const lines = wrap(TEXT, width).split('\n');
    expect(lines.join(' ')).toBe(TEXT);
    expect(lines.filter((line) => line === '')).toEqual([]);
    expect(lines.filter((line) => line.includes(' ') && line.length > width)).toEqual([]);
  }
});
