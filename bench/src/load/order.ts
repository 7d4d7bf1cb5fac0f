import type { RunningServer } from '../launch/server.ts';
import { type Cell, isSlicedCell, loadOf, type Plan, topologyOf } from '../plan/plan.ts';
import type { Order } from './protocol.ts';

/**
 * How many connections are opened at once: less than half of Node's listen backlog of 511, past
 * which the kernel drops the handshake and tries again a second later.
 */
const BATCH = 200;
/** An open loop's, so that every process of a cluster is dealt some. */
const CONNECTIONS_PER_PROCESS = 10;
/** The window opens after this at the latest. */
const OPENING_CAP_NS = 3e9;
const DRAIN_CAP_NS = 2e9;
const WARMUP_CONNECTIONS = 100;
/**
 * The loads that a warm-up is dealt to. The code that closes connections runs first when a load ends,
 * and much is compiled anew for it: after a single warm-up, that fell into the first slice.
 */
export const WARMUPS = 3;

/** The order for one slice of a cell on its running server. */
export function sliceOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): Order {
  const { target } = server.spec;
  const load = loadOf(plan, cell.load);
  const contiguous = load.method === 'contiguous';
  const isPatient = load.kind === 'closed' && load.patient;
  return {
    origin: server.origin,
    request: target.request,
    expect: target.expect,
    ...(load.kind === 'open'
      ? { driver: load.driver, ratePerS: load.ratePerS, pipelining: 1 }
      : { driver: 'pacer', ratePerS: null, pipelining: load.pipelining }),
    connections: load.connections,
    leastConnections: Math.min(
      load.connections,
      CONNECTIONS_PER_PROCESS * topologyOf(plan, cell.topology).processes,
    ),
    batch: BATCH,
    timeoutNs: load.timeoutNs,
    windowNs: load.sliceNs,
    opening:
      contiguous || load.kind === 'open'
        ? { when: 'at once' }
        : { when: 'all answered', capNs: isPatient ? load.timeoutNs : OPENING_CAP_NS },
    // Where cores are shared, a generator that never sleeps would take them from the server.
    neverSleep: topologyOf(plan, cell.topology).cores !== null,
    turnNs: load.kind === 'closed' ? load.turnNs : 0,
    // A contiguous cell's processes are stopped after it, with whatever they are still busy with.
    drainCapNs: contiguous ? 0 : isPatient ? load.timeoutNs : DRAIN_CAP_NS,
    pids: { server: [...server.pids], manager: [...server.managerPids], harness },
  };
}

/**
 * The order of one of the loads that warm a server up: a closed loop with the pipelining of one of its
 * cells, on a few connections, since opening 1,000 takes longer than the compiler. Before a contiguous
 * cell it is one request at a time for each process, so that no work is left over when the
 * measurement begins.
 */
export function warmupOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): Order {
  const order = sliceOrder(cell, server, plan, harness);
  // A slow server would be busy for long with what many connections leave behind.
  const load = loadOf(plan, cell.load);
  const mayBeSlow = load.kind === 'open' || load.patient;
  const most = mayBeSlow ? order.leastConnections : WARMUP_CONNECTIONS;
  return {
    ...order,
    ratePerS: null,
    windowNs: Math.round(plan.warmupNs / WARMUPS),
    opening: { when: 'at once' },
    drainCapNs: DRAIN_CAP_NS,
    ...(isSlicedCell(plan, cell.id)
      ? { connections: Math.min(order.connections, most) }
      : { connections: server.pids.length, pipelining: 1 }),
  };
}

/**
 * What falls to one of so many generators (from 0) of an order that they carry out together:
 * connections are dealt out exactly, and the first generator alone reads the server's processes.
 */
export function shareOf(order: Order, index: number, generators: number): Order {
  const { connections, batch, pids } = order;
  const extra = index < connections % generators ? 1 : 0;
  return {
    ...order,
    connections: Math.floor(connections / generators) + extra,
    batch: Math.max(1, Math.floor(batch / generators)),
    pids: index === 0 ? pids : { server: [], manager: [], harness: [] },
  };
}

/** The cores of each of so many generators for a cell; null for all cores. */
export function generatorCores(
  { topology }: Cell,
  plan: Plan,
  generators: number,
): (number[] | null)[] {
  const spare = topologyOf(plan, topology).spareCores.map((core) => [core]);
  return [plan.generatorCores, ...spare].slice(0, generators);
}
