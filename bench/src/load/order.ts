import type { RunningServer } from '../launch/server.ts';
import type { Load } from '../plan/loads.ts';
import {
  type Cell,
  loadOf,
  type PacedWarmup,
  type Plan,
  sampledCellOf,
  topologyOf,
} from '../plan/plan.ts';
import type { Topology } from '../plan/topology.ts';
import { PERIOD_NS } from '../system/control-groups.ts';
import type { LastingOrder, OpenOrder, Order, Read } from './protocol.ts';

/**
 * How many connections are opened at once: less than half of Node's listen backlog of 511, past
 * which the kernel drops the handshake and tries again a second later.
 */
const BATCH = 200;
/**
 * A CPU limit that was not used up while the server was idle lets it go faster for up to a period: so long is
 * the load on before the window, and all slices have one pace.
 */
const SETTLE_NS = 2 * PERIOD_NS;
/** An open loop's, so that every process of a cluster is dealt some. */
const CONNECTIONS_PER_PROCESS = 10;
/** The window opens after this at the latest. */
const OPENING_CAP_NS = 3e9;
const DRAIN_CAP_NS = 2e9;
const QUIET_CAP_NS = 10e9;
const WARMUP_CONNECTIONS = 100;

/** The order for one slice of a cell on its running server. */
export function sliceOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
  idleNsPerS: number,
): Order {
  const load = loadOf(plan, cell.load);
  const topology = topologyOf(plan, cell.topology);
  const isSampled = sampledCellOf(plan, cell) !== null;
  const [pid = null] = isSampled ? server.pids : [];
  const shared = { ...sharedOf(load, server, harness), firstThreadOf: pid, idleNsPerS };
  const { connections, sliceNs: ns } = load;
  // A contiguous cell's processes are stopped after it, with whatever they are still busy with.
  const contiguous = load.method === 'contiguous';
  const drainCapNs = contiguous ? 0 : DRAIN_CAP_NS;
  if (load.kind === 'open') {
    // A server that fell behind may still have what it was sent to do for as long as anybody waits.
    const openDrainCapNs = contiguous ? 0 : load.timeoutNs;
    return { ...shared, ...paced(load, ns, topology), drainCapNs: openDrainCapNs };
  }
  const { waitForAll, timeoutNs } = load;
  return {
    kind: 'closed',
    ...shared,
    ...{ connections, pipelining: load.pipelining },
    window: { ns },
    opening: contiguous
      ? { when: 'at once' }
      : {
          when: 'all answered',
          capNs: waitForAll ? timeoutNs : OPENING_CAP_NS,
          settleNs: server.group === null ? 0 : SETTLE_NS,
          batch: BATCH,
        },
    turnNs: turnOf(load, topology),
    drainCapNs: waitForAll && !contiguous ? timeoutNs : drainCapNs,
    quietCapNs: load.headline === 'cpu' ? QUIET_CAP_NS : 0,
    wholeRounds: load.drainBetweenSlices,
  };
}

/**
 * The order of a load that warms a cell's server up, batch by batch: a closed loop with the pipelining of
 * the cell, on a few connections, since opening 1,000 takes longer than the compiler. Where a
 * server may be slow, and before a contiguous cell, it is one request at a time for each process, so
 * that no work is left over when the next batch or the measurement begins.
 */
export function warmupOrder(
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): LastingOrder {
  const load = loadOf(plan, cell.load);
  const topology = topologyOf(plan, cell.topology);
  const most = load.kind === 'open' ? fewConnections(load, topology) : WARMUP_CONNECTIONS;
  return {
    kind: 'closed',
    ...sharedOf(load, server, harness),
    ...(load.method === 'sliced' && !isPatient(load)
      ? { connections: Math.min(load.connections, most), pipelining: pipeliningOf(load) }
      : { connections: server.pids.length, pipelining: 1 }),
    opening: { when: 'at once' },
    turnNs: turnOf(load, topology),
    drainCapNs: DRAIN_CAP_NS,
    quietCapNs: 0,
    wholeRounds: false,
  };
}

/** The order of a warm-up at a rate, whatever the load that the server gets next. */
export function pacedOrder(
  warmup: PacedWarmup,
  cell: Cell,
  server: RunningServer,
  plan: Plan,
  harness: number[],
): Order {
  const shared = sharedOf(loadOf(plan, cell.load), server, harness);
  const own = paced(warmup, warmup.ns, topologyOf(plan, cell.topology));
  return { ...shared, ...own, drainCapNs: DRAIN_CAP_NS };
}

/** What every order at a rate has, for so many ns. */
function paced(
  { driver, ratePerS, connections }: Pick<OpenOrder, 'driver' | 'ratePerS' | 'connections'>,
  ns: number,
  topology: Topology,
) {
  return {
    kind: 'open' as const,
    ...{ driver, ratePerS, connections },
    leastConnections: fewConnections({ connections }, topology),
    window: { ns },
    neverSleep: !sharesCores(topology),
  };
}

/** What every order on this server has. */
function sharedOf({ timeoutNs }: Load, server: RunningServer, harness: number[]) {
  const { services } = server.spec;
  const pids = {
    server: [...server.pids],
    manager: [...server.managerPids],
    harness,
    services: Object.fromEntries(services.map((each) => [each.name, [...each.pids]])),
  };
  const group = server.group?.folder ?? null;
  const requests = [...server.agreed];
  const read = { group, firstThreadOf: null, pids, idleNsPerS: 0 };
  return { origin: server.origin, requests, timeoutNs, ...read };
}

/** As many connections as a load has at most, so that each process is dealt some. */
function fewConnections(
  { connections }: Pick<Load, 'connections'>,
  { processes }: Topology,
): number {
  return Math.min(connections, CONNECTIONS_PER_PROCESS * processes);
}

function isPatient(load: Load): boolean {
  return load.kind === 'closed' && load.waitForAll;
}

/** An open loop has one request at a time on a connection. */
function pipeliningOf(load: Load): number {
  return load.kind === 'closed' ? load.pipelining : 1;
}

/** The shortest turn of the generator's event loop, ns; null where it is to sleep. */
function turnOf(load: Load, topology: Topology): number | null {
  if (sharesCores(topology)) return null;
  return load.kind === 'closed' ? load.minLoopTurnNs : 0;
}

/** Where cores are shared, a generator that never sleeps would take them from the server. */
function sharesCores({ cores }: Topology): boolean {
  return cores === null;
}

/**
 * What falls to one of so many generators (from 0) of an order that they carry out together:
 * connections are dealt out exactly; the first generator alone reads the processes of the server, its
 * control group and its services.
 */
export function shareOf(order: Order, index: number, generators: number): Order {
  const dealt = (all: number) => Math.floor(all / generators) + (index < all % generators ? 1 : 0);
  const connections = dealt(order.connections);
  const { pids, group, firstThreadOf, idleNsPerS } = index === 0 ? order : NOTHING;
  const read = { pids, group, firstThreadOf, idleNsPerS };
  if (order.kind === 'open') return { ...order, connections, ...read };
  const { opening } = order;
  return {
    ...order,
    connections,
    ...read,
    opening:
      opening.when === 'at once'
        ? opening
        : { ...opening, batch: Math.max(1, Math.floor(opening.batch / generators)) },
  };
}

const NOTHING: Read & Pick<Order, 'idleNsPerS'> = {
  idleNsPerS: 0,
  pids: { server: [], manager: [], harness: [], services: {} },
  group: null,
  firstThreadOf: null,
};

/** The cores of each of so many generators for a cell; null for all cores. */
export function generatorCores(
  { topology }: Cell,
  plan: Plan,
  generators: number,
): (number[] | null)[] {
  const spare = topologyOf(plan, topology).spareCores.map((core) => [core]);
  return [plan.generatorCores, ...spare].slice(0, generators);
}
