/** Rows 1 and 2: signals in each phase of a run. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import {
  codeFor,
  ENDLESS,
  type Harness,
  measured,
  on,
  overhead,
  recordIn,
  SHORT,
  start,
  untilLoaded,
  untilStarted,
} from '../cli/harness.ts';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { PHASES, startIn } from './runs.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** So long that only a signal ends it. */
const LONG = ['-c', '10', '-d', '1200', '--warmup', '0.1'];
const UNBROKEN = ['--contiguous', ...LONG];
/** The plain process that is started last. */
const CANNED_FOLDER = relative(FIXTURES, CANNED_RESPONSE.directory);
const STARTING = on(['ok', 'slow-start'], 'single,2');

/** The record of a run that was interrupted, with no failure in it. */
async function expectInterrupted(harness: Harness, code: number) {
  expect((await harness.finished).code).toBe(code);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'interrupted', failures: [] });
  return record;
}

/** A server with a database and one without, as one process and as a cluster, limited: all that a run may leave. */
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

test('SIGHUP within a contiguous slice ends at once', async () => {
  const args = ['frameworks', ...on(['ok'], 'single'), ...UNBROKEN, '--out', out];
  const harness = start(place, args);
  await untilLoaded(place, 'ok', 10);
  harness.signal('SIGHUP');
  expect((await expectInterrupted(harness, 129)).slices).toEqual([]);
});

test('one Ctrl-C within a contiguous slice lets the slice end', async () => {
  const targets = on(['ok', 'ok-too'], 'single');
  const harness = start(place, ['frameworks', ...targets, ...UNBROKEN, '-d', '2', '--out', out]);
  await untilLoaded(place, 'ok', 10);
  harness.signal('SIGINT');
  const { slices } = await expectInterrupted(harness, 130);
  expect(slices.map(({ cell }) => cell)).toEqual(['ok/single/custom']);
  expect(slices[0]?.measurement.windowNs).toBeGreaterThanOrEqual(1.999e9);
});

const ENDS = [['SIGINT', 130] as const, ['SIGTERM', 143] as const, ['SIGHUP', 129] as const];
const CASES = Object.entries(PHASES).flatMap(([name, phase]) => {
  return ENDS.map(([signal, code]) => ({ signal, code, name, phase }));
});

test.each(CASES)('$signal in $name ends the run with $code', async (given) => {
  const { signal, code, name, phase } = given;
  const path = join(place.folder, `${signal}.json`);
  const harness = await startIn(phase, place, path);
  harness.signal(signal);
  // A first Ctrl-C lets a contiguous slice end, which a second cuts short.
  if (name === 'warm-up' && signal === 'SIGINT') {
    await harness.untilSays('Ending after this slice');
    harness.signal(signal);
  }
  expect(await harness.finished).toMatchObject({ code });
  // There is no record before there is a plan.
  if (name === 'build') return;
  const { state, slices, failures } = recordIn(path);
  expect(state).toMatch(name === 'save and report' ? /complete|interrupted/ : /interrupted/);
  // A first Ctrl-C lets the current start end, here of a server that never answers.
  const [failure] = failures;
  expect(failure?.when ?? 'verify').toBe('verify');
  if (name !== 'verification') expect(failures).toEqual([]);
  expect(slices.length).toBeGreaterThanOrEqual(phase.rounds);
});

test.each([
  { name: 'Ctrl-C', signal: 'SIGINT', code: 130 },
  { name: 'SIGTERM', signal: 'SIGTERM', code: 143 },
] as const)('$name while servers start ends a run that has measured nothing', async (given) => {
  const harness = start(place, ['frameworks', ...STARTING, ...LONG, '--out', out]);
  await untilStarted(place, 'slow-start');
  // What is only just forked would still share the terminal's signals.
  await untilStarted(place, CANNED_FOLDER);
  harness.signal(given.signal);
  expect((await expectInterrupted(harness, given.code)).slices).toEqual([]);
});

test('Ctrl-C twice while servers start ends `verify`', async () => {
  const harness = start(place, ['verify', ...STARTING]);
  await untilStarted(place, 'slow-start');
  harness.signal('SIGINT');
  await harness.untilSays('Ending after this start');
  harness.signal('SIGINT');
  expect(await harness.finished).toMatchObject({ code: 130 });
});

test.each(Object.entries(PHASES))(
  'row 2: SIGKILL in %s leaves nothing but what was measured',
  async (name, phase) => {
    const path = join(place.folder, `${name}.json`);
    const harness = await startIn(phase, place, path);
    process.kill(harness.pid, 'SIGKILL');
    expect((await harness.finished).code).toBeUndefined();
    // Within so long everything has ended.
    await place.untilEmpty(5000);
    // There is no record before there is a plan.
    if (phase.rounds === 0 && !existsSync(path)) return;
    const { slices, state, failures, plan } = recordIn(path);
    expect({ state, failures }).toEqual({ state: 'running', failures: [] });
    const own = slices.filter(({ cell }) => !cellOf(plan, cell).target.startsWith('canned'));
    expect(own.length).toBeGreaterThanOrEqual(phase.rounds);
  },
);

test('row 2: SIGKILL from the start of the servers on leaves nothing after a few seconds', async () => {
  const targets = on(['slow-start', 'ignores-sigterm'], 'single,2');
  const killed = [0, 150, 400, 900].map(async (delayMs) => {
    const path = join(place.folder, `record-${delayMs}.json`);
    const harness = start(place, ['frameworks', ...targets, ...ENDLESS, '--out', path]);
    await harness.untilSays('starting');
    await sleep(delayMs);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    expect(existsSync(path)).toBe(true);
  });
  await Promise.all(killed);
  await place.untilEmpty(10_000);
});

test('rows 1 and 2: a run without any signal is whole', async () => {
  const { record } = await measured(place, 'frameworks', ...on(['ok'], 'single'), ...SHORT);
  expect(record.state).toBe('complete');
});
