import { describe, expect, test } from 'vitest';
import type { Charged } from '../../../src/record/profile.ts';
import type { RunRecord } from '../../../src/record/record.ts';
import { findParts } from '../../../src/studies/truth/where-findings.ts';
import { BASE_NAME, KNOWN_PARTS, whereTargets } from '../../../src/studies/truth/where-targets.ts';
import { truthWhere } from '../../../src/suites/truth-where.ts';
import { inFunction, makeWhereRecord } from '../../support/make-where-record.ts';

/** What every server does, µs. */
const NOTHING_MORE = [
  inFunction({ kind: 'own' }, 'spin', 5, 'truth/spin.ts'),
  inFunction({ kind: 'native' }, 'writev', 3),
  inFunction({ kind: 'collector' }, '(garbage collector)', 0.5),
];
const MORE: Record<string, Charged> = {
  'in-package': inFunction(
    { kind: 'package', name: 'known-work', version: '1.0.0' },
    'churn',
    3,
    'index.ts',
  ),
  'in-native': inFunction({ kind: 'native' }, 'crc32', 3),
  'in-collector': inFunction({ kind: 'collector' }, '(garbage collector)', 3),
};

/** A run that charges so much of what each server does more, µs, while its own clocks say 3. */
function recordOf(more: Record<string, Charged> = MORE): RunRecord {
  const names = [BASE_NAME, ...KNOWN_PARTS.map(({ name }) => name)];
  const record = makeWhereRecord({
    suite: truthWhere,
    targets: whereTargets(1000),
    functions: Object.fromEntries(
      names.map((name) => [name, [...NOTHING_MORE, ...(more[name] ? [more[name]] : [])]]),
    ),
  });
  record.slices = record.slices.map((slice) => {
    const own = slice.cell.split('/')[0] ?? '';
    const inHandler = own === 'in-package' || own === 'in-native' ? 3000 : 0;
    const gcNs = own === 'in-collector' ? 3500 : 500;
    return { ...slice, handler: { medianNs: inHandler, meanNs: inHandler * 1.02, gcNs } };
  });
  return record;
}

const isFound = (record: RunRecord) => {
  return truthWhere.isFound(record);
};

describe('known owners of known costs', () => {
  test('are found where profiles charge them', () => {
    expect(findParts(recordOf()).map(({ finding }) => finding)).toEqual([
      'found',
      'found',
      'found',
    ]);
    expect(isFound(recordOf())).toBe(true);
  });

  test.each(Object.keys(MORE))('%s is missed where another is charged', (name) => {
    const astray = inFunction({ kind: 'node' }, 'emit', 3, 'node:events');
    const record = recordOf({ ...MORE, [name]: astray });
    const lost = findParts(record).filter(({ finding }) => finding !== 'found');
    expect(lost.map(({ known }) => known.name)).toEqual([name]);
    expect(isFound(record)).toBe(false);
  });

  test('are missed where a quarter of them is lost', () => {
    const less = inFunction({ kind: 'native' }, 'crc32', 2.2);
    const [, native] = findParts(recordOf({ ...MORE, 'in-native': less }));
    expect(native?.finding).toBe('missed');
    expect(native?.off).toBeCloseTo(0.26, 1);
  });

  test("can't be told of where a run ended before anything was sampled", () => {
    const record = { ...recordOf(), profiles: [], slices: [] };
    expect(new Set(findParts(record).map(({ finding }) => finding))).toEqual(
      new Set(["can't tell"]),
    );
  });
});
