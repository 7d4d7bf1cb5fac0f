import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { on, overhead, promisedBy, recordIn, rowOf, start } from './harness.ts';

const place = ownPlace();
/** One launch, of an overload as short as can be: the rest follows from the service time. */
const SHORT = ['-c', '50', '-d', '0.3', '--launches', '1', '--warmup', '0.1'];
const PILOT = 'a pilot, which the loads are derived from';

test('`cluster` derives its loads from a pilot, and prints every table', async () => {
  const out = join(place.folder, 'record.json');
  const targets = ['--packages', FIXTURES, '--topology', 'single,2'];
  const run = await overhead(place, 'cluster', ...targets, ...SHORT, '--out', out);
  const record = recordIn(out);
  expect(run.code).toBe(promisedBy(run.stdout));
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.targets.map(({ name }) => name)).toEqual(['slow-answers']);

  // It works for 20 ms, however long others keep it from the CPU.
  const { basis, loads } = record.plan;
  expect(basis).toMatchObject({ kind: 'service', server: 'slow-answers/single' });
  if (basis.kind !== 'service') throw new Error('there is no service time');
  expect(basis.serviceNs).toBeGreaterThan(19.9e6);
  expect(loads.map(({ id }) => id)).toEqual(['feasible', 'alone', 'overload']);
  expect(record.slices.map(({ cell, round }) => `${cell} ${round}`).sort()).toEqual([
    'slow-answers/2/feasible 0',
    'slow-answers/2/feasible 1',
    'slow-answers/2/overload 0',
    'slow-answers/single/alone 0',
    'slow-answers/single/alone 1',
    'slow-answers/single/feasible 0',
    'slow-answers/single/feasible 1',
    'slow-answers/single/overload 0',
  ]);
  for (const { cell, measurement } of record.slices) {
    const { sent, inFlight, ...fates } = measurement.ledger;
    const ended = Object.values(fates).reduce((sum, count) => sum + count, 0);
    expect(`${cell}: ${ended + inFlight}`).toBe(`${cell}: ${sent}`);
    if (!cell.endsWith('overload')) expect(measurement.window.ok).toBeGreaterThan(0);
  }

  expect(run.stderr.split(PILOT)).toHaveLength(2);
  expect(run.stdout).toContain('overhead cluster');
  for (const heading of [/^Feasible .*$/m, /^Overload.*$/m]) {
    const [, table = ''] = run.stdout.split(heading);
    for (const topology of ['single', '2']) expect(rowOf(table, topology)).toMatch(/\d/);
  }
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('a pilot without an answer says why and ends with 2, before anything is saved', async () => {
  const out = join(place.folder, 'none.json');
  const targets = on(['crash-at-once', 'wrong-body'], 'single,2');
  const run = await overhead(place, 'cluster', ...targets, ...SHORT, '--out', out);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(PILOT);
  expect(run.stderr).toContain('crash-at-once/single failed: ');
  for (const label of ['Crashes at once', 'Wrong body']) {
    expect(run.stdout).toContain(`\n${label} (single) failed at `);
  }
  expect(run.stdout).toContain('\n  no licence file: giving up');
  expect(existsSync(out)).toBe(false);
});

test('Ctrl-C during the pilot ends the run, which has measured nothing', async () => {
  const out = join(place.folder, 'ended.json');
  const options = ['--warmup', '6', '--out', out];
  const harness = start(place, [
    'cluster',
    ...on(['slow-answers'], 'single'),
    ...SHORT,
    ...options,
  ]);
  await harness.untilSays('launch 1 of 1');
  harness.signal('SIGINT');
  const run = await harness.finished;
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Ending after this slice');
  expect(run.stderr.split('launch 1 of 1')).toHaveLength(2);
  expect(existsSync(out)).toBe(false);
});
