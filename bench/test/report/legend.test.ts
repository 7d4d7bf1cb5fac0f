import { expect, test } from 'vitest';
import { legendOf } from '../../src/report/legend.ts';
import { section } from '../../src/report/section.ts';
import { shown } from './look.ts';

test('the legend explains each flag of the sections once, in the order of the alphabet', () => {
  const sections = [
    section('one', [], ['SHARED_CPU', 'BAD_RESPONSE']),
    section('two', [], ['SHARED_CPU']),
  ];
  const [legend, ...more] = legendOf(sections);
  expect(more).toEqual([]);
  expect(legend && shown(legend)).toMatch(
    /^What the flags mean\nBAD_RESPONSE: .+\nSHARED_CPU: .+$/,
  );
});

test('there is no legend where there is nothing to explain', () => {
  expect(legendOf([])).toEqual([]);
  expect(legendOf([section('one', [])])).toEqual([]);
});
