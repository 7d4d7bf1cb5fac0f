import { expect, test } from 'vitest';
import type { Arrangement, Plan } from '../../../src/plan/plan.ts';
import { newRecord } from '../../../src/record/record.ts';
import { SYSTEM } from '../../../src/run/backend.ts';
import type { RunEvents } from '../../../src/run/context.ts';
import { run } from '../../../src/run/run.ts';
import { noTimer } from '../../../src/run/subjects.ts';
import { makePricePlan, PRICE_TARGETS } from '../../../src/studies/price/plan.ts';
import { priceRecordOf, priceRecordSchema } from '../../../src/studies/price/record.ts';
import { truth } from '../../../src/suites/truth.ts';
import { describeMachine } from '../../../src/system/machine.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { makeOptions } from '../../support/make-record.ts';
import { statusOf } from '../../support/process-status.ts';
import { eventually } from '../../support/processes.ts';

const place = ownPlace();

/** One launch of one round of the shortest slices. */
const TINY = makeOptions({
  connections: 100,
  pipelining: 10,
  durationS: 0.1,
  sliceS: 0.1,
  launches: 1,
  warmupS: 0.1,
});

const { twins, neighbours } = PRICE_TARGETS;
const SUBJECTS = { targets: [...twins, ...neighbours], probes: [], readTimer: noTimer };

async function prepare() {
  const machine = await describeMachine([]);
  const plan = makePricePlan(truth, TINY, machine);
  const record = newRecord({ suite: 'price', machine, targets: twins, plan }, new Date());
  const end = { soon: new AbortController(), now: new AbortController() };
  const events: RunEvents = {
    onLaunch: () => {},
    onStep: () => {},
    onFailure: () => {},
    onServiceFailure: () => {},
    onGenerators: () => {},
    onRound: async () => {},
    onProfile: async () => {},
    wantsAnother: () => false,
    soon: end.soon.signal,
    now: end.now.signal,
  };
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('there is no group');
  return { plan, group, record, events, end };
}

/** The verified server's cell in this arrangement. */
function cellIn({ cells, launches }: Plan, arrangement: Arrangement): string {
  const [[group] = []] = launches;
  const cell = cells.find((each) => {
    return each.arrangement === arrangement && group?.unverified.includes(each.server) === false;
  });
  if (cell === undefined) throw new Error(`no cell is ${arrangement}`);
  return cell.id;
}

const servers = () => place.processes().filter(({ port }) => port !== null);
const standing = () => servers().filter(({ pid }) => statusOf(pid, 'State') === 'T');

test('a price run measures every variant, with its neighbours alive, and leaves nothing', async () => {
  const { group, record, events } = await prepare();
  let alive = 0;
  const onRound = async () => {
    alive = servers().length;
  };
  await run(record, SUBJECTS, { ...events, onRound }, SYSTEM);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.slices.map(({ cell }) => cell)).toEqual(group.rounds[0]);
  expect(record.slices.length).toBeGreaterThanOrEqual(4);
  // The neighbours have nothing to warm up for.
  const warmed = record.warmups.map(({ server }) => server).sort();
  expect(warmed).toEqual(['twin-a/single', 'twin-b/single']);

  const told = priceRecordSchema.parse(priceRecordOf(record));
  expect(new Set(told.slices.map(({ variant }) => variant))).toEqual(new Set(told.variants));
  for (const slice of told.slices) {
    expect(slice).toMatchObject({ launch: 0, round: 0 });
    expect(slice.windowNs).toBeGreaterThanOrEqual(0.09e9);
    expect(slice.responses).toBeGreaterThan(0);
    expect(slice.cpuNs).toBeGreaterThan(0);
  }
  expect(told.wallNs).toBeGreaterThan(0.4e9);
  expect(alive).toBe(2 + told.neighbours);
  expect(servers()).toEqual([]);
});

test('while a slice is taken alone all other servers stand still, and none after it', async () => {
  const { plan, group, record, events } = await prepare();
  group.rounds = [[cellIn(plan, 'alone'), cellIn(plan, 'alone')], [cellIn(plan, 'standard')]];
  const most = { within: 0, after: Number.NaN };
  const watch = setInterval(() => {
    most.within = Math.max(most.within, standing().length);
  }, 5);
  const onRound = async () => {
    const released = await eventually(() => standing().length === 0, 2000);
    most.after = released ? 0 : standing().length;
  };
  await run(record, SUBJECTS, { ...events, onRound }, SYSTEM);
  clearInterval(watch);
  expect(most).toEqual({ within: 1 + group.idle.length, after: 0 });
  expect(record).toMatchObject({ state: 'complete', failures: [] });
});

test('a price run that is ended while its neighbours stand still leaves nothing', async () => {
  const { plan, group, record, events, end } = await prepare();
  const [standard, alone] = [cellIn(plan, 'standard'), cellIn(plan, 'alone')];
  group.rounds = [[standard, alone]];
  const over = run(record, SUBJECTS, events, SYSTEM);
  expect(await eventually(() => standing().length > 0, 30_000)).toBe(true);
  end.soon.abort();
  end.now.abort();
  await over;
  expect(record.state).toBe('interrupted');
  expect(record.slices.map(({ cell }) => cell)).toEqual([standard]);
});
