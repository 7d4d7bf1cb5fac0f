import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const FOLDER = join(FIXTURES, 'image');

test('`image` measures the limit and two rates, with what was found out about the answers', async () => {
  const amounts = ['-c', '2', '-d', '0.4', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];
  const run = await overhead(place, 'image', '--packages', FOLDER, ...amounts, '--out', out);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'image' });
  const { plan, starts } = record;
  expect(plan.basis).toMatchObject({ kind: 'capacity' });
  expect(plan.loads.map(({ id }) => id)).toEqual(['limit', 'served', 'overloaded']);
  for (const { judged } of starts) {
    expect(judged.map(({ figures }) => figures.width)).toEqual([160, 640]);
  }
  expect(run.stdout).toMatch(/^overhead image\n/);
  expect(rowOf(run.stdout, 'Go, libvips (progressive)')).toMatch(/34\.0/);
  expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('PHP, ImageMagick over Go, libvips');
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('`image` takes no load but its own', async () => {
  const run = await overhead(place, 'image', '--packages', FOLDER, '--rate', '5');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain("unknown option '--rate'");
});
