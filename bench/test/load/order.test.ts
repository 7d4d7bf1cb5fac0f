import { sum } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/launch/server.ts';
import { shareOf } from '../../src/load/fan-out.ts';
import { generatorCores, type RunningCell, sliceOrder, warmupOrder } from '../../src/load/order.ts';
import type { Order } from '../../src/load/protocol.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellOf, loadOf, type Plan, topologyOf } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { RunningService } from '../../src/services/index.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { whereOf } from '../../src/suites/where.ts';
import type { Machine } from '../../src/system/machine.ts';
import { textExchange, unverifiedExchange } from '../../src/targets/exchange.ts';
import { makeMachine, makeOptions, makeTarget } from '../support/make-record.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { HEALTHY, simulateServer } from '../support/simulated/server.ts';
import { CLUSTER_OF_2 } from '../support/topologies.ts';
import { AT_ONCE, pidsOf } from './orders.ts';

const POST = { method: 'POST', path: '/orders' } as const;
const EXCHANGE = textExchange('made', { ...POST, status: 201 });
const TARGET = makeTarget('app', { requests: [EXCHANGE] });
const REDIS: RunningService = {
  ...{ name: 'redis', version: '7.0.15', pids: [90], environment: {} },
  ...{ failure: () => null, logTail: () => [] },
};
const SPEC = {
  ...{ key: 'app/2', target: TARGET, topology: CLUSTER_OF_2 },
  ...{ address: '127.0.0.1', port: 4000, services: [REDIS] },
};
const SERVER = {
  ...simulateServer(SPEC, HEALTHY, new SimulatedClock()).running(),
  ...{ pids: [101, 102], managerPids: [100] },
};
const GROUP = '/sys/fs/cgroup/cpu/overhead-1';

type Options = Partial<RunOptions>;
const PIDS = { server: [101, 102], manager: [100], harness: [1, 2], services: { redis: [90] } };
const PUBLISHED = 'single/published';
const CONTIGUOUS: Options = { contiguous: true, sliceS: 6 };
const RATES: Options = { rates: [{ kind: 'per second', perS: 500 }], connections: 300 };
const OVERLOADED: Options = { pipelining: 10, sliceS: 6 };
const PUBLISHED_OVERLOAD = {
  ...{ connections: 1000, pipelining: 10, timeoutNs: 10e9, window: { ns: 6e9 }, drainCapNs: 0 },
  ...AT_ONCE,
};
const THREE: Options = { ...RATES, connections: 3 };
const SIX = { cores: [2, 3, 4, 5, 6, 7] };
const UNPINNED = { canPin: false };

function planOf(options: Options, machine: Partial<Machine> = {}) {
  const given = makeOptions({ topologies: ['single', 4], ...options });
  const isCluster = options === OVERLOADED;
  const rules = options.rates ? ratesOf('frameworks') : isCluster ? cluster : frameworks;
  // Of a second of service: more than 16 requests in flight would wait for longer than they may.
  const service = { kind: 'service', server: 'app/single', serviceNs: 1e9 } as const;
  const pilot = isCluster ? service : ({ kind: 'none' } as const);
  return makePlan(rules, given, [TARGET], makeMachine(machine), { pilot });
}

/** Both orders for a cell of the target. */
function ordersOf(id: string, options: Options = {}, machine = {}, server = SERVER) {
  const plan = planOf(options, machine);
  const on = cellOn(server, plan, `app/${id}`);
  return { slice: sliceOrder(on, 3e6), warmup: warmupOrder(on) };
}

function cellOn(server: RunningServer, plan: Plan, id: string): RunningCell {
  const cell = cellOf(plan, id);
  const [load, topology] = [loadOf(plan, cell.load), topologyOf(plan, cell.topology)];
  return { cell, load, topology, server, plan, harness: [1, 2] };
}

/** Connections opened at once, before the window. */
function batchOf(order: Order): number {
  if (order.kind === 'open' || order.opening.when === 'at once') return Number.NaN;
  return order.opening.batch;
}

const { slice } = ordersOf(PUBLISHED);
const sliceAtRate = ordersOf('single/rate-500', RATES).slice;
const limited = ordersOf(PUBLISHED, {}, {}, { ...SERVER, cpuGroup: GROUP }).slice;
const cost = ordersOf('single/cost');

describe('the order for a slice', () => {
  test('is the load of its cell on its server, whose processes are read', () => {
    const requests = [unverifiedExchange(EXCHANGE)];
    expect(slice).toMatchObject({
      ...{ kind: 'closed', origin: SERVER.origin, requests, pids: PIDS, group: null },
      ...{ connections: 1000, pipelining: 1, timeoutNs: 10e9, window: { ns: 1e9 } },
      ...{ opening: { when: 'all answered', settleNs: 0 }, turnNs: 0 },
      ...{ idleNsPerS: 3e6, quietCapNs: 0, firstThreadOf: null },
    });
    expect(slice.drainCapNs).toBeGreaterThan(0);
  });

  test('at a rate sends as many a second, with so many in flight at the most, and drains', () => {
    expect(sliceAtRate).toMatchObject({
      ...{ kind: 'open', ratePerS: 500, connections: 300, driver: 'pacer', timeoutNs: 10e9 },
      ...{ window: { ns: 1e9 }, leastConnections: 10, turnNs: 0, drainCapNs: 10e9 },
    });
  });

  test.each<[string, [id: string, options?: Options, machine?: Partial<Machine>], object]>([
    // Three times as long in each of three rounds, all in one slice.
    ['takes all rounds of the cost load together', ['single/cost'], { window: { ns: 3e9 } }],
    ['of the cost load waits until the server is quiet', ['single/cost'], { quietCapNs: 10e9 }],
    ['of the cost load pipelines', ['single/cost'], { connections: 100, pipelining: 10 }],
    ['opens at once where the cell is contiguous', [PUBLISHED, CONTIGUOUS], AT_ONCE],
    ['does not drain after that', [PUBLISHED, CONTIGUOUS], { drainCapNs: 0, window: { ns: 6e9 } }],
    ['sleeps where cores are shared', ['4/published'], { turnNs: null }],
    ['sleeps where nothing can be pinned', ['single/cost', {}, UNPINNED], { turnNs: null }],
    ['at a rate sleeps where cores are shared', ['4/rate-500', RATES], { turnNs: null }],
    ['of the overload is as published', ['single/overload', OVERLOADED], PUBLISHED_OVERLOAD],
    ['of single requests has one', ['single/alone', OVERLOADED], { connections: 1, pipelining: 1 }],
    ['at a rate has few enough connections', ['single/rate-500', THREE], { leastConnections: 3 }],
  ])('%s', (_what, given, parts) => {
    expect(ordersOf(...given).slice).toMatchObject(parts);
  });

  test('reads the group of a limited server, and waits until what it saved up is used', () => {
    expect(limited).toMatchObject({ group: GROUP, opening: { settleNs: 2e8 } });
  });

  test('of the feasible load waits for every answer, before the window and after it', () => {
    const order = ordersOf('single/feasible', OVERLOADED).slice;
    const { timeoutNs } = order;
    expect(timeoutNs).toBeGreaterThan(10e9);
    const opening = { when: 'all answered', capNs: timeoutNs };
    expect(order).toMatchObject({ opening, drainCapNs: timeoutNs });
  });

  test('reads the main thread by itself where V8 samples the server, in both ways of it', () => {
    const plan = makePlan(whereOf(frameworks), makeOptions(), [TARGET], makeMachine());
    const orders = plan.cells.map(({ id }) => sliceOrder(cellOn(SERVER, plan, id), 0));
    expect(orders.map(({ firstThreadOf }) => firstThreadOf)).toEqual([101, 101]);
  });
});

describe('the order for a warm-up', () => {
  const contiguous = ordersOf('4/published', CONTIGUOUS).warmup;
  const custom = (options: Options) => ordersOf('single/custom', options);
  const CLOSED = { kind: 'closed', connections: 10, pipelining: 1 };

  test.each<[string, ReturnType<typeof warmupOrder>, object]>([
    ['opens at once', ordersOf(PUBLISHED).warmup, { ...AT_ONCE, quietCapNs: 0 }],
    ['pipelines', custom({ pipelining: 7 }).warmup, { connections: 100, pipelining: 7 }],
    ['has few connections', custom({ connections: 8 }).warmup, { connections: 8 }],
    // One for each process.
    ['sends one at a time before a contiguous cell', contiguous, { connections: 2, pipelining: 1 }],
    ['is a closed loop before an open one', ordersOf('single/rate-500', RATES).warmup, CLOSED],
    ['sleeps where cores are shared', ordersOf('4/rate-500', RATES).warmup, { turnNs: null }],
    ['has the turns of the cell', cost.warmup, { turnNs: cost.slice.turnNs }],
  ])('%s', (_what, warmup, parts) => {
    expect(warmup).toMatchObject(parts);
    expect(warmup.drainCapNs).toBeGreaterThan(0);
    expect(cost.warmup.turnNs).toBeGreaterThan(0);
  });
});

describe('an order that several generators share', () => {
  const sharesOf = (generators: number, order: Order = slice) => {
    return Array.from({ length: generators }, (_, index) => shareOf(order, index, generators));
  };

  test.each([
    [3, [334, 333, 333]],
    [7, [143, 143, 143, 143, 143, 143, 142]],
  ])('by %d is dealt out to the last connection', (generators, connections) => {
    expect(sharesOf(generators).map((share) => share.connections)).toEqual(connections);
  });

  test('is what it was where one has all of it', () => {
    for (const order of [slice, sliceAtRate]) expect(sharesOf(1, order)).toEqual([order]);
  });

  test('is the same for each but for the connections and what is read: by the first alone', () => {
    const sampled = { ...limited, firstThreadOf: 101 };
    const nothing = { pids: pidsOf(), group: null, firstThreadOf: null, idleNsPerS: 0 };
    for (const [index, share] of sharesOf(3, sampled).entries()) {
      const { connections } = share;
      const opening = 'opening' in share ? { opening: share.opening } : {};
      const read = index === 0 ? {} : nothing;
      expect(share).toEqual({ ...sampled, connections, ...opening, ...read });
    }
  });

  // Node's listen backlog is 511: the kernel drops handshakes beyond it, and a busy server is slow to take them.
  test.each([
    [1, 511 / 2],
    [2, 511],
    [3, 511],
    [500, 511],
  ])('opens so few connections at once by %d that no handshake is dropped', (generators, most) => {
    const batches = sharesOf(generators).map(batchOf);
    expect(Math.min(...batches)).toBeGreaterThan(0);
    expect(sum(batches)).toBeLessThan(most);
  });
});

test.each<[string, string, number, Partial<Machine>, (number[] | null)[]]>([
  ['are the first core', PUBLISHED, 1, SIX, [[2]]],
  ['are then the spare ones in order', PUBLISHED, 3, SIX, [[2], [3], [4]]],
  ['are no more than there are', '4/published', 3, SIX, [[2]]],
  ['are all where nothing can be pinned', PUBLISHED, 1, UNPINNED, [null]],
])('the cores of the generators %s', (_what, id, count, machine, cores) => {
  const plan = planOf({}, machine);
  expect(generatorCores(cellOn(SERVER, plan, `app/${id}`), count)).toEqual(cores);
});
