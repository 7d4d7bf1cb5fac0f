import type { RunningServer } from '../launch/server.ts';
import type { ClosedLoad } from '../plan/loads.ts';
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
import type { ClosedOrder, EndlessOrder, OpenOrder, Order } from './protocol.ts';

/**
 * How many connections are opened at once: less than half of Node's listen backlog of 511, past
 * which the kernel drops the handshake and tries again a second later.
 */
const BATCH = 200;
/**
 * A CPU limit that was not used up while the server was idle lets it go faster for up to a period: the load is
 * on for that long before the window, so that all slices have one pace.
 */
const SETTLE_NS = 2 * PERIOD_NS;
/** Of an open loop, so that every process of a cluster gets some. */
const CONNECTIONS_PER_PROCESS = 10;
/** The window opens after this at the latest. */
const OPENING_CAP_NS = 3e9;
const DRAIN_CAP_NS = 2e9;
const QUIET_CAP_NS = 10e9;
const WARMUP_CONNECTIONS = 100;

/** A cell of a plan on its running server, and the processes of the harness. */
export interface RunningCell {
  cell: Cell;
  server: RunningServer;
  plan: Plan;
  harness: number[];
}

/** The order for one slice of a cell. */
export function sliceOrder(on: RunningCell, idleNsPerS: number): Order {
  const { cell, server, plan } = on;
  const { load, topology, shared } = sharedOf(on);
  const [pid = null] = sampledCellOf(plan, cell) === null ? [] : server.pids;
  const own = { ...shared, firstThreadOf: pid, idleNsPerS };
  const isContiguous = load.method === 'contiguous';
  if (load.kind === 'open') {
    // A server that fell behind may still work on what it was sent for as long as anybody waits.
    const drainCapNs = isContiguous ? 0 : load.timeoutNs;
    return { ...own, ...pacedBy(load, load.sliceNs, topology), drainCapNs };
  }
  const { connections, pipelining } = load;
  return {
    kind: 'closed',
    ...own,
    connections,
    pipelining,
    window: { ns: load.sliceNs },
    opening: isContiguous ? { when: 'at once' } : openingOf(load, server),
    // A contiguous cell's processes are stopped after it, whatever they are still busy with.
    drainCapNs: isContiguous ? 0 : patienceOf(load, DRAIN_CAP_NS),
    quietCapNs: load.headline === 'cpu' ? QUIET_CAP_NS : 0,
    wholeRounds: load.drainBetweenSlices,
  };
}

function openingOf(load: ClosedLoad, { cpuGroup }: RunningServer): ClosedOrder['opening'] {
  const settleNs = cpuGroup === null ? 0 : SETTLE_NS;
  return { when: 'all answered', capNs: patienceOf(load, OPENING_CAP_NS), settleNs, batch: BATCH };
}

/** How long answers are waited for. */
function patienceOf({ waitForAll, timeoutNs }: ClosedLoad, usualNs: number): number {
  return waitForAll ? timeoutNs : usualNs;
}

/**
 * The order of a load that warms a cell's server up, batch by batch: a closed loop with the pipelining of
 * the cell, on a few connections, since opening 1,000 takes longer than the compiler. Where a
 * server may be slow, and before a contiguous cell, it is one request at a time for each process, so
 * that no work is left over when the next batch or the measurement begins.
 */
export function warmupOrder(on: RunningCell): EndlessOrder {
  const { load, topology, shared } = sharedOf(on);
  const isClosed = load.kind === 'closed';
  const isOneByOne = load.method === 'contiguous' || (isClosed && load.waitForAll);
  const most = isClosed ? WARMUP_CONNECTIONS : fewConnections(load, topology);
  return {
    kind: 'closed',
    ...shared,
    connections: isOneByOne ? on.server.pids.length : Math.min(load.connections, most),
    pipelining: isOneByOne || !isClosed ? 1 : load.pipelining,
    opening: { when: 'at once' },
    drainCapNs: DRAIN_CAP_NS,
    quietCapNs: 0,
    wholeRounds: false,
  };
}

/** The order of a warm-up at a rate, whatever the load that the server gets next. */
export function pacedOrder(warmup: PacedWarmup, on: RunningCell): Order {
  const { topology, shared } = sharedOf(on);
  return { ...shared, ...pacedBy(warmup, warmup.ns, topology), drainCapNs: DRAIN_CAP_NS };
}

/** What every order at a rate has, for this long, ns. */
function pacedBy(
  { driver, ratePerS, connections }: Pick<OpenOrder, 'driver' | 'ratePerS' | 'connections'>,
  ns: number,
  topology: Topology,
) {
  return {
    kind: 'open' as const,
    driver,
    ratePerS,
    connections,
    leastConnections: fewConnections({ connections }, topology),
    window: { ns },
  };
}

/** What every order on this server has. */
function sharedOf({ cell, server, plan, harness }: RunningCell) {
  const load = loadOf(plan, cell.load);
  const topology = topologyOf(plan, cell.topology);
  const { origin, agreed, cpuGroup, spec } = server;
  const shared = {
    origin,
    requests: [...agreed],
    timeoutNs: load.timeoutNs,
    // Where cores are shared, a generator that never sleeps would take them from the server.
    turnNs: topology.cores && (load.kind === 'closed' ? load.minLoopTurnNs : 0),
    group: cpuGroup,
    firstThreadOf: null,
    pids: {
      server: [...server.pids],
      manager: [...server.managerPids],
      harness,
      services: Object.fromEntries(spec.services.map(({ name, pids }) => [name, [...pids]])),
    },
    idleNsPerS: 0,
  };
  return { load, topology, shared };
}

/** As many connections as a load has at most, so that each process gets some. */
function fewConnections({ connections }: { connections: number }, { processes }: Topology): number {
  return Math.min(connections, CONNECTIONS_PER_PROCESS * processes);
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
