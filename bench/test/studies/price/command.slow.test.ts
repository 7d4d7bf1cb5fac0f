import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson } from '../../../src/base/json-file.ts';
import { PRICE_RECORDS, priceRecordSchema } from '../../../src/studies/price/record.ts';
import { type Harness, overhead, start } from '../../cli/harness.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { eventually } from '../../support/processes.ts';

const place = ownPlace();
const out = join(place.folder, 'price.json');

/** Servers with the whole command line of a twin: which one, nobody can tell. */
const servers = () => place.processes().filter(({ port }) => port !== null);

/** Waits until the run has put a load on some server. */
async function untilMeasured(harness: Harness): Promise<void> {
  await harness.untilSays('launch 2 of ');
  if (await eventually(() => servers().length > 2, 30_000)) return;
  throw new Error('no server was started');
}

test('`price --quick` measures every variant, saves a record and prints it', async () => {
  const run = await overhead(place, 'price', '--quick', '--seed', '3', '--out', out);
  // 1 where slices this short are so certain that something is dear.
  expect(run.code, run.stderr).toBeOneOf([0, 1]);
  const record = readJson(out, [PRICE_RECORDS]);
  expect(record).toMatchObject({ state: 'complete', seed: 3, launches: 2 });
  expect(new Set(record.slices.map(({ variant }) => variant))).toEqual(new Set(record.variants));
  const planned = record.launches * record.rounds * record.variants.length;
  expect(record.slices).toHaveLength(planned);
  expect(run.stdout).toMatch(/^overhead price\n/);
  expect(run.stderr).toContain('Saved as ');

  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
  const json = await overhead(place, 'report', out, '--json');
  expect(priceRecordSchema.parse(JSON.parse(json.stdout))).toEqual(record);
});

test('`price` that is interrupted prints and saves what it has, for `report` to print again', async () => {
  const harness = start(place, ['price', '--seed', '3', '--out', out]);
  await harness.untilSays('launch 1 of ');
  harness.signal('SIGINT');
  const run = await harness.finished;
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Saved as ');
  expect(run.stdout).toMatch(/^overhead price\n/);
  expect(run.stdout).toContain("can't tell");
  const record = readJson(out, [PRICE_RECORDS]);
  expect(record).toMatchObject({ state: 'interrupted', seed: 3 });
  expect(record.slices.length).toBeLessThan(record.variants.length);

  const again = await overhead(place, 'report', out);
  expect(again).toEqual({ code: 0, stdout: run.stdout, stderr: '' });
});

test('`price` whose server is killed in the middle says so and ends with 1', async () => {
  const harness = start(place, ['price', '--quick', '--out', out]);
  await untilMeasured(harness);
  // Twins and neighbours are one program; whichever dies, the twins among them end the run.
  for (const { pid } of servers()) process.kill(pid, 'SIGKILL');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/error: .*(?:failed|ended)/);
  expect(run.stderr).not.toMatch(/^ +at /m);
  expect(run.stdout).toMatch(/^overhead price\n/);
  expect(readJson(out, [PRICE_RECORDS]).slices.length).toBeGreaterThan(0);
});
