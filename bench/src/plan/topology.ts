import { z } from 'zod';
import { busyCores } from '../math/bounds.ts';
import { CLUSTER_KINDS, type ClusterKind, type TopologyName } from '../request/option-values.ts';
import type { Machine } from '../system/machine.ts';

/**
 * What manages the processes of a server: nothing (plain `node`); pm2 in cluster mode without or with (its default) the
 * monitoring of pmx; pm2 in fork mode; Node's cluster module; only the kernel, for processes that share a port by
 * SO_REUSEPORT; or one process whose worker threads share a port the same way.
 */
export const MANAGERS = [
  'none',
  'pm2',
  'pm2 with pmx',
  'pm2 fork',
  'node:cluster',
  'SO_REUSEPORT',
  'worker threads',
] as const;
export type Manager = (typeof MANAGERS)[number];

export const topologySchema = z.object({
  /** `single`, `fork`, the number of processes of a pm2 cluster, or that number after another kind, as in `pmx:2`. */
  id: z.string(),
  /** Every name that the user gave it; `max` may stand for a number. */
  names: z.array(z.string()).min(1),
  manager: z.enum(MANAGERS),
  /** Processes or threads that serve requests, without the manager's own. */
  processes: z.int().min(1),
  /** The cores of the server; null if it shares all cores with the generator. */
  cores: z.array(z.int().min(0)).min(1).nullable(),
  /** Cores that neither the server nor the first generator uses, for further generators in this order. */
  spareCores: z.array(z.int()),
});
/** How a target runs. */
export type Topology = z.infer<typeof topologySchema>;

export const serverRefSchema = z.object({
  /** `target/topology`. */
  server: z.string(),
  target: z.string(),
  topology: z.string(),
});
/** A target in a topology, whatever the load. */
export type ServerRef = z.infer<typeof serverRefSchema>;

/**
 * The topologies with these names, each once. If servers have CPU limits, `mostCores` is the highest of them, and all
 * topologies have equally many cores, so that they differ in nothing else.
 */
export function resolveTopologies(names: TopologyName[], machine: Machine, mostCores?: number) {
  const kinds = names.map((name) => ({ name: String(name), ...kindOf(name, machine) }));
  const most = Math.max(Math.ceil(mostCores ?? 0), ...kinds.map(({ processes }) => processes));
  const unique = new Map(kinds.map(({ name: _, ...kind }) => [kind.id, kind]));
  return [...unique.values()].map((kind) => ({
    ...kind,
    names: kinds.filter(({ id }) => id === kind.id).map(({ name }) => name),
    ...coresFor(mostCores === undefined ? kind.processes : most, machine),
  }));
}

/** Whether a topology is a plain process, with nothing between it and its clients. */
export function isPlain({ manager }: Pick<Topology, 'manager'>): boolean {
  return manager === 'none';
}

/** Whether a topology is just a number of cores, which a target may use in its own way. */
export function isProcessCount({ manager }: Pick<Topology, 'manager'>): boolean {
  return manager === 'none' || manager === 'pm2';
}

/** The plain process, or else the topology that was named first. */
export function plainest(topologies: readonly Topology[]): Topology[] {
  return [topologies.find(isPlain) ?? topologies[0]].filter((topology) => topology !== undefined);
}

/** How many cores a topology's processes can keep busy: those they may use, as far as a quota lets them. */
export function coresOf({ cores }: Topology, { cores: all, parallelism }: Machine): number {
  return Math.min((cores ?? all).length, parallelism);
}

export function serverRef(target: string, topology: Topology): ServerRef {
  return { server: `${target}/${topology.id}`, target, topology: topology.id };
}

const CLUSTERS: Record<ClusterKind, Manager> = {
  pmx: 'pm2 with pmx',
  cluster: 'node:cluster',
  'reuse-port': 'SO_REUSEPORT',
  threads: 'worker threads',
};

type Kind = Pick<Topology, 'id' | 'manager' | 'processes'>;

function kindOf(name: TopologyName, machine: Machine): Kind {
  if (name === 'single') return { id: name, manager: 'none', processes: 1 };
  if (name === 'fork') return { id: name, manager: 'pm2 fork', processes: 1 };
  const [size, prefix] = String(name).split(':').reverse();
  const processes = size === 'max' ? machine.parallelism : Number(size);
  const kind = CLUSTER_KINDS.find((each) => each === prefix);
  return kind === undefined
    ? { id: String(processes), manager: 'pm2', processes }
    : { id: `${kind}:${processes}`, manager: CLUSTERS[kind], processes };
}

/**
 * The first core is for the generator. A server has the last ones, one for each process and one more for helper threads
 * if there is room; those between are spare. If these are too few, it has all, or shares all with a generator here.
 */
export function coresFor(processes: number, machine: Machine) {
  const rest = machine.cores.slice(1);
  if (!machine.canPin || processes > rest.length) {
    return { cores: machine.hostsGenerator ? null : machine.cores, spareCores: [] };
  }
  const spare = Math.max(0, rest.length - (processes + 1));
  return { cores: rest.slice(spare), spareCores: rest.slice(0, spare) };
}

/** Above this, requests that arrive at random take more than five times as long as one alone: 1 / (1 − ρ). */
export const BUSY_AT_MOST = 0.8;

/** The fewest processes that are not too busy at a rate, and no more than can run under the limit, in cores. */
export function processesFor(ratePerS: number, cpuNs: number, limit: number): number {
  const wanted = Math.ceil(busyCores(ratePerS, cpuNs) / BUSY_AT_MOST);
  return Math.max(1, Math.min(wanted, Math.ceil(limit)));
}

/** Topologies that show whether these numbers of processes are right: each of them, one fewer and one more. */
export function withNeighbours(numbers: readonly number[]): TopologyName[] {
  const all = new Set(numbers.flatMap((each) => [each - 1, each, each + 1]));
  return [...all]
    .filter((each) => each > 0)
    .toSorted((a, b) => a - b)
    .map((each) => (each === 1 ? 'single' : each));
}
