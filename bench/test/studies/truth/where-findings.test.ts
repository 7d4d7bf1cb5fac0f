import { expect, test } from 'vitest';
import type { CodeOwner, ProfiledFunction } from '../../../src/record/profile.ts';
import type { RunRecord } from '../../../src/record/record.ts';
import {
  BASE_NAME,
  findParts,
  KNOWN_PARTS,
  whereTargets,
} from '../../../src/studies/truth/where.ts';
import { truthWhere } from '../../../src/suites/truth.ts';
import { inFunction, makeWhereRecord } from '../../support/make-where-record.ts';

/** The CPU time of every server. */
const NOTHING_MORE = [
  inFunction({ kind: 'own' }, 'spin', 5, 'truth/spin.ts'),
  inFunction({ kind: 'native' }, 'writev', 3),
  inFunction({ kind: 'collector' }, '(garbage collector)', 0.5),
];
const PACKAGE: CodeOwner = { kind: 'package', name: 'known-work', version: '1.0.0' };
const MORE: Record<string, ProfiledFunction> = {
  'in-package': inFunction(PACKAGE, 'churn', 3, 'index.ts'),
  'in-native': inFunction({ kind: 'native' }, 'crc32', 3),
  'in-collector': inFunction({ kind: 'collector' }, '(garbage collector)', 3),
};

/** A run that charges this to each server beyond the usual, while the clocks of the servers say 3 µs. */
function recordOf(more = MORE): RunRecord {
  const names = [BASE_NAME, ...KNOWN_PARTS.map(({ name }) => name)];
  const functionsOf = (name: string) => [...NOTHING_MORE, ...(more[name] ? [more[name]] : [])];
  const record = makeWhereRecord({
    suite: truthWhere,
    targets: whereTargets(1000),
    functions: Object.fromEntries(names.map((name) => [name, functionsOf(name)])),
  });
  for (const slice of record.slices) {
    const [target = ''] = slice.cell.split('/');
    const medianNs = target === 'in-package' || target === 'in-native' ? 3000 : 0;
    const gcNs = target === 'in-collector' ? 3500 : 500;
    slice.handler = { medianNs, meanNs: medianNs * 1.02, gcNs };
  }
  return record;
}

const USUAL = recordOf();

test('known owners are found where profiles charge them', () => {
  const found = findParts(USUAL).map(({ finding }) => finding);
  expect(found).toEqual(['found', 'found', 'found']);
  expect(truthWhere.isFound(USUAL)).toBe(true);
});

test.each(Object.keys(MORE))('the known owner of %s is missed where another is charged', (name) => {
  const astray = inFunction({ kind: 'node' }, 'emit', 3, 'node:events');
  const record = recordOf({ ...MORE, [name]: astray });
  const lost = findParts(record).filter(({ finding }) => finding !== 'found');
  expect(lost.map(({ known }) => known.name)).toEqual([name]);
  expect(truthWhere.isFound(record)).toBe(false);
});

test('known owners are missed where a quarter of them is lost', () => {
  const less = inFunction({ kind: 'native' }, 'crc32', 2.2);
  const [, native] = findParts(recordOf({ ...MORE, 'in-native': less }));
  expect(native?.finding).toBe('missed');
  expect(native?.off).toBeCloseTo(0.26, 1);
});

test("known owners can't be told of a run that ended before any sample", () => {
  const found = findParts({ ...USUAL, profiles: [], slices: [] });
  expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set(["can't tell"]));
});
