/** Signals to real processes, in each phase of a run; how each ends a run, is for simulated ones. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CANNED } from '../../src/targets/canned.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  codeFor,
  ENDLESS,
  type Harness,
  on,
  overhead,
  recordIn,
  rowOf,
  start,
  untilLoaded,
  untilStarted,
} from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** So long that nothing but a signal ends it within the time of a test. */
const UNBROKEN = ['--contiguous', '-c', '10', '-d', '1200', '--warmup', '0.1'];
/** The same in many short launches, so that a round is soon over. */
const SLICED = '-c 10 -d 30 --launches 60 --slice 0.1 --warmup 0.1'.split(' ');
/** The plain process that is started last. */
const CANNED_FOLDER = relative(FIXTURES, CANNED.directory);

/** What a run is worth that was ended early: its record, with no failure in it. */
async function expectInterrupted(harness: Harness, code: number) {
  const run = await harness.finished;
  expect(run.code).toBe(code);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'interrupted', failures: [] });
  return { ...run, record };
}

test('Ctrl-C during the slices ends with what was measured so far', async () => {
  const targets = on(['ok'], 'single,2');
  const harness = start(place, ['frameworks', ...targets, ...SLICED, '--out', out]);
  await harness.untilSays('a round is over', 2);
  harness.signal('SIGINT');
  const { record, stdout, stderr } = await expectInterrupted(harness, 130);
  expect(stderr.split('Ending after this slice')).toHaveLength(2);
  // Two rounds of two cells, and those of the cost load before them.
  expect(record.slices.length).toBeGreaterThanOrEqual(6);
  expect(rowOf(stdout, 'Fine')).toMatch(/\d/);
  expect((await overhead(place, 'report', out)).stdout).toBe(stdout);
});

test('SIGHUP within an unbroken slice ends at once', async () => {
  const args = ['frameworks', ...on(['ok'], 'single'), ...UNBROKEN, '--out', out];
  const harness = start(place, args);
  await untilLoaded(place, 'ok', 10);
  harness.signal('SIGHUP');
  const { record } = await expectInterrupted(harness, 129);
  expect(record.slices).toEqual([]);
});

test('one Ctrl-C within an unbroken slice lets the slice end', async () => {
  const targets = on(['ok', 'ok-too'], 'single');
  const options = [...UNBROKEN, '-d', '2', '--out', out];
  const harness = start(place, ['frameworks', ...targets, ...options]);
  await untilLoaded(place, 'ok', 10);
  harness.signal('SIGINT');
  const { record } = await expectInterrupted(harness, 130);
  expect(record.slices.map(({ cell }) => cell)).toEqual(['ok/single/custom']);
  expect(record.slices[0]?.measurement.windowNs).toBeGreaterThanOrEqual(1.999e9);
});

describe('while servers start, plain ones and those of pm2,', () => {
  const targets = on(['ok', 'slow-start'], 'single,2');

  test.each([
    { name: 'Ctrl-C', signal: 'SIGINT', code: 130 },
    { name: 'SIGTERM', signal: 'SIGTERM', code: 143 },
  ] as const)('$name ends a run that has measured nothing', async ({ signal, code }) => {
    const harness = start(place, ['frameworks', ...targets, ...SLICED, '--out', out]);
    await untilStarted(place, 'slow-start');
    // What is only just forked would still share the terminal's signals.
    await untilStarted(place, CANNED_FOLDER);
    harness.signal(signal);
    const { record } = await expectInterrupted(harness, code);
    expect(record.slices).toEqual([]);
  });

  test('Ctrl-C twice ends `verify`', async () => {
    const harness = start(place, ['verify', ...targets]);
    await untilStarted(place, 'slow-start');
    harness.signal('SIGINT');
    await harness.untilSays('Ending after this start');
    harness.signal('SIGINT');
    expect(await harness.finished).toMatchObject({ code: 130 });
  });
});

describe('SIGKILL leaves nothing after a few seconds', () => {
  test('during the slices, and the record has the rounds so far', async () => {
    const args = ['frameworks', ...on(['ok'], 'single,2'), ...ENDLESS, '--out', out];
    const harness = start(place, args);
    await harness.untilSays('a round is over', 2);
    // A single server, the workers of a cluster, a daemon, the guardian, the generator, the harness.
    expect(place.processes().length).toBeGreaterThanOrEqual(1 + 2 + 1 + 3);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    await place.untilEmpty(10_000);
    const record = recordIn(out);
    expect(record.state).toBe('running');
    expect(record.slices.length).toBeGreaterThanOrEqual(4);
    const report = await overhead(place, 'report', out);
    expect(report.code).toBe(codeFor(record));
    expect(rowOf(report.stdout, 'Fine')).toMatch(/\d/);
  });

  test('from the start of the servers on', async () => {
    const targets = on(['slow-start', 'ignores-sigterm'], 'single,2');
    const killed = [0, 150, 400, 900].map(async (delayMs) => {
      const path = join(place.folder, `record-${delayMs}.json`);
      const harness = start(place, ['frameworks', ...targets, ...SLICED, '--out', path]);
      await harness.untilSays('starting');
      await sleep(delayMs);
      process.kill(harness.pid, 'SIGKILL');
      await harness.finished;
      expect(existsSync(path)).toBe(true);
    });
    await Promise.all(killed);
    await place.untilEmpty(10_000);
  });
});
