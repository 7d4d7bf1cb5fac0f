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
  /** Cores that neither the server nor the first generator has, for more generators in this order. */
  spareCores: z.array(z.int()),
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
    else byId.set(id, { id, names: [String(name)], workers, ...coresFor(workers, machine) });
  }
  return [...byId.values()];
}

/** The processes that serve in this topology. */
export function processesOf(topology: Topology): number {
  return topology.workers ?? 1;
}

/**
 * The first core is the first generator's. If every process can have one of the others to itself, the
 * server gets the last ones: one for each process, and one for their helper threads where there is
 * room. What is between is spare.
 */
function coresFor(
  workers: number | null,
  machine: Machine,
): Pick<Topology, 'cores' | 'spareCores'> {
  const processes = workers ?? 1;
  const rest = machine.cores.slice(1);
  if (!machine.canPin || processes > rest.length) return { cores: null, spareCores: [] };
  const spare = Math.max(0, rest.length - (processes + 1));
  return { cores: rest.slice(spare), spareCores: rest.slice(0, spare) };
}

/** The server of a target in a topology. */
export function serverRef(target: string, topology: Topology): ServerRef {
  return { server: `${target}/${topology.id}`, target, topology: topology.id };
}
