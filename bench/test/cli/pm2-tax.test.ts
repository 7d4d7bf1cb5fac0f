import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

/** Of a request under each manager, µs. */
const COSTS: Record<string, number> = {
  single: 20,
  fork: 21,
  '1': 30,
  'pmx:1': 40,
  'cluster:1': 25,
  'reuse-port:1': 22,
  'threads:1': 23,
};

test('`cluster --pm2-tax` measures one process under every manager, and what there is instead, beside plain node', async () => {
  const targets = ['--packages', FIXTURES, '--targets', 'ok'];
  const amounts = ['-d', '0.6', '--slice', '0.1', '--launches', '2', '--warmup', '0.1'];
  const args = ['cluster', '--pm2-tax', ...targets, ...amounts];
  const { code, stdout, record } = await simulateRun(args, {
    server: (_, topology) => ({ coldTimes: 1, cpuNs: 1000 * (COSTS[topology] ?? Number.NaN) }),
  });
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'pm2-tax' });
  const topologies = ['1', 'cluster:1', 'fork', 'pmx:1', 'reuse-port:1', 'single', 'threads:1'];
  expect(record.plan.cells.map(({ topology }) => topology).sort()).toEqual(topologies);
  expect(record.slices).toHaveLength(7 * 2);
  expectAnswers(record);
  expect(stdout).toMatch(/^overhead pm2-tax\n/);
  // A process manager has memory of its own, and plain node has no manager.
  expect(rowOf(stdout, 'nothing: plain node')).toMatch(/20\.00 ±0\.00 .* 80\.0 +– /);
  for (const [manager, more] of [
    ['pm2 fork mode', 1],
    ['pm2 cluster mode', 10],
    ['pm2 cluster mode with pmx', 20],
    ['node:cluster', 5],
  ] as const) {
    expect(rowOf(stdout, manager)).toMatch(
      new RegExp(` \\+${more}\\.00 ±0\\.00 .* 80\\.0 +60\\.0 `),
    );
  }
  for (const [instead, more] of [
    ['nothing, with SO_REUSEPORT', 2],
    ['its own worker thread', 3],
  ] as const) {
    expect(rowOf(stdout, instead)).toMatch(new RegExp(` \\+${more}\\.00 ±0\\.00 .* 80\\.0 +– `));
  }
});
