/** Interleavings with a fake generator. */
import { expect, test } from 'vitest';
import { measureInterleaving } from '../../src/load/measure.ts';
import type { Outcome, Reply } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { makeMeasurement, makeTarget } from '../support/make-record.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { HEALTHY, simulateServer } from '../support/simulated/server.ts';
import { SINGLE } from '../support/topologies.ts';
import { fakeGenerator, NEVER } from './generators.ts';
import { closedOrder } from './orders.ts';

const SPEC = {
  ...{ key: 'app/single', target: makeTarget('app'), topology: SINGLE },
  ...{ address: '127.0.0.1', port: 1, services: [] },
};
const SERVER = simulateServer(SPEC, HEALTHY, new SimulatedClock()).running();
const BLOCKS = 40;

/** How many blocks count of this many servers, or why there are none, after this reply. */
async function interleaved(count: number, reply: Reply) {
  const generator = fakeGenerator(async () => reply);
  const member = { server: SERVER, order: closedOrder(SERVER.origin) };
  const members = Array.from({ length: count }, () => member);
  const blocks = Array.from({ length: BLOCKS }, () => [...members.keys()]);
  const signals = { soon: NEVER, now: NEVER };
  const plan = { blocks, leadIn: NO_LEAD_IN };
  const all = await measureInterleaving(members, plan, [generator], signals);
  return all.map(({ measured }) => {
    return measured.state === 'measured' ? measured.measurement.blocks.length : measured.state;
  });
}

/** At 10 µs per request, but for ten times as much in so many blocks at the start. */
function costing(dear: number): Outcome {
  const blocks = Array.from({ length: BLOCKS }, (_, place) => {
    return { answers: 200, cpuNs: 200 * (place < dear ? 100_000 : 10_000) };
  });
  return {
    kind: 'measured',
    measurement: makeMeasurement({ ok: 200 * BLOCKS, blocks, hasSettled: true }),
  };
}

test('blocks before a server had settled count for none of the servers', async () => {
  const outcomes = [costing(0), { kind: 'did not drain' } as const, costing(10)];
  const counted = await interleaved(outcomes.length, { kind: 'interleaved', outcomes });
  expect(counted).toEqual([30, 'did not drain', 30]);
});

test.each<[Reply, string]>([
  [{ kind: 'failed', message: 'it broke' }, 'the load generator failed: it broke'],
  [{ kind: 'ready' }, 'the load generator failed: it said "ready"'],
])('a generator that replies %j has failed', async (reply, message) => {
  await expect(interleaved(1, reply)).rejects.toThrow(message);
});
