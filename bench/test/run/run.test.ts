import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import { newRecord } from '../../src/record/record.ts';
import { run } from '../../src/run/run.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { makeMachine, makeOptions, makeTarget } from '../support/make-record.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { UNHEARD } from '../support/unheard.ts';

const TARGETS = [makeTarget('app'), CANNED];

/** A run of these with a count of the times that a server is asked for its clock: after its warm-up and each slice. */
function counting() {
  const taken = { times: 0 };
  const readTimer = async () => {
    taken.times++;
    return null;
  };
  return { taken, subjects: { targets: TARGETS, probes: [], readTimer } };
}

test('what servers use idle is looked at once a launch, and every slice of it knows', async () => {
  const options = makeOptions({ durationS: 0.8, sliceS: 0.1, launches: 2, warmupS: 0.1 });
  const machine = makeMachine();
  const plan = makePlan(frameworks, options, TARGETS, machine);
  const record = newRecord({ suite: 'frameworks', machine, targets: TARGETS, plan }, new Date());
  const kinds: string[] = [];
  const { taken, subjects } = counting();
  const onStep = ({ kind }: { kind: string }) => kinds.push(kind);
  const busy = (name: string) => ({ idleNsPerS: name === 'app' ? 5e6 : 0 });
  const backend = simulatedBackend({ server: (name) => busy(name) });
  await run(record, subjects, { ...UNHEARD, onStep }, backend);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(kinds.filter((kind) => kind === 'idle')).toHaveLength(2);
  expect(record.idle).toEqual([
    { server: 'app/single', launch: 0, nsPerS: 5e6 },
    { server: 'canned/single', launch: 0, nsPerS: 0 },
    { server: 'app/single', launch: 1, nsPerS: 5e6 },
    { server: 'canned/single', launch: 1, nsPerS: 0 },
  ]);
  const planned = plan.launches.flat().flatMap(({ rounds }) => rounds.flat());
  expect(record.slices).toHaveLength(planned.length);
  for (const { cell, measurement } of record.slices) {
    expect(measurement.idleNsPerS).toBe(cell.startsWith('app/') ? 5e6 : 0);
  }
  // After each warm-up, and after each slice.
  expect(taken.times).toBe(planned.length + record.warmups.length);
});

test('a generator that was the limit gets help, and all that was measured before is measured again', async () => {
  const machine = makeMachine();
  const load = { connections: 20, pipelining: 200 };
  const options = makeOptions({ ...load, durationS: 1.2, sliceS: 0.3, launches: 2, warmupS: 0.2 });
  const plan = makePlan(frameworks, options, TARGETS, machine);
  // Without the cost load, under which nothing needs help.
  plan.cells = plan.cells.filter((cell) => cell.load === 'custom');
  const cells = plan.cells.map(({ id }) => id);
  for (const group of plan.launches.flat()) {
    group.cells = cells;
    group.rounds.fill(cells);
  }
  const record = newRecord({ suite: 'frameworks', machine, targets: TARGETS, plan }, new Date());
  const { taken, subjects } = counting();
  const added: [string, string, number][] = [];
  const events = {
    ...UNHEARD,
    onGenerators: ({ topology, load }: { topology: string; load: string }, count: number) => {
      added.push([topology, load, count]);
    },
  };
  // An answer takes the generator longer than the server, and two of them not as long.
  const backend = simulatedBackend({
    server: () => ({ coldTimes: 1, cpuNs: 3000 }),
    generator: { cpuNs: 4000 },
  });
  await run(record, subjects, events, backend);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(added).toEqual([['single', 'custom', 2]]);
  // Each once in the record; the slice that showed it was taken twice.
  const held = record.slices.map(({ cell, launch, round }) => `${cell} ${launch} ${round}`);
  const planned = cells.flatMap((cell) =>
    [0, 1].flatMap((launch) => [0, 1].map((round) => `${cell} ${launch} ${round}`)),
  );
  expect(held.sort()).toEqual(planned.sort());
  expect(taken.times).toBe(planned.length + 1);
  for (const { measurement } of record.slices) {
    expect(measurement.generators).toBe(2);
    // All that the server can answer.
    expect(measurement.window.ok).toBe(100_000);
  }
});
