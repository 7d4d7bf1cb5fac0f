import { expect, test } from 'vitest';
import { layerSections } from '../../../src/report/sections/layers.ts';
import { interval, makeRecord, makeTarget } from '../../support/make-record.ts';
import { conditionUnder } from '../../support/summaries.ts';
import { rowsOf } from '../look.ts';

test('a framework that costs less than the floor has no share of its endpoint', () => {
  const nest = makeTarget('nest', { label: 'Nest' });
  const difference = interval(-9000, -10_000, -8000);
  const own = {
    name: 'server' as const,
    sides: { own: [], other: [] },
    comparison: { ratio: interval(1, 1, 1), difference, verdict: 'faster' as const },
  };
  const cpuNs = interval(180_000, 178_000, 182_000);
  const endpoint = {
    framework: nest,
    top: nest,
    cpuNs,
    own,
    swapped: null,
    services: [],
    flags: [],
  };
  const record = makeRecord({}, () => null);
  const [, section] = layerSections({
    ...{ condition: conditionUnder(record, 'published'), lowest: 'text', swap: null },
    ...{ frameworks: [nest], rows: [], endpoints: [endpoint] },
  });
  expect(section && rowsOf(section)).toEqual([['Nest', '180.0 ±2.0', '-9.0 ±1.0', '–', 'faster']]);
});
