import { describe, expect, test } from 'vitest';
import { ascii, showsUnicode } from '../../../src/report/terminal/look.ts';

describe('a text in ASCII', () => {
  test.each([
    ['+7.05 ±0.31 µs, × the floor', '+7.05 +-0.31 us, x the floor'],
    ['──── • █░ ▸ … “so” ≤ 1 ÷ 2 – −3', '---- * #. > ... "so" <= 1 / 2 - -3'],
    ['Künstler, café', 'Kunstler, cafe'],
    ['서버', '??'],
    ['plain [0.98, 1.01]', 'plain [0.98, 1.01]'],
  ])('%s', (text, shown) => {
    expect(ascii(text)).toBe(shown);
  });
});

describe('more than ASCII is shown', () => {
  test.each([
    [{}, true],
    [{ TERM: 'xterm', LANG: 'C.UTF-8' }, true],
    [{ LANG: 'de_DE.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, false],
    [{ TERM: 'dumb', LANG: 'C.UTF-8' }, false],
  ])('with %o: %s', (environment, shown) => {
    expect(showsUnicode(environment)).toBe(shown);
  });
});
