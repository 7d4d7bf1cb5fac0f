import type { RunningServer } from '../launch/server.ts';
import { type Cell, loadOf, type Plan, topologyOf } from '../plan.ts';
import type { Order } from './protocol.ts';

/** The window opens after this at the latest. */
const OPENING_CAP_NS = 3e9;
const DRAIN_CAP_NS = 2e9;
const WARMUP_CONNECTIONS = 100;

/** The order for one slice of a cell on its running server. */
export function sliceOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): Order {
  const { target } = server.spec;
  const { connections, pipelining } = loadOf(plan, cell.load);
  const contiguous = plan.method === 'contiguous';
  return {
    origin: server.origin,
    request: target.request,
    expect: target.expect,
    connections,
    pipelining,
    windowNs: plan.sliceNs,
    opening: contiguous ? { when: 'at once' } : { when: 'all answered', capNs: OPENING_CAP_NS },
    // Where cores are shared, a generator that never sleeps would take them from the server.
    neverSleep: topologyOf(plan, cell.topology).cores !== null,
    // A contiguous cell's processes are stopped after it, with whatever they are still busy with.
    drainCapNs: contiguous ? 0 : DRAIN_CAP_NS,
    pids: { server: [...server.pids], manager: [...server.managerPids], harness },
  };
}

/**
 * The order that warms a server up: the pipelining of one of its cells on a few connections, since
 * opening 1,000 takes longer than the compiler. Before a contiguous cell it is one request at a time
 * for each process, so that no work is left over when the measurement begins.
 */
export function warmupOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): Order {
  const order = sliceOrder(cell, server, plan, harness);
  return {
    ...order,
    windowNs: plan.warmupNs,
    opening: { when: 'at once' },
    drainCapNs: DRAIN_CAP_NS,
    ...(plan.method === 'sliced'
      ? { connections: Math.min(order.connections, WARMUP_CONNECTIONS) }
      : { connections: server.pids.length, pipelining: 1 }),
  };
}
