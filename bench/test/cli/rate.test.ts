import { expect, test } from 'vitest';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, on, rowOf } from './harness.ts';

/** Two launches of two short slices. */
const SHORT = ['-d', '1.2', '--slice', '0.3', '--launches', '2', '--warmup', '0.1', '-c', '100'];

async function atRate(rate: string, targets: string[], world: World = {}) {
  const run = await simulateRun(['frameworks', ...targets, '--rate', rate, ...SHORT], world);
  const { code, record } = run;
  expect(code).toBe(0);
  expect(record).toMatchObject({ suite: 'rates', state: 'complete', failures: [] });
  expectAnswers(record);
  const rates = record.plan.loads.map((load) => load.kind === 'open' && load.ratePerS);
  return { ...run, rates };
}

test('`--rate 50` sends 50 requests a second to every server, saves and prints them', async () => {
  const { record, stdout, stderr } = await atRate('50', on(['ok', 'late-answers'], 'single,2'));
  expect(stderr).not.toContain('pilot');
  expect(record.plan.loads).toMatchObject([{ kind: 'open', driver: 'pacer', ratePerS: 50 }]);
  expect(new Set(record.slices.map(({ cell }) => cell)).size).toBe(4);
  expect(record.slices).toHaveLength(16);
  for (const { measurement } of record.slices) {
    expect(measurement.pace).toMatchObject({ planned: 15, dropped: 0 });
    expect(measurement.window).toMatchObject({ sent: 15, ok: 15, wrongStatus: 0, wrongBody: 0 });
  }
  expect(stdout).toMatch(/^overhead rates\n/);
  expect(stdout).toContain('At 50 requests/s');
  for (const label of ['Fine (single)', 'Fine (2)', 'Late answers (single)']) {
    expect(rowOf(stdout, label)).toMatch(/\d/);
  }
});

test('`--rate 10%,30%` asks a pilot what 100 % is, and gives each rate a load of its own', async () => {
  const { record, rates, stderr } = await atRate('10%,30%', on(['ok'], 'single'), {
    server: () => ({ coldTimes: 1 }),
  });
  expect(stderr).toContain('a pilot, which the loads are derived from');
  // A request takes 10 µs.
  const { pilot } = record.plan;
  expect(pilot).toMatchObject({ kind: 'capacity' });
  expect(rates).toEqual([10_000, 30_000]);
  expect(record.slices).toHaveLength(2 * 4);
});

test('`--rate 5000 --p99 2ms` names the cheapest server whose p99 is within that', async () => {
  // Per request, and what it waits for.
  const servers: Record<string, [cpuNs: number, waitNs: number]> = {
    ...{ ok: [20_000, 0], 'ok-too': [40_000, 0], 'late-answers': [10_000, 5e6] },
  };
  const run = ['frameworks', ...on(Object.keys(servers), 'single'), '--rate', '5000'];
  const amounts = ['-d', '1.5', '--slice', '0.5', '--launches', '3', '--warmup', '3'];
  const { record, stdout } = await simulateRun([...run, '--p99', '2ms', ...amounts], {
    server: (target) => {
      const [cpuNs = 0, waitNs = 0] = servers[target] ?? [];
      return { cpuNs, waitNs, coldTimes: 1 };
    },
  });
  expect(record.plan.p99Ns).toBe(2e6);
  const [, which = ''] = stdout.split('Which one: at 5,000 requests/s\n');
  expect(rowOf(which, 'Late answers')).toMatch(/does not/);
  expect(rowOf(which, 'Fine')).toMatch(/meets it/);
  expect(which).toContain(
    'The cheapest that meets a p99 of 2 ms is Fine: of those it uses the fewest cores.',
  );
});

test('at several rates it ends with what a core and a GB carry', async () => {
  const { stdout } = await atRate('10%,30%', on(['ok'], 'single'), {
    server: () => ({ coldTimes: 1 }),
  });
  const [, which = ''] = stdout.split('Which one: what a core and a GB carry\n');
  expect(rowOf(which, 'Fine')).toMatch(/ 30,000 /);
});
