import { expect } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { recordIn } from '../../../src/base/json-file.ts';
import { renderPlain } from '../../../src/report/plain.ts';
import { priceDocument } from '../../../src/report/price-report.ts';
import { findPrices } from '../../../src/studies/price/findings.ts';
import { priceRecordSchema } from '../../../src/studies/price/record.ts';
import { mutated, property, unless } from '../../support/random.ts';
import { makePriceRecord } from './make-price-record.ts';

const RECORD = makePriceRecord((_variant, launch, round) => 10 + 0.1 * launch + 0.01 * round);

property(
  'a changed record of prices is reported as what it says, or refused',
  mutated(RECORD),
  (content) => {
    const record = unless(UserError, () => recordIn('price.json', content, [priceRecordSchema]));
    if (record === undefined) return;
    expect(priceRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    const shown = renderPlain(priceDocument(record, findPrices(record)));
    expect(shown).not.toMatch(/NaN|Infinity|∞|undefined/);
  },
);
