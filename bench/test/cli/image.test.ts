import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

const IMAGE = ['image', '--packages', join(FIXTURES, 'image')];
const AMOUNTS = ['-c', '2', '-d', '0.4', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];

/** Of a picture, ms. */
const COSTS: Record<string, number> = { 'php-imagick': 10, 'go-nfnt': 20, 'go-vips': 4, sharp: 5 };

test('`image` measures the limit and two rates, with what was found out about the answers', async () => {
  const figures = { width: 160, bytes: 5000, psnr: 34 };
  const { code, stdout, record } = await simulateRun([...IMAGE, ...AMOUNTS], {
    server: (target) => {
      return { coldTimes: 1, cpuNs: 1e6 * (COSTS[target] ?? 8), figures };
    },
  });
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'image' });
  expectAnswers(record);
  const { plan, starts } = record;
  expect(plan.basis).toEqual({ kind: 'capacity', server: 'go-nfnt/single', perS: 50 });
  expect(plan.loads).toMatchObject([
    { id: 'limit', connections: 2 },
    { id: 'served', ratePerS: 30 },
    { id: 'overloaded', ratePerS: 100 },
  ]);
  for (const { judged } of starts)
    expect(judged.map((each) => each.figures)).toEqual([figures, figures]);
  expect(stdout).toMatch(/^overhead image\n/);
  expect(rowOf(stdout, 'Go, libvips (progressive)')).toMatch(/ 8\.00 ±0\.00 .* 5\.00 +34\.0 /);
  const [, published = ''] = stdout.split('Published beside measured');
  expect(rowOf(published, 'PHP over Go, production')).toMatch(
    / CPU +limit +3\.95 +2\.50 \[2\.50, 2\.50\] /,
  );
});

test('`image` takes no load but its own', async () => {
  const { code, stdout, stderr } = await command([...IMAGE, '--driver', 'k6']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain("unknown option '--driver'");
});
