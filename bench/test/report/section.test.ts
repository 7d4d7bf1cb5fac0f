import { expect, test } from 'vitest';
import { paragraph, section, unheaded } from '../../src/report/section.ts';

test('a part has its heading above its blocks, and the flags that it brings', () => {
  expect(section('as told', [paragraph('text')], ['LATE'])).toEqual({
    blocks: [
      { kind: 'heading', text: 'As told' },
      { kind: 'paragraph', text: 'text' },
    ],
    flags: ['LATE'],
  });
  expect(section('as told', []).flags).toEqual([]);
});

test('a part may have no heading', () => {
  expect(unheaded(paragraph('text'))).toEqual({
    blocks: [{ kind: 'paragraph', text: 'text' }],
    flags: [],
  });
});
