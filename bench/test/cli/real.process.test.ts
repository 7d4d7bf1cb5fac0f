/** The real program on this machine, once for each way of measuring; what options do is tested in process. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { measured, on, overhead, rowOf } from './harness.ts';

const place = ownPlace();
/** Two launches with one round, as short as a busy machine has an answer in. */
const BRIEF = ['-d', '0.2', '--slice', '0.1', '--launches', '2', '--warmup', '0.1'];
/** Enough for a few dozen samples of V8. */
const LONGER = ['-d', '0.4', '--slice', '0.2'];

// A whole run takes half a minute where the machine is slow, and another file's processes run beside it.
vi.setConfig({ testTimeout: 90_000 });

test('`frameworks` measures real servers', async () => {
  const args = [...on(['ok', 'ok-too'], 'single'), '-c', '10', ...BRIEF];
  const { record, stdout } = await measured(place, 'frameworks', ...args);
  expect(record.plan.loads.map(({ id }) => id)).toEqual(['custom', 'cost', 'low']);
  expect(record.harnessPeakBytes).toBeGreaterThan(1e7);
  for (const label of ['Fine', 'Fine too']) expect(rowOf(stdout, label)).toMatch(/\d/);
});

test('`cluster` measures a real cluster, with loads from a real pilot', async () => {
  const amounts = ['-c', '50', '-d', '0.3', '--launches', '1', '--warmup', '0.1'];
  const { record, stdout } = await measured(
    place,
    'cluster',
    ...on(['ok'], 'single,2'),
    ...amounts,
  );
  const { pilot, loads } = record.plan;
  expect(pilot).toMatchObject({ kind: 'service', server: 'ok/single' });
  expect(loads.map(({ id }) => id)).toEqual(['feasible', 'alone', 'overload']);
  for (const heading of [/^Feasible .*$/m, /^Overload.*$/m]) {
    const [, table = ''] = stdout.split(heading);
    for (const topology of ['single', '2']) expect(rowOf(table, topology)).toMatch(/\d/);
  }
});

test('`run` measures a command beside a floor', async () => {
  const words = ['--', 'node', join(FIXTURES, 'odd.mjs'), 'plain'];
  const args = ['--name', 'mine', '-c', '10', '-p', '1', ...BRIEF];
  const { record, stdout, stderr } = await measured(place, 'run', ...args, ...words);
  expect(stderr).toContain('mine answers: 200, text/plain, 12 bytes, always the same');
  expect(record.targets.map(({ label }) => label)).toEqual(['node:http', 'mine']);
  for (const label of ['node:http', 'mine']) expect(rowOf(stdout, label)).toMatch(/\d/);
});

test('`ab` measures a command beside itself, and the first twice', async () => {
  const words = `node '${join(FIXTURES, 'odd.mjs')}' plain`;
  const args = ['-c', '10', '-p', '1', '-d', '0.2', '--slice', '0.1', '--warmup', '0.1'];
  const sides = [words, words, '--name', 'old', '--name', 'new', '--max-time', '1'];
  const { record, stdout } = await measured(place, 'ab', ...sides, ...args);
  expect(record.targets.map(({ label }) => label)).toEqual(['old', 'old again', 'new']);
  expect(stdout).toMatch(/^GET \/ +\d.*can't tell/m);
});

test.runIf(CAN_PROFILE)('`where` samples real servers', async () => {
  const args = ['--packages', FIXTURES, '--targets', 'ok,ok-too', ...BRIEF, ...LONGER];
  const { record, stdout } = await measured(place, 'where', ...args);
  expect(record.profiles).toHaveLength(4);
  for (const { functions, samples } of record.profiles) {
    expect(samples).toBeGreaterThan(0);
    expect(functions.map(({ owner }) => owner.kind)).toContain('node');
  }
  for (const label of ['Fine', 'Fine too']) expect(rowOf(stdout, label)).toMatch(/\d/);
});

test('the program says what it can do', async () => {
  const help = await overhead(place, '--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('Usage: pnpm bench ');
});
