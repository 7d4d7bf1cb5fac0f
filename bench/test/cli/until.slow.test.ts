import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawLaunch } from '../../src/plan/draw.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { on, overhead, promisedBy, recordIn, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

/** A launch is three rounds of short slices, under the cost load alone: its figure is the least noisy. */
function until(percent: string, launches: number, ...more: string[]): string[] {
  const load = ['-c', '100', '-p', '10', '--slice', '0.2', '--warmup', '0.1'];
  const amounts = ['--launches', String(launches), '-d', String(0.6 * launches)];
  const options = [...load, ...amounts, '--until', percent, ...more, '--out', out];
  return ['frameworks', ...on(['ok', 'ok-too'], 'single'), ...options];
}

/** The launches that have slices of every cell in every round. */
function launchesIn({ plan, slices }: RunRecord): number[] {
  return [...Map.groupBy(slices, ({ launch }) => launch)].flatMap(([launch, there]) => {
    const due = plan.launches[launch]?.flatMap(({ rounds }) => rounds.flat()) ?? [];
    return there.length === due.length ? [launch] : [];
  });
}

test('a width that the planned launches reach asks for no other', async () => {
  const run = await overhead(place, ...until('99.9%', 6));
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(launchesIn(record)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(record.plan.launches).toHaveLength(6);
  expect(run.stdout).toContain('until every ratio was known to ±99.9 %: 6 launches.');
  expect(run.stderr).toMatch(/^0 s: launch 1 of at least 6: starting/m);
  expect(run.code).toBe(promisedBy(run.stdout));
});

test('goes on past the planned launches until there are enough to tell a width', async () => {
  const run = await overhead(place, ...until('99.9%', 1), '--seed', '7');
  const record = recordIn(out);
  const { launches } = record.plan;
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(launches.length).toBeGreaterThanOrEqual(3);
  expect(launchesIn(record)).toEqual([...launches.keys()]);
  // Drawn from the seed, as if they had been planned.
  for (const [launch, groups] of launches.entries()) {
    expect(drawLaunch({ ...record.plan, launches: launches.slice(0, launch) })).toEqual(groups);
  }
  expect(run.stdout).toContain(`was known to ±99.9 %: ${launches.length} launches.`);
  expect(run.stderr).toContain('launch 3 of at least 1');
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
});

test('a width that is out of reach ends with --max-time, after the planned launches, and says so', async () => {
  const run = await overhead(place, ...until('0.001%', 3, '--max-time', '1'));
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(launchesIn(record)).toEqual([0, 1, 2]);
  expect(record.plan.launches).toHaveLength(3);
  expect(run.stdout.replaceAll('\n', ' ')).toMatch(
    /Ended at --max-time after 3 launches; Fine too, single, under the (custom|cost) load, is still known to ±[\d.]+ % only \(±0\.001 % was asked for\)\./,
  );
  expect(run.code).toBe(promisedBy(run.stdout));
});

test('Ctrl-C ends it in a launch that was not planned', async () => {
  const harness = start(place, until('0.001%', 1));
  await harness.untilSays('launch 2 of at least 1');
  harness.signal('SIGINT');
  const run = await harness.finished;
  expect(run.code).toBe(130);
  const record = recordIn(out);
  expect(record.state).toBe('interrupted');
  expect(launchesIn(record)).toContain(0);
  expect(record.plan.launches.length).toBeGreaterThanOrEqual(2);
  expect(run.stdout).not.toContain('--max-time');
});
