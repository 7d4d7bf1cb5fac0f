import { expect, test } from 'vitest';
import { layerSections } from '../../../src/report/sections/layers.ts';
import { summarizeLayers } from '../../../src/summary/layers.ts';
import { makeLadderRecord } from '../../support/make-ladder-record.ts';
import { conditionUnder, present } from '../../support/summaries.ts';
import { rowsOf } from '../look.ts';

test('a framework that costs less than the floor has no share of its endpoint', () => {
  const record = makeLadderRecord({ noise: (id) => (id.startsWith('express') ? 0.25 : 1) });
  const table = summarizeLayers(record, conditionUnder(record, 'cost'), { lowest: 'text' });
  const [, endpoints] = layerSections(present(table, 'layer'));
  const [, express] = rowsOf(present(endpoints, 'endpoint'));
  // A quarter of 80 µs, beside the 40 µs of the floor.
  expect(express?.slice(0, 5)).toEqual(['Express', '20.00 ±0.00', '-20.00 ±0.00', '–', 'faster']);
});
