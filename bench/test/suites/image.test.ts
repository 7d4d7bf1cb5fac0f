import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSchema } from '../../src/plan/loads.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { imageTargets } from '../support/make-image-record.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { ownSuite } from '../support/own-workloads.ts';
import { idsOf, loadsOf } from './loads-of.ts';

const image = ownSuite('image');

const CAPACITY = { kind: 'capacity', server: 'go-nfnt/single', perS: 4.04 } as const;
const FOLDER = join(FIXTURES, 'image');

describe('the loads', () => {
  const loads = loadsOf(image, { topologies: ['single'], connections: 4 }, CAPACITY);

  test('are the limit, a rate that the slowest can serve, and one that it cannot', () => {
    expect(idsOf(loads)).toEqual(['limit', 'served', 'overloaded']);
    const [limit, served, overloaded] = loads;
    expect(limit).toMatchObject({
      kind: 'closed',
      connections: 4,
      waitForAll: true,
      drainBetweenSlices: true,
    });
    expect(limit).toMatchObject({ blocks: 1, timeoutNs: 120e9 });
    expect(served).toMatchObject({ kind: 'open', ratePerS: 2.4 });
    expect(overloaded).toMatchObject({ kind: 'open', ratePerS: 8.1 });
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  });

  test('have turns of a second and a half, unless they are unbroken', () => {
    const sliced = { durationS: 12, sliceS: 3, launches: 4, connections: 4 };
    const [limit, served, overloaded] = loadsOf(image, sliced, CAPACITY);
    expect(limit).toMatchObject({ sliceNs: 3e9, blocks: 2 });
    expect([served?.sliceNs, overloaded?.sliceNs]).toEqual([12e9, 4e9]);
    const [unbroken] = loadsOf(image, { contiguous: true, connections: 4 }, CAPACITY);
    expect(unbroken).toMatchObject({ method: 'contiguous', blocks: 1 });
  });

  test('need to know what the slowest answers', () => {
    expect(() => loadsOf(image, { topologies: ['single'] })).toThrow('the slowest server');
  });
});

test('variants are measured at the limit alone', () => {
  const options = makeOptions({ topologies: ['single'], connections: 4 });
  const basis = { basis: CAPACITY };
  const { cells } = makePlan(image, options, imageTargets(), makeMachine(), basis);
  const loadsOfTarget = (name: string) => {
    return cells.filter(({ target }) => target === name).map(({ load }) => load);
  };
  expect(loadsOfTarget('go-vips')).toEqual(['limit', 'served', 'overloaded']);
  expect(loadsOfTarget('go-vips-shrink-on-load')).toEqual(['limit']);
});

describe('who is measured', () => {
  const namesOf = (given: Parameters<typeof image.subjects>[0]['given']) => {
    const { targets } = image.subjects({ given, packages: FOLDER, options: makeOptions() });
    return targets.map(({ name }) => name);
  };

  test('is every variant, but for --quick those alone that were published', () => {
    expect(namesOf({})).toContain('go-vips-progressive');
    expect(namesOf({ quick: true })).toEqual(['go-nfnt', 'go-vips', 'php-imagick', 'sharp']);
  });

  test('is who is named, quick or not', () => {
    expect(namesOf({ quick: true, targets: ['go-vips-progressive'] })).toEqual([
      'go-vips-progressive',
    ]);
  });
});
