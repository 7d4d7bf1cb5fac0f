import { expect, test } from 'vitest';
import { section } from '../../src/report/section.ts';
import { plain } from './look.ts';

test('a part is its heading, its table, its notes and its text, without those that are empty', () => {
  expect(section('as told', 'table', 'text', plain(80), 'notes')).toBe(
    'As told\ntable\nnotes\ntext',
  );
  expect(section('as told', '', 'text', plain(80))).toBe('As told\ntext');
});

test('a heading that is too long goes on in the next line, each of them bold', () => {
  const look = { ...plain(9), bold: (text: string) => `*${text}*` };
  expect(section('as it was told', 'table', '', look)).toBe('*As it was*\n*told*\ntable');
});
