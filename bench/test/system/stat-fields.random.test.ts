import fc from 'fast-check';
import { expect } from 'vitest';
import { statFields, wholeNumber } from '../../src/system/stat-fields.ts';
import { character, property, textOf, unless } from '../support/random.ts';

const name = fc.oneof(fc.string({ unit: character }), textOf(')', '(', ' ', ') S 1'));
const fields = fc.array(fc.stringMatching(/^[-\w]+$/), { minLength: 1 });

property(
  'the fields come after the name, whatever that holds',
  fc.tuple(name, fields),
  ([own, rest]) => {
    expect(statFields(`1 (${own}) ${rest.join(' ')}`)).toEqual(rest);
  },
);

property(
  'a whole number is what its digits say, or an error',
  textOf('0', '12', '-', '.', 'e9'),
  (text) => {
    const found = unless(Error, () => wholeNumber(text, 'test'));
    if (found === undefined) return;
    expect(found).toBe(Number(BigInt(text)));
    expect(found).toBeLessThan(1e20);
  },
);
