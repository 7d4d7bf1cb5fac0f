/** At rates that are asked for, and until enough is known. */
import { describe, expect, test } from 'vitest';
import { drawLaunch } from '../../src/plan/draw.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { FEWEST_UNTIL } from '../../src/request/amounts.ts';
import type { Surroundings } from '../support/command.ts';
import { of, simulateRun, simulateWell } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

test('--rate 50 sends 50 requests a second to every server, without a pilot', async () => {
  const amounts = '-d 1.2 --slice 0.3 --launches 2 --warmup 0.1 -c 100';
  const line = `frameworks ${of('ok,late-answers', 'single,2')} --rate 50 ${amounts}`;
  const { record, stdout, stderr } = await simulateWell(line);
  expect(stderr).not.toContain('Running a pilot');
  const { suite, plan, slices } = record;
  expect(suite).toBe('rates');
  expect(plan.loads).toMatchObject([{ kind: 'open', driver: 'pacer', ratePerS: 50 }]);
  expect(new Set(slices.map(({ cell }) => cell)).size).toBe(4);
  expect(slices).toHaveLength(16);
  for (const { measurement } of slices) {
    expect(measurement.pace).toMatchObject({ planned: 15, dropped: 0 });
    expect(measurement.window).toMatchObject({ sent: 15, ok: 15, wrongStatus: 0, wrongBody: 0 });
  }
  expect(stdout).toContain('At 50 requests/s');
  for (const label of ['Fine (single)', 'Fine (2)', 'Late answers (single)']) {
    expect(rowOf(stdout, label)).toMatch(/\d/);
  }
});

describe('--until', () => {
  /** In launches of three rounds of short slices, whose costs differ so that no width comes to nothing. */
  const until = (asked: string, launches: number, onSaid?: Surroundings['onSaid']) => {
    const amounts = `--slice 0.2 --warmup 0.1 --launches ${launches} -d ${0.6 * launches}`;
    const line = `frameworks ${of('ok,ok-too')} -c 100 -p 10 ${amounts} --seed 7 --until ${asked}`;
    return simulateRun(line, { generator: { noise: 0.02 } }, onSaid);
  };

  /** The launches that have slices of every cell in every round. */
  const launchesIn = ({ plan, slices }: RunRecord) => {
    return [...Map.groupBy(slices, ({ launch }) => launch)].flatMap(([launch, there]) => {
      const due = plan.launches[launch]?.flatMap(({ rounds }) => rounds.flat()) ?? [];
      return there.length === due.length ? [launch] : [];
    });
  };

  test.each([
    ['asks for no other launch where the planned ones reach the width', FEWEST_UNTIL],
    ['goes on past the planned launches until there are enough to end on a width', 1],
  ])('%s', async (_, planned) => {
    const { code, record, text, stderr } = await until('99.9%', planned);
    expect(code).toBe(0);
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    const { launches } = record.plan;
    expect(launches).toHaveLength(FEWEST_UNTIL);
    expect(launchesIn(record)).toEqual([...launches.keys()]);
    expectAnswers(record);
    // Drawn from the seed, as if they had been planned.
    for (const [launch, groups] of launches.entries()) {
      const before = { ...record.plan, launches: launches.slice(0, launch) };
      expect(drawLaunch(before)).toEqual(groups);
    }
    expect(text).toContain('until every ratio was known to ±99.9 %: 16 launches.');
    const total = planned === 1 ? '' : ' of at least 16';
    for (const launch of [1, 16]) {
      expect(stderr).toMatch(new RegExp(`^\\d+ s: launch ${launch}${total}: starting`, 'm'));
    }
  });

  test('a width that is out of reach ends with --max-time, after the planned launches, and says so', async () => {
    const { code, record, text } = await until('0.001% --max-time 1', 3);
    expect(code).toBe(0);
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expect(launchesIn(record)).toEqual([0, 1, 2]);
    expect(record.plan.launches).toHaveLength(3);
    expect(text).toMatch(
      /Stopped at --max-time after 3 launches; Fine too, single, under the (custom|cost) load, is known only to ±[\d.]+ %/,
    );
  });

  test('is ended by Ctrl-C in a launch that was not planned', async () => {
    const { code, record, text } = await until('0.001%', 1, (said, send) => {
      if (/launch 2: .*\n$/.test(said)) send('SIGINT');
    });
    expect({ code, state: record.state }).toEqual({ code: 130, state: 'interrupted' });
    expect(launchesIn(record)).toEqual([0]);
    expect(record.plan.launches).toHaveLength(2);
    expect(text).not.toContain('--max-time');
  });
});
