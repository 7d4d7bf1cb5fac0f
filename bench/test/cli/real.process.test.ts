/** The real program on this machine, once for each way of measuring; what options do is tested in process. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { harnessPlace, on, rowOf, SHORT } from './harness.ts';

const place = harnessPlace();

// A whole run takes half a minute where the machine is slow, and another file's processes run beside it.
vi.setConfig({ testTimeout: 90_000 });

test('`frameworks` measures real servers', async () => {
  const args = [...on(['ok', 'ok-too'], 'single'), ...SHORT];
  const { record, stdout } = await place.measured(['frameworks', ...args]);
  expect(record.plan.loads.map(({ id }) => id)).toEqual(['custom', 'cost', 'low']);
  expect(record.harnessPeakBytes).toBeGreaterThan(1e7);
  for (const label of ['Fine', 'Fine too']) expect(rowOf(stdout, label)).toMatch(/\d/);
});

test('`cluster` measures a real cluster, with loads from a real pilot', async () => {
  const amounts = ['-c', '50', '-d', '0.3', '--launches', '1', '--warmup', '0.1'];
  const args = [...on(['ok'], 'single,2'), ...amounts];
  const { record, stdout } = await place.measured(['cluster', ...args]);
  const { pilot, loads } = record.plan;
  expect(pilot).toMatchObject({ kind: 'service', server: 'ok/single' });
  expect(loads.map(({ id }) => id)).toEqual(['feasible', 'alone', 'overload']);
  // The manager of a cluster has memory of its own.
  for (const { cell, measurement } of record.slices) {
    const { workersCpuNs, memory } = measurement;
    const isCluster = cell.startsWith('ok/2/');
    expect(workersCpuNs, cell).toHaveLength(isCluster ? 2 : 1);
    if (isCluster) expect(memory.manager, cell).toBeGreaterThan(5e6);
    else expect(memory.manager, cell).toBe(0);
  }
  for (const heading of [/^Feasible .*$/m, /^Overload.*$/m]) {
    const [, table = ''] = stdout.split(heading);
    for (const topology of ['single', '2']) expect(rowOf(table, topology)).toMatch(/\d/);
  }
});

test('`ab` measures a command beside itself, and the first twice', async () => {
  const words = `node '${join(FIXTURES, 'odd.mjs')}' plain`;
  const args = ['-c', '10', '-p', '1', '-d', '0.2', '--slice', '0.1', '--warmup', '0.1'];
  const sides = [words, words, '--name', 'old', '--name', 'new', '--max-time', '1'];
  const { record, stdout } = await place.measured(['ab', ...sides, ...args]);
  expect(record.targets.map(({ label }) => label)).toEqual(['old', 'old again', 'new']);
  expect(stdout).toMatch(/^GET \/ +\d.*can't tell/m);
});
