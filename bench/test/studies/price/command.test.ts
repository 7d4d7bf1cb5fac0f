import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson } from '../../../src/base/json-file.ts';
import { priceRecordSchema } from '../../../src/studies/price/record.ts';
import { overhead, start } from '../../cli/harness.ts';
import { ownPlace } from '../../support/leftovers.ts';

const place = ownPlace();
const out = join(place.folder, 'price.json');

test('`price` that is interrupted prints and saves what it has, for `report` to print again', async () => {
  const harness = start(place, ['price', '--seed', '3', '--out', out]);
  await harness.untilSays('launch 1 of ');
  harness.signal('SIGINT');
  const run = await harness.finished;
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Saved as ');
  expect(run.stdout).toMatch(/^overhead price\n/);
  expect(run.stdout).toContain("can't tell");
  const record = readJson(out, [priceRecordSchema]);
  expect(record).toMatchObject({ state: 'interrupted', seed: 3 });
  expect(record.slices.length).toBeLessThan(record.variants.length);

  const again = await overhead(place, 'report', out);
  expect(again).toEqual({ code: 0, stdout: run.stdout, stderr: '' });
  const json = await overhead(place, 'report', out, '--json');
  expect(priceRecordSchema.parse(JSON.parse(json.stdout))).toEqual(record);
});
