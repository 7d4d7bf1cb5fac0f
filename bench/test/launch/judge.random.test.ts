import fc from 'fast-check';
import { expect } from 'vitest';
import { figuresIn } from '../../src/launch/judge.ts';
import { garbled, property } from '../support/random.ts';

const figures = fc.dictionary(
  fc.stringMatching(/^[a-z]+$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const texts = figures.map((each) => JSON.stringify(each));

property('figures are read as they are printed', figures, (each) => {
  const printed = JSON.stringify(each);
  expect(figuresIn(printed)).toEqual(JSON.parse(printed));
});

property(
  'any other line is figures, each a number, or none',
  fc.oneof(garbled(texts), fc.json()),
  (text) => {
    for (const figure of Object.values(figuresIn(text) ?? {})) {
      expect(Number.isFinite(figure)).toBe(true);
    }
  },
);
