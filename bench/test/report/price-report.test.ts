import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { priceDocument } from '../../src/report/price-report.ts';
import { renderDocument } from '../../src/report/terminal/render.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import type { Variant } from '../../src/studies/price/plan.ts';
import type { PriceRecord } from '../../src/studies/price/record.ts';
import { makePriceRecord } from '../studies/price/make-price-record.ts';
import { makeMachine } from '../support/make-record.ts';
import { plain } from './look.ts';

/** What a variant costs beside the standard one, and by how much that differs from launch to launch. */
const COSTS: Record<Variant, { share: number; spread: number }> = {
  standard: { share: 1, spread: 0 },
  sampled: { share: 1.004, spread: 0.001 },
  alone: { share: 1, spread: 0.003 },
  unpinned: { share: 0.95, spread: 0.002 },
  unverified: { share: 0.998, spread: 0.01 },
};

function costOf(variant: Variant, launch: number): number {
  const { share, spread } = COSTS[variant];
  return 10 * (share + spread * (launch - 1));
}

function render(record: PriceRecord, width: number): string {
  return renderDocument(priceDocument(record, findPrices(record)), plain(width));
}

describe('the report of a price run', () => {
  test.each([80, 160])('at %d columns is as shown', async (width) => {
    const golden = join(import.meta.dirname, 'golden', `price-${width}.txt`);
    await expect(render(makePriceRecord(costOf), width)).toMatchFileSnapshot(golden);
  });

  test('says in one sentence that all is well where it is', () => {
    const report = render(
      makePriceRecord((_variant, launch) => 10 + launch),
      1000,
    );
    expect(report).toContain('Nothing that the harness does adds 1 % or more');
    expect(report).not.toContain("can't tell");
  });

  test('says what is left out and why', () => {
    const machine = makeMachine({ canPin: false });
    const report = render(
      makePriceRecord(() => 10, { machine }),
      1000,
    );
    expect(report).toContain('Pinning is left out');
    expect(report).not.toContain('pins it');
  });

  test('says that a run is not complete', () => {
    const record = makePriceRecord(costOf);
    expect(render({ ...record, state: 'interrupted' }, 1000)).toContain('not complete');
    expect(render(record, 1000)).not.toContain('not complete');
  });
});
