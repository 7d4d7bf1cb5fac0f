import { expect, test } from 'vitest';
import { readJson } from '../../src/base/json-file.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { makeRecord } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeMethodsRecord } from './methods/make-methods-record.ts';

const METHODS = makeMethodsRecord(2, (_method, repeat) => {
  const ratios = { expressToFastify: 0.6, fastifyTwins: 1.01, expressTwins: 0.99 };
  return { wallS: 75 + repeat, ratios: { cpu: null, throughput: ratios } };
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
