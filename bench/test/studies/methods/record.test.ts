import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson, saveJson } from '../../../src/base/json-file.ts';
import { type RunRecord, recordSchema } from '../../../src/record/record.ts';
import { type MethodsRecord, methodsRecordSchema } from '../../../src/studies/methods/record.ts';
import { makeRecord } from '../../support/make-record.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

const RECORD = makeMethodsRecord(2, (_method, repeat) => {
  const cpu = { expressToFastify: 1.7, fastifyTwins: 1.02, expressTwins: 0.98 };
  const throughput = { expressToFastify: 0.6, fastifyTwins: 1.01, expressTwins: 0.99 };
  return { wallS: 75 + repeat, ratios: { cpu, throughput } };
});

test('a saved record is read again as it was, whatever else it might have been', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'methods.json');
  await saveJson(path, RECORD);
  expect(RECORD.measurements).toHaveLength(4);
  const schemas = [recordSchema, methodsRecordSchema];
  expect(readJson<RunRecord | MethodsRecord>(path, schemas)).toEqual(RECORD);
});

test.each([
  ['of another kind', JSON.stringify(makeRecord({}, () => null)), 'is not a record of overhead'],
  [
    'with a ratio that is none',
    JSON.stringify(RECORD).replace('1.01', '0'),
    'is damaged: measurements.0.ratios.throughput.fastifyTwins',
  ],
])('a record %s is refused', (_, text, message) => {
  using folder = temporaryFolder();
  const path = folder.write('methods.json', text);
  expect(() => readJson(path, [methodsRecordSchema])).toThrow(message);
});
