import type { Condition } from '../conditions.ts';
import type { Load } from '../plan.ts';
import type { Topology } from '../topology.ts';

/** A topology by all its names: `max = 2`. */
export function topologyName({ names }: Topology): string {
  return names.join(' = ');
}

/** A load in words: `under the cost load (-c 100 -p 10)`. */
export function loadName({ id, connections, pipelining }: Load): string {
  return `under the ${id} load (-c ${connections} -p ${pipelining})`;
}

/** A topology and a load in words. */
export function conditionName({ topology, load }: Condition): string {
  const processes =
    topology.workers === null
      ? 'as single processes'
      : `as pm2 clusters of ${topology.workers}${alias(topology)}`;
  return `${processes}, ${loadName(load)}`;
}

/** The names of a cluster in brackets, where they say more than its number. */
function alias({ id, names }: Topology): string {
  return names.join() === id ? '' : ` (${names.join(' = ')})`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
