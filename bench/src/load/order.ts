import type { RunningServer } from '../launch/server.ts';
import type { Load, OpenLoad } from '../plan/loads.ts';
import { type Cell, type PacedWarmup, type Plan, sampledCellOf } from '../plan/plan.ts';
import type { Topology } from '../plan/topology.ts';
import { PERIOD_NS } from '../system/control-groups.ts';
import type { EndlessOrder, Order } from './protocol.ts';

/** Connections opened at a time: under half of Node's backlog of 511, beyond which a handshake takes a second. */
const BATCH = 200;
/** An idle server saves up CPU time within its limit, and uses that before the window, so that all slices are alike. */
const SETTLE_NS = 2 * PERIOD_NS;
/** The least in an open loop, so that every process of a cluster gets some. */
const CONNECTIONS_PER_PROCESS = 10;
const OPENING_CAP_NS = 3e9;
const DRAIN_CAP_NS = 2e9;
const QUIET_CAP_NS = 10e9;
const WARMUP_CONNECTIONS = 100;

/** A cell of a plan on its running server, and the pids of the harness. */
export interface RunningCell {
  cell: Cell;
  load: Load;
  topology: Topology;
  server: RunningServer;
  plan: Plan;
  harness: number[];
}

export function sliceOrder(on: RunningCell, idleNsPerS: number): Order {
  const { cell, load, topology, server, plan } = on;
  const [pid = null] = sampledCellOf(plan, cell) === null ? [] : server.pids;
  const window = { ns: load.sliceNs };
  const own = { ...sharedOf(on), firstThreadOf: pid, idleNsPerS, window };
  const isContiguous = load.method === 'contiguous';
  if (load.kind === 'open') {
    // A server that fell behind may work on requests until they time out.
    return { ...own, ...pacedBy(load, topology), drainCapNs: isContiguous ? 0 : load.timeoutNs };
  }
  const { connections, pipelining, waitForAll, timeoutNs } = load;
  const patienceNs = (usualNs: number) => (waitForAll ? timeoutNs : usualNs);
  const capNs = patienceNs(OPENING_CAP_NS);
  const settleNs = server.cpuGroup === null ? 0 : SETTLE_NS;
  const opening = { when: 'all answered', capNs, settleNs, batch: BATCH } as const;
  return {
    kind: 'closed',
    ...own,
    connections,
    pipelining,
    opening: isContiguous ? { when: 'at once' } : opening,
    // The processes of a contiguous cell are stopped after it.
    drainCapNs: isContiguous ? 0 : patienceNs(DRAIN_CAP_NS),
    quietCapNs: load.headline === 'cpu' ? QUIET_CAP_NS : 0,
    wholeRounds: load.drainBetweenSlices,
  };
}

/**
 * Warms up a cell's server on few connections, since opening 1,000 takes longer than the JIT compiler does. For slow
 * servers and contiguous cells it is one request at a time per process, so that no work is left for what comes next.
 */
export function warmupOrder(on: RunningCell): EndlessOrder {
  const { load, topology, server } = on;
  const isClosed = load.kind === 'closed';
  const isOneByOne = load.method === 'contiguous' || (isClosed && load.waitForAll);
  const most = isClosed ? WARMUP_CONNECTIONS : fewConnections(load.connections, topology);
  return {
    kind: 'closed',
    ...sharedOf(on),
    connections: isOneByOne ? server.pids.length : Math.min(load.connections, most),
    pipelining: isOneByOne || !isClosed ? 1 : load.pipelining,
    opening: { when: 'at once' },
    drainCapNs: DRAIN_CAP_NS,
    quietCapNs: 0,
    wholeRounds: false,
  };
}

export function pacedOrder(warmup: PacedWarmup, on: RunningCell): Order {
  const paced = pacedBy(warmup, on.topology);
  return { ...sharedOf(on), ...paced, window: { ns: warmup.ns }, drainCapNs: DRAIN_CAP_NS };
}

function pacedBy({ driver, ratePerS, connections }: OpenLoad | PacedWarmup, topology: Topology) {
  const leastConnections = fewConnections(connections, topology);
  return { kind: 'open' as const, driver, ratePerS, connections, leastConnections };
}

function sharedOf({ load, topology, server, harness }: RunningCell) {
  const { origin, exchanges, cpuGroup, spec } = server;
  return {
    origin,
    requests: [...exchanges],
    timeoutNs: load.timeoutNs,
    // On shared cores, a generator that never sleeps would slow the server down.
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
}

function fewConnections(connections: number, { processes }: Topology): number {
  return Math.min(connections, CONNECTIONS_PER_PROCESS * processes);
}

/** The cores of each of this many generators for a cell; null for all cores. */
export function generatorCores({ plan, topology }: RunningCell, generators: number) {
  const spare = topology.spareCores.map((core) => [core]);
  return [plan.generatorCores, ...spare].slice(0, generators);
}
