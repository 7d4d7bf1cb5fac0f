/** What a generator that is told what to say came to with several servers. */
import { expect, test } from 'vitest';
import type { RunningServer } from '../../src/launch/server.ts';
import type { Generator } from '../../src/load/generator.ts';
import { type InterleavedMeasured, measureInterleaving } from '../../src/load/measure.ts';
import type { InterleavedOutcome } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { SINGLE } from '../support/fixtures.ts';
import { makeMeasurement, makeTarget } from '../support/make-record.ts';
import { closedOrder } from './servers.ts';

const ORIGIN = 'http://127.0.0.1:1';
const NEVER = new AbortController().signal;
const SERVER: RunningServer = {
  spec: {
    key: 'app/single',
    target: makeTarget('app'),
    topology: SINGLE,
    address: '127.0.0.1',
    port: 1,
    services: [],
  },
  origin: ORIGIN,
  ...{ agreed: [], judged: [], pids: [], managerPids: [], group: null, killedBy: () => null },
  startNs: null,
  isAlive: () => true,
  logTail: () => [],
};
const BLOCKS = 10;

const unused = async (): Promise<never> => {
  throw new Error('nobody asks for this here');
};

/** What became of as many servers as there are outcomes. */
async function interleaved(outcomes: InterleavedOutcome[]): Promise<InterleavedMeasured[]> {
  const generator: Generator = {
    pid: 0,
    ...{ prepare: unused, open: unused, begin: unused, batch: unused, end: unused },
    interleave: async () => outcomes,
    stop: () => {},
    async [Symbol.asyncDispose]() {},
  };
  const members = outcomes.map(() => ({ server: SERVER, order: closedOrder(ORIGIN) }));
  const blocks = Array.from({ length: BLOCKS }, () => [...outcomes.keys()]);
  const signals = { soon: NEVER, now: NEVER };
  const plan = { blocks, leadIn: NO_LEAD_IN };
  const measured = await measureInterleaving(members, plan, [generator], signals);
  return measured.map((each) => each.measured);
}

/** Of 10 µs a request, but for twice as much in the blocks at these places. */
function costing(dear: number[]): InterleavedOutcome {
  const blocks = Array.from({ length: BLOCKS }, (_, place) => {
    return { answers: 200, cpuNs: 200 * (dear.includes(place) ? 20_000 : 10_000) };
  });
  return { kind: 'measured', measurement: makeMeasurement({ ok: 2000, blocks }) };
}

function disturbedIn(measured: InterleavedMeasured): number[] | string {
  return measured.state === 'measured' ? measured.measurement.disturbed : measured.state;
}

test('a block in which the machine was disturbed counts for none of the servers', async () => {
  const measured = await interleaved([costing([3]), costing([3, 5]), costing([3]), costing([])]);
  expect(measured.map(disturbedIn)).toEqual([[3], [3], [3], [3]]);
});

test('servers that were not measured have no say in that', async () => {
  const silent: InterleavedOutcome = { kind: 'did not drain' };
  expect((await interleaved([costing([3]), silent, costing([3])])).map(disturbedIn)).toEqual([
    ...[[], 'did not drain', []],
  ]);
  const three = [costing([3]), costing([3]), silent, costing([3])];
  expect((await interleaved(three)).map(disturbedIn)).toEqual([[3], [3], 'did not drain', [3]]);
});
