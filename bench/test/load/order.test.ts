import { describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/launch/server.ts';
import { generatorCores, shareOf, sliceOrder, warmupOrder } from '../../src/load/order.ts';
import { commandSchema, type Order } from '../../src/load/protocol.ts';
import type { PilotResult } from '../../src/plan/loads.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { RunningService } from '../../src/services/running.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { whereOf } from '../../src/suites/where.ts';
import type { Machine } from '../../src/system/machine.ts';
import { declaredOnly, textExchange } from '../../src/targets/exchange.ts';
import { CLUSTER_OF_2 } from '../support/fixtures.ts';
import { makeMachine, makeOptions, makeTarget } from '../support/make-record.ts';

const EXCHANGE = textExchange(
  { method: 'POST', path: '/orders' },
  { status: 201, headers: {}, body: 'made' },
);
const TARGET = makeTarget('app', { requests: [EXCHANGE] });
const alive = {
  isAlive: () => true,
  startNs: null,
  killedBy: () => null,
  trouble: () => null,
  logTail: () => [],
};
const REDIS: RunningService = {
  ...{ name: 'redis', version: '7.0.15', pids: [90], environment: {}, ...alive },
};
const SERVER: RunningServer = {
  spec: {
    key: 'app/2',
    target: TARGET,
    topology: CLUSTER_OF_2,
    address: '127.0.0.1',
    port: 4000,
    services: [REDIS],
  },
  origin: 'http://127.0.0.1:4000',
  agreed: [declaredOnly(EXCHANGE)],
  ...{ judged: [], pids: [101, 102], managerPids: [100], group: null, ...alive },
};

interface Beside {
  machine?: Machine;
  pilot?: PilotResult;
  suite?: Suite;
  server?: RunningServer;
}

function planOf(options: Partial<RunOptions>, { machine, pilot, suite = frameworks }: Beside) {
  const given = makeOptions({ topologies: ['single', 4], ...options });
  const rules = options.rates ? ratesOf('frameworks') : suite;
  const beside = { pilot: pilot ?? ({ kind: 'none' } as const) };
  return makePlan(rules, given, [TARGET], machine ?? makeMachine(), beside);
}

/** Both orders for a cell of a plan. */
function ordersOf(id: string, options: Partial<RunOptions> = {}, beside: Beside = {}) {
  const plan = planOf(options, beside);
  const { server = SERVER } = beside;
  const cell = cellOf(plan, id);
  return {
    slice: sliceOrder(cell, server, plan, [1, 2], 3e6),
    warmup: warmupOrder(cell, server, plan, [1, 2]),
  };
}

/** Connections opened at once, before the window. */
function batchOf(order: Order): number {
  if (order.kind === 'open' || order.opening.when === 'at once') return Number.NaN;
  return order.opening.batch;
}

/** Node's listen backlog; the kernel drops handshakes beyond it. */
const BACKLOG = 511;
const CONTIGUOUS = { contiguous: true, sliceS: 6 };
const UNPINNED = { machine: makeMachine({ canPin: false }) };
const GROUP = { version: 1 as const, folder: '/sys/fs/cgroup/cpu/overhead-1' };
const LIMITED = { server: { ...SERVER, group: GROUP } };
const RATES: Partial<RunOptions> = {
  rates: [{ kind: 'per second', perS: 500 }],
  connections: 300,
};
// Of a second of service: more than 16 requests under way would wait for longer than they may.
const CLUSTER: Beside = {
  pilot: { kind: 'service', server: 'app/single', serviceNs: 1e9 },
  suite: cluster,
};
const OVERLOADED = { pipelining: 10, sliceS: 6 };
const { slice } = ordersOf('app/single/published');

describe('the order for a slice', () => {
  test.each<[string, Order, object]>([
    [
      'asks the target for its own request at its own address',
      slice,
      { origin: SERVER.origin, requests: [declaredOnly(EXCHANGE)] },
    ],
    [
      'reads the server, its manager, the harness and the services',
      slice,
      { pids: { server: [101, 102], manager: [100], harness: [1, 2], services: { redis: [90] } } },
    ],
    ['knows what the server uses idle', slice, { idleNsPerS: 3e6, quietCapNs: 0 }],
    [
      'puts on the load of its cell for the length of a slice',
      slice,
      { kind: 'closed', connections: 1000, pipelining: 1, timeoutNs: 10e9, window: { ns: 1e9 } },
    ],
    [
      // Three times as long in each of three rounds, all in one slice.
      'takes all rounds of the cost load together, and waits until the server is quiet',
      ordersOf('app/single/cost').slice,
      { connections: 100, pipelining: 10, window: { ns: 3e9 }, quietCapNs: 10e9 },
    ],
    [
      'opens the window once all are answered, and never sleeps',
      slice,
      { opening: { when: 'all answered', settleNs: 0 }, turnNs: 0, group: null },
    ],
    [
      'opens it at once where the cell is contiguous, and does not drain',
      ordersOf('app/single/published', CONTIGUOUS).slice,
      { opening: { when: 'at once' }, drainCapNs: 0, window: { ns: 6e9 } },
    ],
    [
      'reads the group of a limited server, and waits until what it saved up is used',
      ordersOf('app/single/published', {}, LIMITED).slice,
      { group: GROUP.folder, opening: { settleNs: 2e8 } },
    ],
    ['sleeps where cores are shared', ordersOf('app/4/published').slice, { turnNs: null }],
    [
      'sleeps where nothing can be pinned',
      ordersOf('app/single/cost', {}, UNPINNED).slice,
      { turnNs: null },
    ],
    [
      'of the overload puts it on at once, with the published patience',
      ordersOf('app/single/overload', OVERLOADED, CLUSTER).slice,
      {
        ...{ connections: 1000, pipelining: 10, timeoutNs: 10e9, window: { ns: 6e9 } },
        ...{ opening: { when: 'at once' }, drainCapNs: 0 },
      },
    ],
    [
      'of requests that come alone sends one at a time',
      ordersOf('app/single/alone', OVERLOADED, CLUSTER).slice,
      { connections: 1, pipelining: 1 },
    ],
    [
      'at a rate sends so many a second, with so many under way at the most',
      ordersOf('app/single/rate-500', RATES).slice,
      {
        ...{ kind: 'open', ratePerS: 500, connections: 300, driver: 'pacer', timeoutNs: 10e9 },
        ...{ window: { ns: 1e9 }, leastConnections: 10, neverSleep: true },
      },
    ],
    [
      'at a rate keeps no more connections than there may be',
      ordersOf('app/single/rate-500', { ...RATES, connections: 3 }).slice,
      { leastConnections: 3 },
    ],
    [
      'at a rate sleeps where cores are shared',
      ordersOf('app/4/rate-500', RATES).slice,
      { neverSleep: false },
    ],
  ])('%s', (_what, order, parts) => {
    expect(order).toMatchObject(parts);
  });

  test('of the feasible load waits for every answer, before the window and after it', () => {
    const order = ordersOf('app/single/feasible', OVERLOADED, CLUSTER).slice;
    const { timeoutNs } = order;
    expect(timeoutNs).toBeGreaterThan(10e9);
    const opening = { when: 'all answered', capNs: timeoutNs };
    expect(order).toMatchObject({ opening, drainCapNs: timeoutNs });
  });

  test('drains after a sliced load of either kind', () => {
    expect(slice.drainCapNs).toBeGreaterThan(0);
    const atRate = ordersOf('app/single/rate-500', RATES).slice;
    expect(atRate.drainCapNs).toBe(atRate.timeoutNs);
  });

  test('reads the first thread by itself where V8 samples the server, in both ways of it', () => {
    const plan = makePlan(whereOf(frameworks), makeOptions(), [TARGET], makeMachine());
    const orders = plan.cells.map((cell) => sliceOrder(cell, SERVER, plan, [1, 2], 0));
    expect(orders.map(({ firstThreadOf }) => firstThreadOf)).toEqual([101, 101]);
    expect(slice.firstThreadOf).toBeNull();
  });

  test('opens so few connections at once that a busy server drops none', () => {
    expect(batchOf(slice)).toBeGreaterThan(0);
    expect(batchOf(slice)).toBeLessThan(BACKLOG / 2);
  });
});

describe('the order for a warm-up', () => {
  test.each<[string, ReturnType<typeof warmupOrder>, object]>([
    [
      'opens at once',
      ordersOf('app/single/published').warmup,
      { opening: { when: 'at once' }, quietCapNs: 0 },
    ],
    [
      'has the pipelining of the cell on few connections',
      ordersOf('app/single/custom', { connections: 1000, pipelining: 7 }).warmup,
      { connections: 100, pipelining: 7 },
    ],
    [
      'has no more connections than the cell',
      ordersOf('app/single/custom', { connections: 8 }).warmup,
      { connections: 8 },
    ],
    [
      'is one request at a time for each process before a contiguous cell',
      ordersOf('app/4/published', CONTIGUOUS).warmup,
      { connections: 2, pipelining: 1 },
    ],
    [
      'is a closed loop before an open one',
      ordersOf('app/single/rate-500', RATES).warmup,
      { kind: 'closed', connections: 10, pipelining: 1 },
    ],
    ['sleeps where cores are shared', ordersOf('app/4/rate-500', RATES).warmup, { turnNs: null }],
  ])('%s', (_what, order, parts) => {
    expect(order).toMatchObject(parts);
    expect(order.drainCapNs).toBeGreaterThan(0);
  });

  test('has the turns of the cell', () => {
    const { slice: cost, warmup } = ordersOf('app/single/cost');
    expect(warmup.turnNs).toBeGreaterThan(0);
    expect(cost).toMatchObject({ turnNs: warmup.turnNs });
  });
});

test.each(['app/single/published', 'app/single/rate-500'])(
  'the orders for %s fit the protocol',
  (id) => {
    const orders = ordersOf(id, id.includes('rate') ? RATES : {});
    const prepare = { kind: 'prepare', order: orders.slice };
    expect(commandSchema.parse(prepare)).toEqual(prepare);
    const begin = { kind: 'begin', order: orders.warmup };
    expect(commandSchema.parse(begin)).toEqual(begin);
  },
);

describe('an order that several generators share', () => {
  const sharesOf = (generators: number, order: Order = slice) => {
    return Array.from({ length: generators }, (_, index) => shareOf(order, index, generators));
  };

  test.each([
    [1, [1000]],
    [2, [500, 500]],
    [3, [334, 333, 333]],
    [7, [143, 143, 143, 143, 143, 143, 142]],
  ])('by %d is dealt out to the last connection', (generators, connections) => {
    expect(sharesOf(generators).map((share) => share.connections)).toEqual(connections);
  });

  test('is what it was where one has all of it', () => {
    const open = ordersOf('app/single/rate-500', RATES).slice;
    for (const order of [slice, open]) expect(sharesOf(1, order)).toEqual([order]);
  });

  test('is the same for each but for the connections and what is read: by the first alone', () => {
    const sampled = { ...ordersOf('app/single/published', {}, LIMITED).slice, firstThreadOf: 101 };
    const none = { server: [], manager: [], harness: [], services: {} };
    const { pids } = sampled;
    const read = { pids, group: GROUP.folder, firstThreadOf: 101, idleNsPerS: 3e6 };
    const nothing = { pids: none, group: null, firstThreadOf: null, idleNsPerS: 0 };
    for (const [index, share] of sharesOf(3, sampled).entries()) {
      const { connections } = share;
      const opening = 'opening' in share ? { opening: share.opening } : {};
      const own = { connections, ...opening, ...(index === 0 ? read : nothing) };
      expect(share).toEqual({ ...sampled, ...own });
    }
  });

  test.each([2, 3, 500])('opens no more connections at once by %d than by one', (generators) => {
    const batches = sharesOf(generators).map(batchOf);
    expect(Math.min(...batches)).toBeGreaterThan(0);
    expect(batches.reduce((sum, batch) => sum + batch, 0)).toBeLessThan(BACKLOG);
  });
});

describe('the cores of the generators', () => {
  const SIX = { cores: [2, 3, 4, 5, 6, 7] };

  test.each<[string, string, number, Partial<Machine>, (number[] | null)[]]>([
    ['are the first core', 'app/single/published', 1, SIX, [[2]]],
    ['are then the spare ones in order', 'app/single/published', 3, SIX, [[2], [3], [4]]],
    ['are no more than there are', 'app/4/published', 3, SIX, [[2]]],
    ['are all where nothing can be pinned', 'app/single/published', 1, { canPin: false }, [null]],
  ])('%s', (_what, id, count, machine, cores) => {
    const plan = planOf({}, { machine: makeMachine(machine) });
    expect(generatorCores(cellOf(plan, id), plan, count)).toEqual(cores);
  });
});
