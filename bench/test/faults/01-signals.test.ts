/** Rows 1 and 2: signals in each phase of a run. */
import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { codeFor, ENDLESS, type Harness, harnessPlace, on, SHORT } from '../cli/harness.ts';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { FIXTURES, missingHere, odd, SERVED } from '../support/fixtures.ts';
import { eventually } from '../support/processes.ts';
import { WAYS } from '../support/topologies.ts';

const place = harnessPlace();
/** So long that only a signal ends it. */
const LONG = ['-c', '10', '-d', '600', '--launches', '1'];
const OK = on(['ok'], 'single');

/** A server with a database and one without, as one process and as a cluster, limited: all that a run may leave. */
const SERVERS = ['--packages', SERVED, '--topology', 'single,cluster:2', '--targets'];
const HAS_REDIS = missingHere('redis') === null;
const MANY = [...SERVERS, HAS_REDIS ? 'redis-a,plain' : 'plain'];
const LIMIT = CAN_LIMIT ? ['--cpu-limit', '0.5'] : [];

test.each([
  { way: 'Ctrl-C', signal: 'SIGINT', code: 130, state: 'interrupted' },
  { way: 'SIGTERM', signal: 'SIGTERM', code: 143, state: 'interrupted' },
  { way: 'row 2: SIGKILL', signal: 'SIGKILL', code: undefined, state: 'running' },
] as const)('$way during the slices leaves nothing but what was measured so far', async (given) => {
  const harness = place.startRun([...MANY, ...LIMIT, ...ENDLESS]);
  await harness.untilSays('a round is over', 2);
  const runs = place.runFolders();
  const { cells } = place.record().plan;
  expect(groupsOf(runs)).toHaveLength(CAN_LIMIT ? cells.length : 0);
  const running = place.processes();
  const redis = running.filter(({ command }) => command.includes('redis-server'));
  expect(redis).toHaveLength(HAS_REDIS ? 1 : 0);
  // A single server, a primary and its workers, the guardian, the generator, the harness.
  expect(running.length).toBeGreaterThanOrEqual(1 + 2 + 1 + 3);
  harness.signal(given.signal);
  const { code, stdout } = await harness.finished;
  expect(code).toBe(given.code);
  await place.untilEmpty(10_000);
  expect(await eventually(() => groupsOf(runs).length === 0, 5000)).toBe(true);
  const record = place.record();
  expect(record).toMatchObject({ state: given.state, failures: [], serviceFailures: [] });
  // The table of a round comes before the record with it.
  expect(record.slices.length).toBeGreaterThanOrEqual(cells.length);
  const report = await place.start(['report', place.out]).finished;
  expect(report.code).toBe(codeFor(record));
  expect(report.stdout).toMatch(/^Plain .*\d ±/m);
  if (given.state === 'interrupted') expect(stdout).toBe(report.stdout);
});

interface Phase {
  args: () => string[];
  reached: (harness: Harness) => Promise<unknown>;
}

async function until(holds: () => boolean): Promise<void> {
  expect(await eventually(holds, 60_000)).toBe(true);
}

/** The file that a server which never answers makes when it is asked. */
const asked = join(place.folder, 'asked');
/** The plain process that is started last. */
const CANNED_FOLDER = relative(FIXTURES, CANNED_RESPONSE.directory);

/** The other phases of a run: arguments by which each lasts, and when it has begun. */
const PHASES = {
  build: {
    args: () => [...place.targets({ built: { build: ['sleep', '300'] } }), ...LONG],
    reached: () => until(() => place.processes().some(({ command }) => command === 'sleep 300')),
  },
  launch: {
    args: () => [...on(['ok', 'slow-start'], 'single,2'), ...LONG],
    reached: async () => {
      await place.untilStarted('slow-start');
      // What is only just forked would still share the terminal's signals.
      await place.untilStarted(CANNED_FOLDER);
    },
  },
  verification: {
    args: () => {
      rmSync(asked, { force: true });
      return [...place.targets({ silent: { start: odd('silent', asked) } }), ...LONG];
    },
    reached: () => until(() => existsSync(asked)),
  },
  'warm-up': {
    args: () => [...OK, '--contiguous', ...LONG, '--warmup', '60'],
    reached: async () => {
      // One request at a time; a verification, which has a connection too, is over soon.
      await place.untilLoaded('ok', 1);
      await sleep(500);
    },
  },
  'save and report': {
    args: () => [...OK, ...SHORT],
    reached: (harness) => harness.untilSays('a round is over', 2),
  },
} satisfies Record<string, Phase>;
type Name = keyof typeof PHASES;
/** The rounds that are over once a run is in this phase. */
const roundsBefore = (name: Name) => (name === 'save and report' ? 2 : 0);

/** Starts a run, with its record in this file, and waits until it is in a phase. */
async function startIn(name: Name, path: string): Promise<Harness> {
  const phase: Phase = PHASES[name];
  const harness = place.start(['frameworks', ...phase.args(), '--out', path]);
  await phase.reached(harness);
  return harness;
}

// SIGTERM and SIGHUP differ in the exit code alone, so each is sent in some of the phases.
const ENDED: [NodeJS.Signals, Name, code: number][] = [
  ['SIGINT', 'build', 130],
  ['SIGHUP', 'build', 129],
  ['SIGINT', 'launch', 130],
  ['SIGTERM', 'launch', 143],
  ['SIGINT', 'verification', 130],
  ['SIGHUP', 'verification', 129],
  ['SIGINT', 'warm-up', 130],
  ['SIGTERM', 'warm-up', 143],
  ['SIGINT', 'save and report', 130],
  ['SIGHUP', 'save and report', 129],
];

test.each(ENDED)('%s in %s ends the run with %i', async (signal, name, code) => {
  const path = join(place.folder, `${signal}.json`);
  const harness = await startIn(name, path);
  harness.signal(signal);
  // A first Ctrl-C lets a contiguous slice end, which a second cuts short.
  if (name === 'warm-up' && signal === 'SIGINT') {
    await harness.untilSays('Ending after this slice');
    harness.signal(signal);
  }
  expect(await harness.finished).toMatchObject({ code });
  // There is no record before there is a plan.
  if (name === 'build') return;
  const { state, slices, failures } = place.record(path);
  expect(state).toMatch(name === 'save and report' ? /complete|interrupted/ : /interrupted/);
  // A first Ctrl-C lets the current start end, here of a server that never answers.
  const [failure] = failures;
  expect(failure?.when ?? 'verify').toBe('verify');
  if (name !== 'verification') expect(failures).toEqual([]);
  expect(slices.length).toBeGreaterThanOrEqual(roundsBefore(name));
  if (roundsBefore(name) === 0) expect(slices).toEqual([]);
});

// In a start and in slices it is sent by other tests here.
const KILLED = ['build', 'verification', 'warm-up', 'save and report'] as const;

test.each(KILLED)('row 2: SIGKILL in %s leaves nothing but what was measured', async (name) => {
  const path = join(place.folder, `${name}.json`);
  const harness = await startIn(name, path);
  process.kill(harness.pid, 'SIGKILL');
  expect((await harness.finished).code).toBeUndefined();
  // Within so long everything has ended.
  await place.untilEmpty(5000);
  // There is no record before there is a plan.
  if (roundsBefore(name) === 0 && !existsSync(path)) return;
  const { slices, state, failures, plan } = place.record(path);
  expect({ state, failures }).toEqual({ state: 'running', failures: [] });
  const own = slices.filter(({ cell }) => !cellOf(plan, cell).target.startsWith('canned'));
  expect(own.length).toBeGreaterThanOrEqual(roundsBefore(name));
});

test('row 2: SIGKILL from the start of the servers on leaves nothing after a few seconds', async () => {
  const topologies = WAYS.map(({ id }) => id).join();
  const args = ['frameworks', ...on(['slow-start', 'ignores-sigterm'], topologies), ...ENDLESS];
  const runs = new Set<string>();
  const killed = [0, 150, 400, 900, 2000].map(async (delayMs, index) => {
    const path = join(place.folder, `record-${delayMs}.json`);
    const limit = index % 2 === 0 ? LIMIT : [];
    const harness = place.start([...args, ...limit, '--out', path]);
    await harness.untilSays('starting');
    await sleep(delayMs);
    for (const run of place.runFolders()) runs.add(run);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    expect(existsSync(path)).toBe(true);
  });
  await Promise.all(killed);
  await place.untilEmpty(10_000);
  expect(groupsOf([...runs])).toEqual([]);
});
