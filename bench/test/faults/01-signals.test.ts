import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CANNED } from '../../src/targets/canned.ts';
import {
  codeFor,
  ENDLESS,
  type Harness,
  on,
  overhead,
  recordIn,
  start,
  untilLoaded,
  untilStarted,
} from '../cli/harness.ts';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { PHASES, startIn } from './phases.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** So long that only a signal ends it. */
const LONG = ['-c', '10', '-d', '1200', '--warmup', '0.1'];
const UNBROKEN = ['--contiguous', ...LONG];
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

/** A server with a database and one without, as one process and as a cluster, limited: whatever can be left of a run. */
const SERVERS = ['--packages', SERVED, '--topology', 'single,cluster:2', '--targets'];
const HAS_REDIS = missingHere('redis') === null;
const MANY = [...SERVERS, HAS_REDIS ? 'redis-a,plain' : 'plain'];
const LIMIT = CAN_LIMIT ? ['--cpu-limit', '0.5'] : [];

test.each([
  { way: 'Ctrl-C', signals: ['SIGINT'], code: 130, state: 'interrupted' },
  { way: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130, state: 'interrupted' },
  { way: 'SIGKILL', signals: ['SIGKILL'], code: undefined, state: 'running' },
] as const)('$way during the slices leaves nothing but what was measured so far', async (given) => {
  const harness = start(place, ['frameworks', ...MANY, ...LIMIT, ...ENDLESS, '--out', out]);
  await harness.untilSays('a round is over', 2);
  const runs = place.runFolders();
  const { cells } = recordIn(out).plan;
  expect(groupsOf(runs)).toHaveLength(CAN_LIMIT ? cells.length : 0);
  const running = place.processes();
  const redis = running.filter(({ command }) => command.includes('redis-server'));
  expect(redis).toHaveLength(HAS_REDIS ? 1 : 0);
  // A single server, a primary and its workers, the guardian, the generator, the harness.
  expect(running.length).toBeGreaterThanOrEqual(1 + 2 + 1 + 3);
  for (const [index, signal] of given.signals.entries()) {
    if (index > 0) await harness.untilSays('Ending after this slice');
    harness.signal(signal);
  }
  const { code, stdout } = await harness.finished;
  expect(code).toBe(given.code);
  await place.untilEmpty(10_000);
  expect(await eventually(() => groupsOf(runs).length === 0, 5000)).toBe(true);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: given.state, failures: [], serviceFailures: [] });
  // The table of a round comes before the record with it.
  expect(record.slices.length).toBeGreaterThanOrEqual(cells.length);
  const report = await overhead(place, 'report', out);
  expect(report.code).toBe(codeFor(record));
  expect(report.stdout).toMatch(/^Plain .*\d ±/m);
  if (given.state === 'interrupted') expect(stdout).toBe(report.stdout);
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

const ENDS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const CASES = Object.entries(PHASES).flatMap(([name, phase]) => {
  const codes = Object.entries(ENDS);
  return codes.map(([signal, code]) => ({
    signal: signal as keyof typeof ENDS,
    code,
    name,
    phase,
  }));
});

test.each(CASES)(
  '$signal in $name ends the run with $code',
  async ({ signal, code, name, phase }) => {
    const path = join(place.folder, `${signal}.json`);
    const harness = await startIn(phase, place, path);
    harness.signal(signal);
    // A first Ctrl-C lets an unbroken slice end, which a second cuts short.
    if (name === 'warm-up' && signal === 'SIGINT') {
      await harness.untilSays('Ending after this slice');
      harness.signal(signal);
    }
    expect(await harness.finished).toMatchObject({ code });
    // There is no record before there is a plan.
    if (name === 'build') return;
    const { state, slices, failures } = recordIn(path);
    expect(state).toMatch(name === 'save and report' ? /complete|interrupted/ : /interrupted/);
    // A first Ctrl-C lets the start that is under way end, of a server that never answers here.
    const [failure] = failures;
    expect(failure?.when ?? 'verify').toBe('verify');
    if (name !== 'verification') expect(failures).toEqual([]);
    expect(slices.length).toBeGreaterThanOrEqual(phase.rounds);
  },
);

describe('while servers start, plain ones and those of pm2,', () => {
  const targets = on(['ok', 'slow-start'], 'single,2');

  test.each([
    { name: 'Ctrl-C', signal: 'SIGINT', code: 130 },
    { name: 'SIGTERM', signal: 'SIGTERM', code: 143 },
  ] as const)('$name ends a run that has measured nothing', async ({ signal, code }) => {
    const harness = start(place, ['frameworks', ...targets, ...LONG, '--out', out]);
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
