import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CANNED } from '../../src/targets/canned.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  type Harness,
  on,
  overhead,
  promisedBy,
  recordIn,
  rowOf,
  start,
  untilLoaded,
  untilStarted,
} from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** So long that nothing but a signal ends it within the time of a test. */
const LONG = ['-c', '10', '-d', '1200', '--launches', '2', '--warmup', '0.1', '--out', out];
const SLICED = [...LONG, '--slice', '0.1'];
const QUICKLY_MS = 15_000;
/** The plain process that is started last. */
const CANNED_FOLDER = relative(FIXTURES, CANNED.directory);

/** What a run is worth that was ended early: its record, and that it can be read again. */
async function expectInterrupted(harness: Harness, code: number) {
  const run = await harness.finished;
  expect(run.code).toBe(code);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'interrupted', failures: [] });
  expect(run.stdout).toMatch(/^overhead frameworks\n/);
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
  return { ...run, record };
}

test('Ctrl-C during the slices ends with what was measured so far', async () => {
  const harness = start(place, ['frameworks', ...on(['ok', 'ok-too'], 'single,2'), ...SLICED]);
  await harness.untilSays('a round is over', 2);
  harness.signal('SIGINT');
  const { record, stdout, stderr } = await expectInterrupted(harness, 130);
  expect(stderr).toContain('Ending after this slice');
  expect(stderr.split('Ending after this slice')).toHaveLength(2);
  expect(record.slices.length).toBeGreaterThanOrEqual(12);
  expect(rowOf(stdout, 'Fine')).toMatch(/\d/);
});

test.each([
  { name: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
  { name: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
  { name: 'SIGHUP', signals: ['SIGHUP'], code: 129 },
  { name: 'SIGTERM after Ctrl-C', signals: ['SIGINT', 'SIGTERM'], code: 130 },
] as const)('$name within an unbroken slice ends at once with $code', async (given) => {
  const targets = on(['ok', 'ok-too'], 'single');
  const harness = start(place, ['frameworks', '--contiguous', ...targets, ...LONG]);
  await untilLoaded(place, 'ok', 10);
  const startedMs = performance.now();
  for (const [index, signal] of given.signals.entries()) {
    if (index > 0) await harness.untilSays('Ending after this slice');
    harness.signal(signal);
  }
  const { record } = await expectInterrupted(harness, given.code);
  expect(performance.now() - startedMs).toBeLessThan(QUICKLY_MS);
  expect(record.slices).toEqual([]);
});

test('one Ctrl-C within an unbroken slice lets the slice end', async () => {
  const targets = on(['ok', 'ok-too'], 'single');
  const options = ['-c', '10', '-d', '2', '--warmup', '0.1', '--launches', '1', '--out', out];
  const harness = start(place, ['frameworks', '--contiguous', ...targets, ...options]);
  await untilLoaded(place, 'ok', 10);
  harness.signal('SIGINT');
  const { record } = await expectInterrupted(harness, 130);
  expect(record.slices.map(({ cell }) => cell)).toEqual(['ok/single/custom']);
  expect(record.slices[0]?.measurement.windowNs).toBeGreaterThanOrEqual(1.999e9);
});

describe.each(['single', 'single,2'])('while servers start as %s', (topology) => {
  const targets = on(['ok', 'slow-start'], topology);

  test.each([
    { name: 'Ctrl-C', signals: ['SIGINT'], code: 130 },
    { name: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
    { name: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
  ] as const)('$name ends with $code and measures nothing', async ({ signals, code }) => {
    const harness = start(place, ['frameworks', ...targets, ...SLICED]);
    await untilStarted(place, 'slow-start');
    // What is only just forked would still share the terminal's signals.
    await untilStarted(place, CANNED_FOLDER);
    for (const [index, signal] of signals.entries()) {
      if (index > 0) await harness.untilSays('Ending after this slice');
      harness.signal(signal);
    }
    const { record } = await expectInterrupted(harness, code);
    expect(record.slices).toEqual([]);
  });
});

test.each([
  { name: 'Ctrl-C', signals: ['SIGINT'], code: 130 },
  { name: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
  { name: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
] as const)('$name during `verify` ends with $code', async ({ signals, code }) => {
  const harness = start(place, ['verify', ...on(['ok', 'slow-start'], '2')]);
  await untilStarted(place, 'slow-start');
  for (const [index, signal] of signals.entries()) {
    if (index > 0) await harness.untilSays('Ending after this start');
    harness.signal(signal);
  }
  expect(await harness.finished).toMatchObject({ code });
});

describe('SIGKILL leaves nothing after a few seconds', () => {
  test('during the slices, and the record has the rounds so far', async () => {
    const harness = start(place, ['frameworks', ...on(['ok', 'ok-too'], 'single,2'), ...SLICED]);
    await harness.untilSays('a round is over', 2);
    // Single and cluster servers, workers, a daemon, the guardian, the generator, the harness.
    expect(place.processes().length).toBeGreaterThanOrEqual(2 + 4 + 1 + 3);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    await place.untilEmpty(10_000);
    const record = recordIn(out);
    expect(record.state).toBe('running');
    expect(record.slices.length).toBeGreaterThanOrEqual(6);
    const report = await overhead(place, 'report', out);
    expect(report.code).toBe(promisedBy(report.stdout));
    expect(rowOf(report.stdout, 'Fine')).toMatch(/\d/);
  });

  test.each([0, 150, 400, 900])('%d ms into a start', async (delayMs) => {
    const harness = start(place, [
      'frameworks',
      ...on(['slow-start', 'ignores-sigterm'], 'single,2'),
      ...SLICED,
    ]);
    await harness.untilSays('starting');
    await sleep(delayMs);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    await place.untilEmpty(10_000);
    expect(existsSync(out)).toBe(true);
  });
});
