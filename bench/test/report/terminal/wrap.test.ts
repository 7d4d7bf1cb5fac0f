import { expect, test } from 'vitest';
import { wrap } from '../../../src/report/terminal/wrap.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog, and an incomprehensibility follows.';

test('breaks between words, at the last that fits', () => {
  expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
  expect(wrap('one two three', 7)).toBe('one two\nthree');
});

test('leaves a text that fits as it is', () => {
  expect(wrap(TEXT, TEXT.length)).toBe(TEXT);
  expect(wrap('', 10)).toBe('');
});

test('keeps every word, and every line within the width unless it is one word', () => {
  for (let width = 1; width <= 100; width++) {
    const lines = wrap(TEXT, width).split('\n');
    expect(lines.join(' ')).toBe(TEXT);
    for (const line of lines) {
      if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
      expect(line).not.toBe('');
    }
  }
});

test('keeps a figure with its unit, and what is equal on one line', () => {
  expect(wrap('takes 25 % of it', 8)).toBe('takes\n25 % of\nit');
  expect(wrap('after 10 s.', 8)).toBe('after\n10 s.');
  expect(wrap('at 9.98 ms, or 3 µs', 11)).toBe('at 9.98 ms,\nor 3 µs');
  expect(wrap('take max = 4 now', 8)).toBe('take\nmax = 4\nnow');
  expect(wrap('a server so', 8)).toBe('a server\nso');
});
