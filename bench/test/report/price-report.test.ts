import { expect, test } from 'vitest';
import { priceDocument } from '../../src/report/study-reports.ts';
import { renderDocument } from '../../src/report/text.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import type { Variant } from '../../src/studies/price/plan.ts';
import type { PriceRecord } from '../../src/studies/price/record.ts';
import { makePriceRecord } from '../studies/price/make-price-record.ts';
import { makeMachine } from '../support/make-record.ts';
import { plain, testGolden } from './look.ts';

/** What a variant costs beside the standard one, and by how much that differs from launch to launch. */
const COSTS: Record<Variant, [share: number, spread: number]> = {
  standard: [1, 0],
  sampled: [1.004, 0.001],
  alone: [1, 0.003],
  unpinned: [0.95, 0.002],
  unverified: [0.998, 0.01],
};

const USUAL = makePriceRecord((variant, launch) => {
  const [share, spread] = COSTS[variant];
  return 10 * (share + spread * (launch - 1));
});

function render(record: PriceRecord, width = 1000): string {
  return renderDocument(priceDocument(record, findPrices(record)), plain(width));
}

testGolden('price', (width) => render(USUAL, width));

const HARMLESS = makePriceRecord((_variant, launch) => 10 + launch);
const unpinnable = makePriceRecord(() => 10, makeMachine({ canPin: false }));

test.each<[string, PriceRecord, says: string, without: string]>([
  ['all is well', HARMLESS, 'Nothing that the harness does adds 1 % or more', "can't tell"],
  ['nothing was pinned', unpinnable, 'Pinning is left out', 'pins it'],
  ['it is not complete', { ...USUAL, state: 'interrupted' }, 'not complete', 'NaN'],
])('says where %s', (_, record, says, without) => {
  expect(render(record)).toContain(says);
  expect(render(record)).not.toContain(without);
});
