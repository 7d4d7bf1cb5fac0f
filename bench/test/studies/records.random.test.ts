import { expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { recordIn } from '../../src/base/files.ts';
import type { Document } from '../../src/report/document.ts';
import { methodsDocument, priceDocument } from '../../src/report/study-reports.ts';
import { renderPlain } from '../../src/report/text.ts';
import { compareMethods } from '../../src/studies/methods/findings.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import { expectSavable, mutated, property, unless } from '../support/random.ts';
import { makeMethodsRecord } from './methods/make-methods-record.ts';
import { makePriceRecord } from './price/make-price-record.ts';

/** Whether any change of a record is seen in its report, or refused. */
function reportsOrRefuses<T>(
  what: string,
  sound: T,
  schema: Parameters<typeof recordIn<T>>[2][number],
  of: (record: T) => Document,
) {
  property(
    `a changed record of ${what} is reported as what it says, or refused`,
    mutated(sound),
    (content) => {
      const record = unless(UserError, () => recordIn(`${what}.json`, content, [schema]));
      if (record === undefined) return;
      expectSavable(schema, record);
      expect(renderPlain(of(record))).not.toMatch(/NaN|Infinity|∞|undefined/);
    },
  );
}

const METHODS = makeMethodsRecord(3, (_method, repeat) => {
  const ratios = { expressToFastify: 2 + repeat / 10, fastifyTwins: 1, expressTwins: 1.01 };
  return { wallS: 75, ratios: { cpu: ratios, throughput: ratios } };
});
reportsOrRefuses('methods', METHODS, methodsRecordSchema, (record) => {
  return methodsDocument(record, compareMethods(record));
});

const PRICES = makePriceRecord((_variant, launch, round) => 10 + 0.1 * launch + 0.01 * round);
reportsOrRefuses('prices', PRICES, priceRecordSchema, (record) => {
  return priceDocument(record, findPrices(record));
});
