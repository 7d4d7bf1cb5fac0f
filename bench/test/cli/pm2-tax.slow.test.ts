import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

test('`cluster --pm2-tax` measures one process under every manager, beside plain node', async () => {
  const targets = ['--packages', FIXTURES, '--targets', 'ok'];
  const amounts = ['-d', '0.6', '--slice', '0.1', '--launches', '2', '--warmup', '0.1'];
  const run = await overhead(place, 'cluster', '--pm2-tax', ...targets, ...amounts, '--out', out);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.suite).toBe('pm2-tax');
  const topologies = ['1', 'cluster:1', 'fork', 'pmx:1', 'single'];
  expect(record.plan.cells.map(({ topology }) => topology).sort()).toEqual(topologies);
  for (const { id, topology } of record.plan.cells) {
    const slices = record.slices.filter(({ cell }) => cell === id);
    expect(slices).toHaveLength(6);
    for (const { measurement } of slices) {
      expect(measurement.window.ok).toBeGreaterThan(0);
      // A process manager has memory of its own, and plain node has no manager.
      if (topology === 'single') expect(measurement.memory.manager).toBe(0);
      else expect(measurement.memory.manager).toBeGreaterThan(5e6);
    }
  }
  expect(run.stdout).toMatch(/^overhead pm2-tax\n/);
  const managers = ['nothing: plain node', 'pm2 fork mode', 'pm2 cluster mode'];
  for (const manager of [...managers, 'pm2 cluster mode with pmx', 'node:cluster']) {
    expect(rowOf(run.stdout, manager)).toMatch(/\d/);
  }
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});
