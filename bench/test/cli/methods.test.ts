import { expect, test } from 'vitest';
import { readJson } from '../../src/base/json-file.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import type { Surroundings } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateSaved } from '../support/simulated-run.ts';

const TINY = ['--seconds', '8', '--seed', '7'];
const WORLD: World = {
  server: (target) => ({ coldTimes: 1, cpuNs: target.startsWith('express') ? 30_000 : 20_000 }),
};

const methods = (repeats: number, onSaid?: Surroundings['onSaid']) => {
  const args = ['methods', '--repeats', String(repeats), ...TINY];
  return simulateSaved(args, (path) => readJson(path, [methodsRecordSchema]), WORLD, onSaid);
};

test('`methods` measures the twins by both methods, saves a record and prints it', async () => {
  const { code, stdout, stderr, record } = await methods(1);
  expect(code).toBe(0);
  const { seed, measurements } = record;
  expect(seed).toBe(7);
  expect(measurements.map(({ method }) => method)).toEqual(['classic', 'sliced']);
  for (const { wallNs, ratios } of measurements) {
    // Each fills about the time that it was given.
    expect(Math.abs(wallNs / 8e9 - 1)).toBeLessThan(0.3);
    expect(ratios.cpu).toEqual({ expressToFastify: 1.5, fastifyTwins: 1, expressTwins: 1 });
  }
  expect(stdout).toMatch(/^Express : Fastify +classic +1 +1\.500 +1\.500 +– +•$/m);
  expect(stderr).toContain('sliced, 1 of 1');
  expect(stderr).toContain('Saved as ');
});

test('Ctrl-C ends `methods` after the current slice, with what was measured so far', async () => {
  const { code, stdout, stderr, record } = await methods(2, (said, send) => {
    if (said.endsWith('sliced, 1 of 2\n')) send('SIGINT');
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Ending after this slice');
  expect(record.measurements.map(({ method }) => method)).toEqual(['classic']);
  expect(stdout).toContain('not complete');
});
