import { z } from 'zod';
import { CLUSTER_KINDS, type ClusterKind, type TopologyName } from '../request/option-values.ts';
import type { Machine } from '../system/machine.ts';

/**
 * Who keeps the processes of a server: nobody (plain `node`), pm2 in cluster mode with its monitoring
 * off, the same with the monitoring that is pm2's default (pmx), pm2 in fork mode, Node's own cluster module, nobody
 * but the kernel (processes that share a port by SO_REUSEPORT), or a process whose worker threads share one so.
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
  /** `single`, `fork`, the number of processes of a pm2 cluster, or that after another kind, as `pmx:2`. */
  id: z.string(),
  /** Every name the user gave it; `max` may be another's number. */
  names: z.array(z.string()).min(1),
  manager: z.enum(MANAGERS),
  /** Processes that serve, or threads that do; a manager's own come on top. */
  processes: z.int().min(1),
  /** The cores of the server; null where it shares all cores with the generator. */
  cores: z.array(z.int().min(0)).min(1).nullable(),
  /** Cores that neither the server nor the first generator has, for more generators in this order. */
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
 * The topologies of these names on this machine; those that are the same become one, with all names. Where
 * servers have a limit of so many cores, at the most, all topologies have the same cores, as many as the
 * largest of them or that limit could use: what differs under a limit is then the topology alone.
 */
export function resolveTopologies(
  names: TopologyName[],
  machine: Machine,
  mostCores: number | null = null,
): Topology[] {
  const kinds = names.map((name) => ({ name, ...kindOf(name, machine) }));
  const most = Math.max(Math.ceil(mostCores ?? 0), ...kinds.map(({ processes }) => processes));
  const byId = new Map<string, Topology>();
  for (const { name, ...kind } of kinds) {
    const known = byId.get(kind.id);
    if (known) known.names.push(String(name));
    else {
      const cores = coresFor(mostCores === null ? kind : { processes: most }, machine);
      byId.set(kind.id, { ...kind, names: [String(name)], ...cores });
    }
  }
  return [...byId.values()];
}

/** Whether a topology is a plain process, with nothing between it and its clients. */
export function isPlain({ manager }: Pick<Topology, 'manager'>): boolean {
  return manager === 'none';
}

/** Whether a topology is a number of cores to use, however a target does that. */
export function isCount({ manager }: Pick<Topology, 'manager'>): boolean {
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

/** The cores of a server of so many processes; null where it shares all cores with the generator. */
export function serverCores(processes: number, machine: Machine): number[] | null {
  return coresFor({ processes }, machine).cores;
}

/** The server of a target in a topology. */
export function serverRef(target: string, topology: Topology): ServerRef {
  return { server: `${target}/${topology.id}`, target, topology: topology.id };
}

const CLUSTERS: Record<ClusterKind, Manager> = {
  pmx: 'pm2 with pmx',
  cluster: 'node:cluster',
  'reuse-port': 'SO_REUSEPORT',
  threads: 'worker threads',
};

function kindOf(
  name: TopologyName,
  machine: Machine,
): Pick<Topology, 'id' | 'manager' | 'processes'> {
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
 * The first core is the first generator's. If every process can have one of the others to itself, the
 * server gets the last ones: one for each process, and one for their helper threads where there is
 * room. What is between is spare. A generator on another machine changes that only where it would have to share.
 */
function coresFor(
  { processes }: Pick<Topology, 'processes'>,
  machine: Machine,
): Pick<Topology, 'cores' | 'spareCores'> {
  const rest = machine.cores.slice(1);
  if (!machine.canPin || processes > rest.length) {
    return { cores: machine.hostsGenerator ? null : machine.cores, spareCores: [] };
  }
  const spare = Math.max(0, rest.length - (processes + 1));
  return { cores: rest.slice(spare), spareCores: rest.slice(0, spare) };
}
