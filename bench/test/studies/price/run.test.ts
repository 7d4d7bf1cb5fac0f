import { expect, test } from 'vitest';
import { makePricePlan } from '../../../src/studies/price/plan.ts';
import { newPriceRecord, priceRecordSchema } from '../../../src/studies/price/record.ts';
import { type PriceEvents, runPrice } from '../../../src/studies/price/run.ts';
import { describeMachine } from '../../../src/system/machine.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { makeOptions } from '../../support/make-record.ts';
import { eventually } from '../../support/processes.ts';
import { statusOf } from './process-status.ts';

const place = ownPlace();

/** One launch of one round of the shortest slices. */
const TINY = makeOptions({
  suite: 'truth',
  connections: 100,
  pipelining: 10,
  durationS: 0.1,
  sliceS: 0.1,
  launches: 1,
  warmupS: 0.1,
});

async function prepare() {
  const machine = await describeMachine([]);
  const plan = makePricePlan(TINY, machine);
  const record = newPriceRecord(plan, machine, new Date());
  const end = { soon: new AbortController(), now: new AbortController() };
  const events: PriceEvents = {
    onLaunch: () => {},
    onRound: async () => {},
    soon: end.soon.signal,
    now: end.now.signal,
  };
  return { plan, record, events, end };
}

test('a price run measures every variant, with its neighbours alive, and leaves nothing', async () => {
  const { plan, record, events } = await prepare();
  const servers = () => place.processes().filter(({ port }) => port !== null);
  let alive = 0;
  await runPrice(record, plan, {
    ...events,
    onRound: async () => {
      alive = servers().length;
    },
  });
  expect(priceRecordSchema.parse(record)).toMatchObject({ state: 'complete', launches: 1 });
  expect(record.slices.map(({ variant }) => variant)).toEqual(plan.launches[0]?.rounds[0]);
  expect(record.slices.length).toBeGreaterThanOrEqual(4);
  for (const slice of record.slices) {
    expect(slice).toMatchObject({ launch: 0, round: 0 });
    expect(slice.windowNs).toBeGreaterThanOrEqual(0.09e9);
    expect(slice.responses).toBeGreaterThan(0);
    expect(slice.cpuNs).toBeGreaterThan(0);
  }
  expect(record.wallNs).toBeGreaterThan(0.4e9);
  expect(alive).toBe(2 + plan.neighbours.length);
  expect(servers()).toEqual([]);
});

test('a price run that is ended while its neighbours stand still leaves nothing', async () => {
  const { plan, record, events, end } = await prepare();
  for (const launch of plan.launches) launch.rounds = [['standard', 'alone']];
  const stopped = () => place.processes().some(({ pid }) => statusOf(pid, 'State') === 'T');
  const over = runPrice(record, plan, events);
  expect(await eventually(stopped, 30_000)).toBe(true);
  end.soon.abort();
  end.now.abort();
  await over;
  expect(record.state).toBe('interrupted');
  expect(record.slices.map(({ variant }) => variant)).toEqual(['standard']);
});
