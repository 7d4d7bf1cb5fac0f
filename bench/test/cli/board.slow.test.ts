import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const FOLDER = join(FIXTURES, 'board');

test('`board` measures each path on processes of its own, and says where the time goes', async () => {
  const amounts = ['-c', '4', '-d', '0.8', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];
  const run = await overhead(
    place,
    ...['board', '--packages', FOLDER, '--topology', 'single,2', ...amounts, '--out', out],
  );
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'board' });
  const { plan, slices } = record;
  expect(plan.loads.map(({ id }) => id)).toEqual(['home-4', 'latest-4']);
  expect(plan.groups).toHaveLength(2);
  for (const { cell, measurement } of slices) {
    expect(measurement.window.ok).toBeGreaterThan(0);
    const { peak, memory, ledger } = measurement;
    expect(peak?.server).toBeGreaterThan(memory.server);
    // What is sent in a slice of the slow path is answered in it.
    if (cellOf(plan, cell).load === 'latest-4') expect(ledger).toMatchObject({ inFlight: 0 });
  }
  expect(run.stdout).toMatch(/^overhead board\n/);
  const [, opening = '', home = '', latest = ''] = run.stdout.split(
    /GET \/(?:home|latest) with 4 connections|Where the time goes/,
  );
  expect(rowOf(home, 'Elysia (home as a literal) /home (single)')).toMatch(/\d/);
  expect(rowOf(home, 'Fiber /home (2)')).toMatch(/\d/);
  expect(rowOf(latest, 'Fiber (as published) /latest (2)')).toMatch(/\d/);
  expect(opening).toMatch(/A request to \/latest takes Fiber \d/);
  expect(opening).toContain('What Fiber /latest costs more with each change');
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('`board` takes no load but its own', async () => {
  const run = await overhead(place, 'board', '--packages', FOLDER, '--rate', '500');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain("unknown option '--rate'");
});
