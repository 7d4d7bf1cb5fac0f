import { expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { readPublished } from '../../src/summary/published.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { comparisonsOf, type Judgements } from '../../src/workload/declaration.ts';

const PUBLISHED: [name: string, published: Judgements][] = [
  ['frameworks', readPublished('frameworks')],
  ['cluster', readPublished('cluster')],
];

test.each(PUBLISHED)('what is compared in %s is of targets that are here', (_, { comparisons }) => {
  const names = readTargets(PACKAGES).map(({ name }) => name);
  expect(comparisons).not.toEqual([]);
  for (const { of, over } of comparisons) {
    for (const side of [of, over]) {
      expect(names).toContain(typeof side === 'string' ? side : side.target);
    }
  }
});

test.each(PUBLISHED)(
  'every claim of %s goes by a comparison that is there',
  (_, { claims, comparisons }) => {
    const ids = comparisons.map(({ id }) => id);
    for (const id of claims.flatMap(({ test: each }) => comparisonsOf(each)))
      expect(ids).toContain(id);
  },
);

test.each(PUBLISHED)('%s names its source and its machine', (_, { published }) => {
  expect(published?.source).toMatch(/\w{5}/);
  expect(published?.machine).toMatch(/\w{3}/);
});
