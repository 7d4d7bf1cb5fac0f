import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson, saveJson } from '../../../src/base/json-file.ts';
import { priceRecordSchema } from '../../../src/studies/price/record.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makePriceRecord } from './make-price-record.ts';

test('a saved price record is read again as it was', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'price.json');
  const record = makePriceRecord((_variant, launch, round) => 10 + launch + round / 10);
  await saveJson(path, record);
  expect(readJson(path, [priceRecordSchema])).toEqual(record);
  expect(record.slices.length).toBeGreaterThan(0);
});
