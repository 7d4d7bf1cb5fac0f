import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson } from '../../src/base/json-file.ts';
import { METHODS_RECORDS } from '../../src/studies/methods/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'methods.json');
const TINY = ['--seconds', '8', '--seed', '7', '--out', out];

test('`methods` measures the twins by both methods, saves a record and prints it', async () => {
  const run = await overhead(place, 'methods', '--repeats', '1', ...TINY);
  expect(run).toMatchObject({ code: 0 });
  const { seed, measurements } = readJson(out, [METHODS_RECORDS]);
  expect(seed).toBe(7);
  expect(measurements.map(({ method }) => method)).toEqual(['classic', 'sliced']);
  for (const { wallNs } of measurements) expect(wallNs).toBeGreaterThan(2e9);
  expect(run.stdout).toContain('Express : Fastify');
  expect(run.stderr).toContain('sliced, 1 of 1');
  expect(run.stderr).toContain('Saved as ');
  expect(await overhead(place, 'report', out)).toEqual({ code: 0, stdout: run.stdout, stderr: '' });
});

test('Ctrl-C ends `methods` after the current slice, with what was measured so far', async () => {
  const harness = start(place, ['methods', '--repeats', '2', ...TINY]);
  await harness.untilSays('sliced, 1 of 2');
  harness.signal('SIGINT');
  const run = await harness.finished;
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Ending after this slice');
  const { measurements } = readJson(out, [METHODS_RECORDS]);
  expect(measurements.map(({ method }) => method)).toEqual(['classic']);
  expect(run.stdout).toContain('not complete');
});
