import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace } from '../support/leftovers.ts';
import {
  CLI,
  on,
  overhead,
  recordIn,
  rowOf,
  serversOf,
  start,
  startCommand,
  TINY,
  TINY_UNBROKEN,
} from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

test('servers that fail are marked with their last words, the others are measured', async () => {
  const bad = ['crash-at-once', 'crash-under-load', 'wrong-body', 'wrong-status'];
  const options = [...on(['ok', ...bad], 'single'), ...TINY, '--out', out];
  const run = await overhead(place, 'frameworks', ...options);
  expect(run.code).toBe(1);
  const { failures, slices, state, plan } = recordIn(out);
  expect(state).toBe('complete');
  // Each once: a server that failed is not started again.
  const told = failures.map(({ server, when, died }) => `${server} at ${when}, died: ${died}`);
  expect(told.sort()).toEqual([
    'crash-at-once/single at start, died: true',
    expect.stringMatching(/^crash-under-load\/single at (warm-up|slice), died: true$/),
    'wrong-body/single at verify, died: false',
    'wrong-status/single at verify, died: false',
  ]);
  const compared = new Set(plan.cells.map(({ id }) => id));
  const measured = slices.map(({ cell }) => cell).filter((cell) => compared.has(cell));
  expect(new Set(measured)).toEqual(new Set(['ok/single/custom', 'ok/single/cost']));
  expect(measured).toHaveLength(12);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  for (const label of ['Crashes at once', 'Crashes under load', 'Wrong body', 'Wrong status']) {
    expect(rowOf(run.stdout, label)).toContain('failed');
  }
  expect(run.stdout).toContain('  no licence file: giving up');
  expect(run.stdout).toContain('  the pool is empty: giving up');
  expect(run.stdout).toContain('"Goodbye World!" instead of "Hello World!"');
  expect(run.stdout).toContain('status 503 instead of 200');
  expect(run.stderr).toContain('crash-under-load/single failed: ');
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
});

test('wrong answers under load are counted, and make a cell invalid', async () => {
  const options = [...on(['ok', 'wrong-under-load'], 'single'), ...TINY, '--out', out];
  const run = await overhead(place, 'frameworks', ...options);
  const { failures, slices, state } = recordIn(out);
  expect({ failures, state }).toEqual({ failures: [], state: 'complete' });
  const wrong = slices.filter(({ cell }) => cell.startsWith('wrong-under-load/'));
  expect(wrong).toHaveLength(12);
  // From some request on each answer is wrong: at the latest in the last slice of each launch.
  for (const launch of [0, 1]) {
    const last = wrong.findLast((slice) => slice.launch === launch)?.measurement;
    expect(last?.window).toMatchObject({ ok: 0, wrongBody: 0 });
    expect(last?.window.wrongStatus).toBeGreaterThan(0);
  }
  for (const { cell, measurement } of slices.filter((slice) => !wrong.includes(slice))) {
    expect({ cell, wrong: measurement.ledger.wrongStatus }).toEqual({ cell, wrong: 0 });
  }
  expect(run.code).toBe(1);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/Fine +1 /);
  expect(rowOf(run.stdout, 'Wrong under load')).toMatch(/Wrong under load +– /);
  expect(run.stdout).toContain('BAD_RESPONSE (invalid)');
  expect(await overhead(place, 'report', out)).toMatchObject({ code: 1, stdout: run.stdout });
});

test('a run in which every server fails has measured nothing: it ends with 2 and says why', async () => {
  const options = [...on(['crash-at-once'], 'single,1'), ...TINY, '--out', out];
  const run = await overhead(place, 'frameworks', ...options);
  expect(run.code).toBe(2);
  const { failures, slices, state } = recordIn(out);
  expect({ slices, state }).toEqual({ slices: [], state: 'complete' });
  expect(failures.map(({ server }) => server)).toEqual(['crash-at-once/single', 'crash-at-once/1']);
  expect(rowOf(run.stdout, 'Crashes at once')).toContain('failed');
  expect(run.stdout.split('  no licence file: giving up').length).toBeGreaterThan(2);
});

test('a server that crashes under an unbroken load fails, the next one is measured', async () => {
  const targets = on(['crash-under-load', 'ok'], 'single');
  const options = [...TINY_UNBROKEN, '--warmup', '0', '--out', out];
  const run = await overhead(place, 'frameworks', '--contiguous', ...targets, ...options);
  expect(run.code).toBe(1);
  const { failures, slices } = recordIn(out);
  expect(failures).toMatchObject([
    {
      server: 'crash-under-load/single',
      when: 'slice',
      lastWords: ['the pool is empty: giving up'],
      died: true,
    },
  ]);
  expect(slices.map(({ cell }) => cell)).toEqual(['ok/single/custom', 'ok/single/custom']);
  expect(rowOf(run.stdout, 'Crashes under load')).toContain('failed');
});

test.each([
  { topology: 'single', what: 'a plain server' },
  { topology: '2', what: 'a worker of a cluster' },
])('$what that is killed during the slices fails, the others go on', async ({ topology }) => {
  const tiny = ['-c', '10', '-d', '1', '--slice', '0.1', '--launches', '2', '--warmup', '0.1'];
  const options = [...on(['ok', 'ok-too'], topology), ...tiny, '--out', out];
  const harness = start(place, ['frameworks', ...options]);
  await harness.untilSays('a round is over');
  const [victim] = serversOf(place, 'ok');
  if (victim === undefined) throw new Error('no server of ok is running');
  if (victim.port !== null) place.watch(victim.port);
  process.kill(victim.pid, 'SIGKILL');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  const { failures, slices, state } = recordIn(out);
  expect(state).toBe('complete');
  expect(failures).toMatchObject([
    { server: `ok/${topology}`, launch: 0, when: 'slice', died: true },
  ]);
  expect(rowOf(run.stdout, 'Fine')).toContain('failed');
  expect(rowOf(run.stdout, 'Fine too')).toMatch(/\d/);
  const others = slices.filter(({ cell }) => cell === `ok-too/${topology}/custom`);
  expect(others).toHaveLength(10);
});

/** So long that it does not end by itself within a test. */
const LONG = ['-c', '10', '-d', '600', '--slice', '0.1', '--launches', '2', '--out', out];

/** Kills the process of a long run whose command line holds this, once some rounds are over. */
async function runWithout(script: string, topology: string) {
  const harness = start(place, ['frameworks', ...on(['ok'], topology), ...LONG]);
  await harness.untilSays('a round is over', 2);
  const victim = place.processes().find(({ command }) => command.includes(script));
  if (victim === undefined) throw new Error(`no ${script} is running`);
  process.kill(victim.pid, 'SIGKILL');
  return await harness.finished;
}

test('a generator that is killed ends the run with what was measured so far', async () => {
  const run = await runWithout('generator-process', 'single');
  expect(run.code).toBe(1);
  const { slices, state } = recordIn(out);
  expect(state).toBe('interrupted');
  expect(slices.length).toBeGreaterThanOrEqual(4);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
  expect(run.stderr).toContain('error: the load generator ended with SIGKILL');
});

test('a guardian that is killed ends the run, which clears up by itself', async () => {
  const run = await runWithout('guard.ts', 'single');
  // Nobody else removes its folder.
  for (const name of place.runFolders()) rmSync(join(place.folder, name), { recursive: true });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('error: ');
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
});

test('a record that can no longer be saved ends the run, with its tables', async () => {
  const folder = join(place.folder, 'records');
  const path = join(folder, 'record.json');
  const harness = start(place, ['frameworks', ...on(['ok'], 'single'), ...LONG, '--out', path]);
  await harness.untilSays('a round is over', 2);
  // At once: a record that is being saved would be in the way of removing it.
  renameSync(folder, `${folder}-before`);
  writeFileSync(folder, '');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("error: can't save the record");
  expect(run.stderr).not.toContain('Saved as');
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
});

test('a reader of the progress that goes away leaves nothing running', async () => {
  const pipe = '"$0" "$@" 2>&1 | head -n 1';
  const args = ['frameworks', ...on(['ok'], 'single'), ...LONG];
  const run = await startCommand(place, ['sh', '-c', pipe, process.execPath, CLI, ...args])
    .finished;
  expect(run.stdout).toContain('launch 1 of 2');
  await place.untilEmpty(20_000);
});
