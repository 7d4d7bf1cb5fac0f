import fc from 'fast-check';
import { expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { newestIn, whyOf } from '../../src/launch/npm.ts';
import { garbled, mutated, property, textOf, unless } from '../support/random.ts';

const version = fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }));
const versions = fc.array(version, { minLength: 1, maxLength: 6 });

property('the newest version is the highest by its numbers', versions, (all) => {
  const [newest] = all.toSorted((a, b) => {
    return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
  });
  const printed = all.map((each) => each.join('.'));
  expect(newestIn(JSON.stringify(printed))).toBe(newest?.join('.'));
  expect(newestIn(`"${printed[0]}"\n`)).toBe(printed[0]);
});

const texts = fc.oneof(
  garbled(fc.constantFrom('["1.0.0","1.2.0"]', '"1.0.0"', '')),
  mutated(['1.0.0', '1.2.0']).map((each) => JSON.stringify(each)),
);
property('any other text is a version, none, or refused', texts, (text) => {
  expect(unless(UserError, () => newestIn(text)) ?? '').toBeTypeOf('string');
});

const failure = { error: { code: 'E404', summary: 'no such package', detail: '' } };
const printed = fc.oneof(
  mutated(failure).map((each) => JSON.stringify(each)),
  garbled(fc.constant(JSON.stringify(failure))),
);
property(
  'of any failure there is a code',
  fc.tuple(printed, textOf('npm error', '\n', ' ')),
  ([stdout, stderr]) => {
    const { code, summary } = whyOf(stdout, stderr);
    expect([typeof code, typeof summary]).toEqual(['string', 'string']);
  },
);
