import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import { newRecord } from '../../src/record/record.ts';
import { SYSTEM } from '../../src/run/backend.ts';
import type { RunEvents } from '../../src/run/context.ts';
import { run } from '../../src/run/run.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { fixture } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';

ownPlace();
const TWO_CORES = CAN_PIN && availableParallelism() > 1;

/** Events that nobody listens to. */
const NOTHING: RunEvents = {
  onLaunch: () => {},
  onStep: () => {},
  onFailure: () => {},
  onServiceFailure: () => {},
  onGenerators: () => {},
  onRound: async () => {},
  onProfile: async () => {},
  wantsAnother: () => false,
  soon: new AbortController().signal,
  now: new AbortController().signal,
};

test('a rehearsal is gone through as a round is, and leaves nothing in the record', async () => {
  const options = makeOptions({ durationS: 0.4, sliceS: 0.1, launches: 2, warmupS: 0.1 });
  const targets = [fixture('late-answers'), CANNED];
  const machine = makeMachine({ canPin: false });
  const plan = { ...makePlan(frameworks, options, targets, machine), rehearsed: true };
  const record = newRecord({ suite: 'frameworks', machine, targets, plan }, new Date());
  const kinds: string[] = [];
  let taken = 0;
  // A server is asked for its clock after its warm-up and after each slice.
  const readTimer = async () => {
    taken++;
    return null;
  };
  const events = { ...NOTHING, onStep: ({ kind }: { kind: string }) => kinds.push(kind) };
  await run(record, { targets, probes: [], readTimer }, events, SYSTEM);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  const planned = plan.launches.flat().flatMap(({ rounds }) => rounds.flat());
  expect(record.slices).toHaveLength(planned.length);
  expect(kinds).toContain('rehearsal');
  const rehearsed = plan.launches.flat().flatMap(({ rounds: [first = []] }) => first);
  expect(taken).toBe(planned.length + rehearsed.length + record.warmups.length);
});

test.runIf(TWO_CORES)(
  'a generator that was the limit gets help, and all that was measured before is measured again',
  async () => {
    // Two real cores, counted twice so that one is spare.
    const machine = makeMachine({ cores: [0, 1, 0, 1], parallelism: 2 });
    // With so many requests in each write a server that parses nothing has next to nothing to do.
    const load = { connections: 20, pipelining: 200 };
    const amounts = { durationS: 1.2, sliceS: 0.3, launches: 2, warmupS: 0.2 };
    const options = makeOptions({ ...load, ...amounts });
    const targets = [fixture('late-answers'), CANNED];
    const plan = makePlan(frameworks, options, targets, machine);
    // Without the cost load, under which nothing needs help.
    plan.cells = plan.cells.filter((cell) => cell.load === 'custom');
    const cells = plan.cells.map(({ id }) => id);
    for (const group of plan.launches.flat()) {
      group.cells = cells;
      group.rounds.fill(cells);
    }
    const record = newRecord({ suite: 'frameworks', machine, targets, plan }, new Date());
    let taken = 0;
    const added: [string, string, number][] = [];
    // A server is asked for its clock after each slice.
    const readTimer = async () => {
      taken++;
      return null;
    };
    await run(
      record,
      { targets, probes: [], readTimer },
      {
        ...NOTHING,
        onGenerators: ({ topology, load }, count) => added.push([topology, load, count]),
      },
      SYSTEM,
    );
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expect(added).toEqual([['single', 'custom', 2]]);
    // Each once in the record, and at least the slice that showed it was taken twice.
    const held = record.slices.map(({ cell, launch, round }) => `${cell} ${launch} ${round}`);
    const planned = cells.flatMap((cell) =>
      [0, 1].flatMap((launch) => [0, 1].map((round) => `${cell} ${launch} ${round}`)),
    );
    expect(held.sort()).toEqual(planned.sort());
    expect(taken).toBeGreaterThan(planned.length);
    for (const { measurement } of record.slices) expect(measurement.generators).toBe(2);
  },
);
