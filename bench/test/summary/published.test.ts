import { describe, expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { readPublished } from '../../src/summary/published.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { comparisonsOf } from '../../src/workload/declaration.ts';

describe.each(['frameworks', 'cluster'] as const)('what was published about %s', (suite) => {
  const { comparisons, claims, published } = readPublished(suite);

  test('is compared by targets that are here', () => {
    const sides = comparisons.flatMap(({ of, over }) => [of, over]);
    const used = sides.map((side) => (typeof side === 'string' ? side : side.target));
    expect(comparisons).not.toEqual([]);
    expect(readTargets(PACKAGES).map(({ name }) => name)).toEqual(expect.arrayContaining(used));
  });

  test('has claims that go by comparisons that are there', () => {
    const used = claims.flatMap(({ test: each }) => comparisonsOf(each));
    expect(comparisons.map(({ id }) => id)).toEqual(expect.arrayContaining(used));
  });

  test('names its source and its machine', () => {
    expect(published?.source).toMatch(/\w{5}/);
    expect(published?.machine).toMatch(/\w{3}/);
  });
});
