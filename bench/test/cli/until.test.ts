import { expect, test } from 'vitest';
import { drawLaunch } from '../../src/plan/draw.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { FEWEST_UNTIL } from '../../src/request/amounts.ts';
import type { Surroundings } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, on } from './harness.ts';

/** Of what a request costs in a slice: no width comes to nothing. */
const NOISE = 0.02;

/** A launch is three rounds of short slices. */
async function until(
  percent: string,
  launches: number,
  more: string[] = [],
  onSaid?: Surroundings['onSaid'],
  server?: World['server'],
) {
  const load = ['-c', '100', '-p', '10', '--slice', '0.2', '--warmup', '0.1'];
  const amounts = ['--launches', String(launches), '-d', String(0.6 * launches), '--seed', '7'];
  const args = [...on(['ok', 'ok-too'], 'single'), ...load, ...amounts, '--until', percent];
  const world = { generator: { noise: NOISE }, ...(server ? { server } : {}) };
  const run = await simulateRun(['frameworks', ...args, ...more], world, onSaid);
  return { ...run, text: run.stdout.replaceAll(/\s+/g, ' ') };
}

/** The launches that have slices of every cell in every round. */
function launchesIn({ plan, slices }: RunRecord): number[] {
  return [...Map.groupBy(slices, ({ launch }) => launch)].flatMap(([launch, there]) => {
    const due = plan.launches[launch]?.flatMap(({ rounds }) => rounds.flat()) ?? [];
    return there.length === due.length ? [launch] : [];
  });
}

test('a width that the planned launches reach asks for no other', async () => {
  const { code, record, text, stderr } = await until('99.9%', FEWEST_UNTIL);
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expectAnswers(record);
  expect(launchesIn(record)).toEqual([...Array(FEWEST_UNTIL).keys()]);
  expect(record.plan.launches).toHaveLength(FEWEST_UNTIL);
  expect(text).toContain('until every ratio was known to ±99.9 %: 16 launches.');
  expect(stderr).toMatch(/^0 s: launch 1 of at least 16: starting/m);
});

test('goes on past the planned launches until there are enough to end on a width', async () => {
  const { code, record, text, stderr } = await until('99.9%', 1);
  const { launches } = record.plan;
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(launchesIn(record)).toEqual([...Array(FEWEST_UNTIL).keys()]);
  // Drawn from the seed, as if they had been planned.
  for (const [launch, groups] of launches.entries()) {
    expect(drawLaunch({ ...record.plan, launches: launches.slice(0, launch) })).toEqual(groups);
  }
  expect(text).toContain(`was known to ±99.9 %: ${FEWEST_UNTIL} launches.`);
  expect(stderr).toContain(`launch ${FEWEST_UNTIL} of at least 1`);
});

test('goes on until a width is reached', async () => {
  // The first launches differ by 3 %, all others by hardly anything.
  const server = (target: string, _: string, launch: number) => {
    const more = target === 'ok-too' ? ([300, -300][launch] ?? 0) : 0;
    return { cpuNs: 10_000 + more };
  };
  const { code, record, text } = await until('0.7%', 3, [], undefined, server);
  const { launches } = record.plan;
  expect(code).toBe(0);
  expect(record.state).toBe('complete');
  expect(launches.length).toBeGreaterThan(FEWEST_UNTIL);
  expect(launchesIn(record)).toEqual([...launches.keys()]);
  expect(text).toContain(`was known to ±0.7 %: ${launches.length} launches.`);
});

test('a width that is out of reach ends with --max-time, after the planned launches, and says so', async () => {
  const { code, record, text } = await until('0.001%', 3, ['--max-time', '1']);
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(launchesIn(record)).toEqual([0, 1, 2]);
  expect(record.plan.launches).toHaveLength(3);
  expect(text).toMatch(
    /Ended at --max-time after 3 launches; Fine too, single, under the (custom|cost) load, is still known to ±[\d.]+ % only \(±0\.001 % was asked for\)\./,
  );
});

test('Ctrl-C ends it in a launch that was not planned', async () => {
  const { code, record, text } = await until('0.001%', 1, [], (said, send) => {
    if (/launch 2 of at least 1: .*\n$/.test(said)) send('SIGINT');
  });
  expect(code).toBe(130);
  expect(record.state).toBe('interrupted');
  expect(launchesIn(record)).toEqual([0]);
  expect(record.plan.launches).toHaveLength(2);
  expect(text).not.toContain('--max-time');
});
