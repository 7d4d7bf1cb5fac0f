import { expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { readPublished } from '../../src/summary/published.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { comparisonsOf } from '../../src/workload/declaration.ts';

test.each(['frameworks', 'cluster'] as const)(
  'what was published about %s has a source, and targets and comparisons that are here',
  (suite) => {
    const { comparisons, claims, published } = readPublished(suite);
    expect(published?.source).toMatch(/\w{5}/);
    expect(published?.machine).toMatch(/\w{3}/);
    expect(comparisons).not.toEqual([]);
    const sides = comparisons.flatMap(({ of, over }) => [of, over]);
    const compared = sides.map((side) => (typeof side === 'string' ? side : side.target));
    expect(readTargets(PACKAGES).map(({ name }) => name)).toEqual(expect.arrayContaining(compared));
    const judging = claims.flatMap(({ test: each }) => comparisonsOf(each));
    expect(comparisons.map(({ id }) => id)).toEqual(expect.arrayContaining(judging));
  },
);
