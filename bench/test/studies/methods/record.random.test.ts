import { expect } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { recordIn } from '../../../src/base/json-file.ts';
import { methodsDocument } from '../../../src/report/methods-report.ts';
import { renderPlain } from '../../../src/report/plain.ts';
import { compareMethods } from '../../../src/studies/methods/findings.ts';
import { methodsRecordSchema } from '../../../src/studies/methods/record.ts';
import { mutated, property, unless } from '../../support/random.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

const RECORD = makeMethodsRecord(3, (_method, repeat) => {
  const ratios = { expressToFastify: 2 + repeat / 10, fastifyTwins: 1, expressTwins: 1.01 };
  return { wallS: 75, ratios: { cpu: ratios, throughput: ratios } };
});

property(
  'a changed record of methods is reported as what it says, or refused',
  mutated(RECORD),
  (content) => {
    const record = unless(UserError, () =>
      recordIn('methods.json', content, [methodsRecordSchema]),
    );
    if (record === undefined) return;
    expect(methodsRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    const shown = renderPlain(methodsDocument(record, compareMethods(record)));
    expect(shown).not.toMatch(/NaN|Infinity|∞|undefined/);
  },
);
