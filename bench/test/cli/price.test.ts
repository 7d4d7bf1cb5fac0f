import { expect, test } from 'vitest';
import { readJson } from '../../src/base/json-file.ts';
import type { Arrangement } from '../../src/plan/plan.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import type { Surroundings } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateSaved } from '../support/simulated-run.ts';

const price = (args: string[], world: World = {}, onSaid?: Surroundings['onSaid']) => {
  const seeded = ['price', '--seed', '3', ...args];
  return simulateSaved(seeded, (path) => readJson(path, [priceRecordSchema]), world, onSaid);
};

/** Servers that have settled, where one arrangement makes a request so much dearer. */
function where(kind: Arrangement, times: number): World {
  const arrangement = (each: Arrangement) => (each === kind ? times : 1);
  return { server: () => ({ coldTimes: 1 }), arrangement };
}

test('`price --quick` measures every variant, saves a record and prints it', async () => {
  const { code, stdout, stderr, record } = await price(['--quick'], where('sampled', 1.005));
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', seed: 3, launches: 2, neighbours: 10 });
  expect(record.variants).toHaveLength(5);
  expect(new Set(record.slices.map(({ variant }) => variant))).toEqual(new Set(record.variants));
  expect(record.slices).toHaveLength(record.launches * record.rounds * 5);
  expect(stdout).toMatch(/^overhead price\n/);
  expect(stdout).toMatch(/^reads its CPU and memory 10 times a second +1\.0050 .* below 1 %$/m);
  expect(stderr).toContain('Saved as ');
});

test.each<[string, Arrangement, number, string]>([
  ['reads', 'sampled', 1.05, 'reads its CPU and memory 10 times a second'],
  ['neighbours', 'alone', 1 / 1.05, 'keeps other servers alive beside it'],
  ['pins', 'unpinned', 1 / 1.05, 'pins it to cores of its own'],
])('`price` ends with 1 where what it %s is dear', async (_, kind, times, row) => {
  const { code, stdout } = await price(['--quick'], where(kind, times));
  expect(code).toBe(1);
  expect(stdout.split('\n').find((line) => line.startsWith(row))).toMatch(/ 1\.0500 .* above 1 %$/);
});

test('`price` that is interrupted prints and saves what it has, for `report` to print again', async () => {
  const { code, stdout, stderr, record } = await price([], {}, (said, send) => {
    if (/launch 1 of .*\n$/.test(said)) send('SIGINT');
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Saved as ');
  expect(stdout).toMatch(/^overhead price\n/);
  expect(stdout).toContain("can't tell");
  expect(record).toMatchObject({ state: 'interrupted', seed: 3, slices: [] });
});

test('`price` whose server dies in the middle says so and ends with 1', async () => {
  const { code, stdout, stderr, record } = await price(['--quick'], {
    server: (target, _, launch) => {
      return target === 'twin-a' && launch === 1 ? { diesAfterRequests: 80_000 } : {};
    },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('error: twin-a/single failed: one of its processes died under load');
  expect(stderr).toContain('simulated: giving up');
  expect(stderr).not.toMatch(/^ +at /m);
  expect(stdout).toMatch(/^overhead price\n/);
  expect(record.slices.length).toBeGreaterThan(0);
});
