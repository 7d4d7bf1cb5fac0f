import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson, saveJson } from '../../src/base/json-file.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { type MethodsRecord, methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { type PriceRecord, priceRecordSchema } from '../../src/studies/price/record.ts';
import { makeRecord } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeMethodsRecord } from './methods/make-methods-record.ts';
import { makePriceRecord } from './price/make-price-record.ts';

const METHODS = makeMethodsRecord(2, (_method, repeat) => {
  const cpu = { expressToFastify: 1.7, fastifyTwins: 1.02, expressTwins: 0.98 };
  const throughput = { expressToFastify: 0.6, fastifyTwins: 1.01, expressTwins: 0.99 };
  return { wallS: 75 + repeat, ratios: { cpu, throughput } };
});
const PRICES = makePriceRecord((_variant, launch, round) => 10 + launch + round / 10);

test('saved records of methods and prices are read again as they were', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'record.json');
  for (const record of [METHODS, PRICES]) {
    await saveJson(path, record);
    const schemas = [recordSchema, methodsRecordSchema, priceRecordSchema];
    expect(readJson<RunRecord | MethodsRecord | PriceRecord>(path, schemas)).toEqual(record);
  }
});

test.each([
  ['of another kind', JSON.stringify(makeRecord({}, () => null)), 'is not a record of overhead'],
  [
    'with a ratio that is none',
    JSON.stringify(METHODS).replace('1.01', '0'),
    'is damaged: measurements.0.ratios.throughput.fastifyTwins',
  ],
])('a record %s is refused', (_, text, message) => {
  using folder = temporaryFolder();
  const path = folder.write('methods.json', text);
  expect(() => readJson(path, [methodsRecordSchema])).toThrow(message);
});
