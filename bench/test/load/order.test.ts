import { describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/launch/server.ts';
import { generatorCores, shareOf, sliceOrder, warmupOrder } from '../../src/load/order.ts';
import {
  type ClosedOrder,
  commandSchema,
  type Order,
  orderSchema,
} from '../../src/load/protocol.ts';
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
const REDIS: RunningService = {
  name: 'redis',
  version: '7.0.15',
  pids: [90],
  environment: {},
  isAlive: () => true,
  logTail: () => [],
};
const SERVER: RunningServer = {
  spec: { key: 'app/2', target: TARGET, topology: CLUSTER_OF_2, port: 4000, services: [REDIS] },
  origin: 'http://127.0.0.1:4000',
  agreed: [declaredOnly(EXCHANGE)],
  judged: [],
  pids: [101, 102],
  managerPids: [100],
  group: null,
  isAlive: () => true,
  logTail: () => [],
};
const HARNESS = [1, 2];
const IDLE_NS_PER_S = 3e6;

/** An order that has to be that of a closed loop. */
function closed(order: Order): ClosedOrder {
  if (order.kind === 'closed') return order;
  throw new Error('it is the order of an open loop');
}

/** Connections opened at once, before the window. */
function batchOf(order: Order): number {
  const { opening } = closed(order);
  return opening.when === 'all answered' ? opening.batch : Number.NaN;
}

interface Beside {
  machine?: Machine;
  basis?: PilotResult;
  suite?: Suite;
}

/** Both orders for a cell of a plan. */
function ordersOf(
  id: string,
  options: Partial<RunOptions> = {},
  { machine = makeMachine(), basis = { kind: 'none' }, suite = frameworks }: Beside = {},
) {
  const given = makeOptions({ topologies: ['single', 4], ...options });
  const plan = makePlan(options.rates ? ratesOf('frameworks') : suite, given, [TARGET], machine, {
    basis,
  });
  const cell = cellOf(plan, id);
  return {
    slice: sliceOrder(cell, SERVER, plan, HARNESS, IDLE_NS_PER_S),
    warmup: warmupOrder(cell, SERVER, plan, HARNESS),
  };
}

/** Node's listen backlog; the kernel drops handshakes beyond it. */
const BACKLOG = 511;
const CONTIGUOUS = { contiguous: true, sliceS: 6 };

describe('the order for a slice', () => {
  const { slice } = ordersOf('app/single/published');

  test('asks the target for its own request at its own address', () => {
    expect(slice).toMatchObject({ origin: SERVER.origin, requests: [declaredOnly(EXCHANGE)] });
    expect(slice.pids).toEqual({
      ...{ server: [101, 102], manager: [100], harness: [1, 2] },
      services: { redis: [90] },
    });
  });

  test('fits the protocol', () => {
    expect(orderSchema.parse(slice)).toEqual(slice);
  });

  test('puts on the load of its cell for the length of a slice', () => {
    const load = { connections: 1000, pipelining: 1, timeoutNs: 10e9 };
    expect(slice).toMatchObject({ kind: 'closed', ...load, window: { ns: 1e9 } });
    const { slice: cost } = ordersOf('app/single/cost');
    expect(cost).toMatchObject({ connections: 100, pipelining: 10 });
    // Three times as long in each of three rounds, all in one slice.
    expect(cost).toMatchObject({ window: { ns: 3e9 } });
  });

  test('opens the window once all are answered, and drains afterwards', () => {
    expect(closed(slice).opening).toMatchObject({ when: 'all answered' });
    expect(slice.drainCapNs).toBeGreaterThan(0);
  });

  test('waits until the server is quiet where the CPU of a request is what counts', () => {
    expect(ordersOf('app/single/cost').slice).toMatchObject({ quietCapNs: 10e9 });
    expect(slice).toMatchObject({ quietCapNs: 0 });
  });

  test('knows what the server uses idle', () => {
    expect(slice.idleNsPerS).toBe(3e6);
  });

  test('opens the window at once where the cell is contiguous, and does not drain', () => {
    const { slice: contiguous } = ordersOf('app/single/published', CONTIGUOUS);
    expect(contiguous).toMatchObject({ opening: { when: 'at once' }, drainCapNs: 0 });
    expect(contiguous.window.ns).toBe(6e9);
  });

  test('reads the control group of a limited server, and waits until what it saved up is used', () => {
    expect(slice.group).toBeNull();
    expect(closed(slice).opening).toMatchObject({ settleNs: 0 });
    const group = { version: 1 as const, folder: '/sys/fs/cgroup/cpu/overhead-1' };
    const plan = makePlan(frameworks, makeOptions(), [TARGET], makeMachine());
    const cell = cellOf(plan, 'app/single/published');
    const limited = closed(sliceOrder(cell, { ...SERVER, group }, plan, HARNESS, 0));
    expect(limited.group).toBe(group.folder);
    expect(limited.opening).toMatchObject({ settleNs: 2e8 });
    expect([0, 1].map((index) => shareOf(limited, index, 2).group)).toEqual([group.folder, null]);
  });

  test('reads the first thread by itself where V8 samples the server, in both ways of it', () => {
    const plan = makePlan(whereOf(frameworks), makeOptions(), [TARGET], makeMachine());
    const orders = plan.cells.map((cell) => sliceOrder(cell, SERVER, plan, HARNESS, 0));
    expect(orders.map(({ firstThreadOf }) => firstThreadOf)).toEqual([101, 101]);
    const [order = slice] = orders;
    const dealt = [0, 1].map((index) => shareOf(order, index, 2).firstThreadOf);
    expect(dealt).toEqual([101, null]);
    expect(slice.firstThreadOf).toBeNull();
  });

  test('opens so few connections at once that a busy server drops none', () => {
    expect(batchOf(slice)).toBeGreaterThan(0);
    expect(batchOf(slice)).toBeLessThan(BACKLOG / 2);
  });

  test('never sleeps only where the generator has a core apart', () => {
    expect(slice).toMatchObject({ turnNs: 0 });
    expect(ordersOf('app/4/published').slice).toMatchObject({ turnNs: null });
    const loose = { machine: makeMachine({ canPin: false }) };
    expect(ordersOf('app/single/cost', {}, loose).slice).toMatchObject({ turnNs: null });
  });

  test('takes what has come together under the cost load only', () => {
    expect(closed(ordersOf('app/single/cost').slice).turnNs).toBeGreaterThan(0);
    expect(closed(ordersOf('app/single/published').slice).turnNs).toBe(0);
  });
});

describe('the order for a slice of the cluster suite', () => {
  // Of a second of service: more than 16 requests under way would wait for longer than they may.
  const basis: PilotResult = { kind: 'service', server: 'app/single', serviceNs: 1e9 };
  const orderOf = (load: string) => {
    const options: Partial<RunOptions> = { pipelining: 10, sliceS: 6 };
    return closed(ordersOf(`app/single/${load}`, options, { basis, suite: cluster }).slice);
  };

  test('waits for every answer to the feasible load, before the window and after it', () => {
    const order = orderOf('feasible');
    expect(order.timeoutNs).toBeGreaterThan(10e9);
    const { timeoutNs } = order;
    expect(order.opening).toMatchObject({ when: 'all answered', capNs: timeoutNs });
    expect(order.drainCapNs).toBe(timeoutNs);
  });

  test('puts on the overload at once, with the published patience', () => {
    const overload = { connections: 1000, pipelining: 10, timeoutNs: 10e9, window: { ns: 6e9 } };
    const order = orderOf('overload');
    expect(order).toMatchObject({ ...overload, opening: { when: 'at once' }, drainCapNs: 0 });
  });

  test('sends requests that come alone one at a time', () => {
    expect(orderOf('alone')).toMatchObject({ connections: 1, pipelining: 1 });
  });
});

describe('the order for a slice at a rate', () => {
  const rates: RunOptions['rates'] = [{ kind: 'per second', perS: 500 }];
  const { slice, warmup } = ordersOf('app/single/rate-500', { rates, connections: 300 });

  test('sends so many requests a second, with so many under way at the most', () => {
    expect(slice).toMatchObject({ kind: 'open', ratePerS: 500, connections: 300 });
    expect(slice).toMatchObject({ driver: 'pacer', timeoutNs: 10e9, window: { ns: 1e9 } });
    expect(slice.drainCapNs).toBeGreaterThan(0);
  });

  test('keeps ten connections for each process, as far as there may be so many', () => {
    expect(slice).toMatchObject({ leastConnections: 10 });
    const few = ordersOf('app/single/rate-500', { rates, connections: 3 });
    expect(few.slice).toMatchObject({ leastConnections: 3 });
  });

  test('never sleeps only where the generator has a core apart', () => {
    expect(slice).toMatchObject({ neverSleep: true });
    const shared = ordersOf('app/4/rate-500', { rates });
    expect(shared.slice).toMatchObject({ neverSleep: false });
    expect(shared.warmup.turnNs).toBeNull();
  });

  test('comes after a warm-up in a closed loop', () => {
    expect(warmup).toMatchObject({ kind: 'closed', connections: 10, pipelining: 1 });
  });

  test('fits the protocol', () => {
    expect(orderSchema.parse(slice)).toEqual(slice);
    const begin = { kind: 'begin', order: warmup };
    expect(commandSchema.parse(begin)).toEqual(begin);
  });
});

describe('the order for a warm-up', () => {
  test('has the turns of the cell', () => {
    const { slice, warmup } = ordersOf('app/single/cost');
    expect(warmup.turnNs).toBeGreaterThan(0);
    expect(warmup.turnNs).toBe(closed(slice).turnNs);
  });

  test('opens at once and drains', () => {
    const { warmup } = ordersOf('app/single/published', { warmupS: 2.5 });
    expect(warmup).toMatchObject({ opening: { when: 'at once' }, quietCapNs: 0 });
    expect(warmup.drainCapNs).toBeGreaterThan(0);
  });

  test('has the pipelining of the cell on few connections', () => {
    const { warmup } = ordersOf('app/single/custom', { connections: 1000, pipelining: 7 });
    expect(warmup.pipelining).toBe(7);
    expect(warmup.connections).toBeLessThanOrEqual(100);
  });

  test('has no more connections than the cell', () => {
    expect(ordersOf('app/single/custom', { connections: 8 }).warmup.connections).toBe(8);
  });

  test('is one request at a time for each process before a contiguous cell', () => {
    const { warmup } = ordersOf('app/4/published', CONTIGUOUS);
    expect(warmup).toMatchObject({ connections: 2, pipelining: 1 });
    expect(warmup.drainCapNs).toBeGreaterThan(0);
  });
});

describe('an order that several generators share', () => {
  const { slice } = ordersOf('app/single/published');
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

  test('is the same but for the connections and what is read', () => {
    for (const share of sharesOf(3)) {
      const { connections, opening, pids, idleNsPerS } = closed(slice);
      expect({ ...share, connections, opening, pids, idleNsPerS }).toEqual(slice);
    }
    expect(sharesOf(1)).toEqual([slice]);
    const open = ordersOf('app/single/rate-500', { rates: [{ kind: 'per second', perS: 500 }] });
    expect(sharesOf(1, open.slice)).toEqual([open.slice]);
  });

  test('has its processes read by the first only', () => {
    const none = { server: [], manager: [], harness: [], services: {} };
    expect(sharesOf(3).map(({ pids }) => pids)).toEqual([slice.pids, none, none]);
    // Added up they are what the server uses.
    expect(sharesOf(3).map(({ idleNsPerS }) => idleNsPerS)).toEqual([3e6, 0, 0]);
  });

  test.each([2, 3, 500])('opens no more connections at once by %d than by one', (generators) => {
    const batches = sharesOf(generators).map(batchOf);
    expect(Math.min(...batches)).toBeGreaterThan(0);
    expect(batches.reduce((sum, batch) => sum + batch, 0)).toBeLessThan(BACKLOG);
  });
});

describe('the cores of the generators', () => {
  const coresOf = (
    id: string,
    count: number,
    machine = makeMachine({ cores: [2, 3, 4, 5, 6, 7] }),
  ) => {
    const options = makeOptions({ topologies: ['single', 4] });
    const plan = makePlan(frameworks, options, [TARGET], machine);
    return generatorCores(cellOf(plan, id), plan, count);
  };

  test('are the first core, then the spare ones in order', () => {
    expect(coresOf('app/single/published', 1)).toEqual([[2]]);
    expect(coresOf('app/single/published', 3)).toEqual([[2], [3], [4]]);
  });

  test('are no more than there are', () => {
    expect(coresOf('app/4/published', 3)).toEqual([[2]]);
  });

  test('are all cores where nothing can be pinned', () => {
    expect(coresOf('app/single/published', 1, makeMachine({ canPin: false }))).toEqual([null]);
  });
});
