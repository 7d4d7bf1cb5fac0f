import type { Manager, Topology } from '../../src/plan/topology.ts';

export const SINGLE = topology('single', 'none');
const FORK = topology('fork', 'pm2 fork');
export const CLUSTER_OF_2 = topology('2', 'pm2', 2);
export const MONITORED = topology('pmx:2', 'pm2 with pmx', 2);
export const NODE_CLUSTER_OF_2 = topology('cluster:2', 'node:cluster', 2);
const REUSE_PORT_OF_2 = topology('reuse-port:2', 'SO_REUSEPORT', 2);
export const THREADS_OF_2 = topology('threads:2', 'worker threads', 2);
/** One topology for each way to start processes. */
export const WAYS = [SINGLE, NODE_CLUSTER_OF_2, FORK, CLUSTER_OF_2, REUSE_PORT_OF_2, THREADS_OF_2];

/** The number of processes that manage those of the server. */
export function managersIn({ manager }: Pick<Topology, 'manager'>): number {
  return manager === 'node:cluster' || manager.startsWith('pm2') ? 1 : 0;
}

function topology(id: string, manager: Manager, processes = 1): Topology {
  return { id, names: [id], manager, processes, cores: null, spareCores: [] };
}
