import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import { newRecord, type RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { RunEvents } from '../../src/run/context.ts';
import { resumed } from '../../src/run/resume.ts';
import { run } from '../../src/run/run.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { makeMachine, makeOptions, makeTarget } from '../support/make-record.ts';
import { simulatedBackend, type World } from '../support/simulated/backend.ts';
import { UNHEARD } from '../support/unheard.ts';

const TARGETS = [makeTarget('app'), CANNED_RESPONSE];

/** The record of a run, which may continue another, and how often a server's timer was read. */
async function runOf(
  options: Partial<RunOptions>,
  world: World,
  events: Partial<RunEvents>,
  saved: RunRecord | null = null,
) {
  const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5], parallelism: 6 });
  const plan = makePlan(frameworks, makeOptions(options), TARGETS, machine);
  const fresh = newRecord({ suite: 'frameworks', machine, targets: TARGETS, plan }, new Date());
  const record = saved === null ? fresh : resumed(saved, fresh);
  let reads = 0;
  const readTimer = async () => {
    reads++;
    return null;
  };
  const measured = { targets: TARGETS, readTimer };
  await run(record, measured, { ...UNHEARD, ...events }, simulatedBackend({ ...world, machine }));
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  const taken = record.slices.map(({ cell, launch, round }) => `${cell} ${launch} ${round}`);
  const planned = record.plan.launches.flatMap((groups, launch) => {
    const rounds = groups.flatMap((group) => [...group.rounds.entries()]);
    return rounds.flatMap(([round, ids]) => ids.map((id) => `${id} ${launch} ${round}`));
  });
  expect(taken.sort()).toEqual(planned.sort());
  return { record, reads };
}

test('the idle use of servers is measured once a launch, and every slice of it has it', async () => {
  const kinds: string[] = [];
  const { record, reads } = await runOf(
    { durationS: 0.8, sliceS: 0.1, launches: 2, warmupS: 0.1 },
    { server: (name) => ({ idleNsPerS: name === 'app' ? 5e6 : 0 }) },
    { onStep: ({ kind }) => kinds.push(kind) },
  );
  expect(kinds.filter((kind) => kind === 'idle')).toHaveLength(2);
  const idle = [0, 1].flatMap((launch) => [
    { server: 'app/single', launch, nsPerS: 5e6 },
    { server: 'canned/single', launch, nsPerS: 0 },
  ]);
  expect(record.idle).toEqual(idle);
  for (const { cell, measurement } of record.slices) {
    expect(measurement.idleNsPerS).toBe(cell.startsWith('app/') ? 5e6 : 0);
  }
  // After each warm-up, and after each slice.
  expect(reads).toBe(record.slices.length + record.warmups.length);
});

test('a generator that was the limit gets help, and what was measured before is measured again', async () => {
  const added: [string, string, number][] = [];
  const load = { connections: 20, pipelining: 200, topologies: [2] };
  const amounts = { ...load, durationS: 0.6, sliceS: 0.3, launches: 1, warmupS: 0.2 };
  // An answer takes one generator longer than the server, and two of them less.
  const world: World = {
    server: () => ({ coldTimes: 1, cpuNs: 6000 }),
    generator: { cpuNs: 4000 },
  };
  const first = await runOf(amounts, world, {
    onGenerators: ({ topology, load }, count) => added.push([topology, load, count]),
  });
  expect(added).toEqual([['2', 'custom', 2]]);
  // The slice that showed it was taken twice.
  expect(first.reads).toBe(first.record.slices.length + 1);
  // In later launches, also of a run that is continued, there are two from the start.
  const { record } = await runOf(
    { ...amounts, durationS: 1.8, launches: 3 },
    world,
    {},
    first.record,
  );
  expect(record.slices).toHaveLength(3 * first.record.slices.length);
  for (const { measurement } of record.slices) {
    expect(measurement.generators).toBe(2);
    // As many as the server can answer.
    expect(measurement.window.ok).toBe(100_000);
  }
});
