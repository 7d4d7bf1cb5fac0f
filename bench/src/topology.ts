import { z } from 'zod';
import type { Machine } from './machine.ts';
import type { TopologyName } from './options.ts';

export const topologySchema = z.object({
  /** `single`, or the number of processes of a pm2 cluster. */
  id: z.string(),
  /** Every name the user gave it; `max` may be another's number. */
  names: z.array(z.string()).min(1),
  /** Worker processes of a pm2 cluster, or null for one plain process. */
  workers: z.int().nullable(),
  /** The cores of the server; null where it shares all cores with the generator. */
  cores: z.array(z.int()).nullable(),
});
/** How a target runs. */
export type Topology = z.infer<typeof topologySchema>;

/** A target in a topology, whatever the load. */
export interface ServerRef {
  /** `target/topology`. */
  server: string;
  target: string;
  topology: string;
}

/** The topologies of these names on this machine; those that are the same become one, with both names. */
export function resolveTopologies(names: TopologyName[], machine: Machine): Topology[] {
  const byId = new Map<string, Topology>();
  for (const name of names) {
    const workers = name === 'single' ? null : name === 'max' ? machine.parallelism : name;
    const id = workers === null ? 'single' : String(workers);
    const known = byId.get(id);
    if (known) known.names.push(String(name));
    else byId.set(id, { id, names: [String(name)], workers, cores: serverCores(workers, machine) });
  }
  return [...byId.values()];
}

/** The processes that serve in this topology. */
export function processesOf(topology: Topology): number {
  return topology.workers ?? 1;
}

/** All cores but the generator's, if every process can have one of them to itself. */
function serverCores(workers: number | null, machine: Machine): number[] | null {
  const rest = machine.cores.slice(1);
  return machine.canPin && (workers ?? 1) <= rest.length ? rest : null;
}

/** The server of a target in a topology. */
export function serverRef(target: string, topology: Topology): ServerRef {
  return { server: `${target}/${topology.id}`, target, topology: topology.id };
}
