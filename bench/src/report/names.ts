import { DRIVER_NAMES } from '../load/drivers.ts';
import type { ClosedLoad, Load } from '../plan/loads.ts';
import type { Manager, Topology } from '../plan/topology.ts';
import type { Condition } from '../summary/conditions.ts';
import type { Target } from '../targets/targets.ts';
import { perSecond } from './format.ts';

/** A topology by all its names, its number among them: `max = 2`. */
export function topologyName({ names, id }: Topology): string {
  return [...new Set([...names, id])].join(' = ');
}

/** A topology in words: `as pm2 clusters of 2 (max)`. */
export function topologyWords(topology: Topology): string {
  return `${PROCESSES[topology.manager](topology.processes)}${alias(topology)}`;
}

/** A load in words: `under the cost load`. */
export function loadWords(load: Load): string {
  if (load.kind === 'closed') return load.words;
  const { ratePerS, driver } = load;
  return `at ${perSecond(ratePerS)} requests/s${driver === DRIVER_NAMES[0] ? '' : ` by ${driver}`}`;
}

/** A load in words, and as autocannon's flags: `under the cost load (-c 100 -p 10)`. */
export function loadName(load: Load): string {
  const words = loadWords(load);
  return load.kind === 'open' ? words : `${words} (${loadFlags(load)})`;
}

/** A closed loop as autocannon's flags: `-c 100 -p 10`. */
export function loadFlags({ connections, pipelining }: ClosedLoad): string {
  return `-c ${connections} -p ${pipelining}`;
}

/** A topology and a load in words. */
export function conditionName({ topology, load }: Condition): string {
  return `${topologyWords(topology)}, ${loadName(load)}`;
}

/** A target in a topology as the name of a row: `Fastify (max = 2)`. */
export function rowName({ label }: Target, topology: Topology): string {
  return `${label} (${topologyName(topology)})`;
}

const PROCESSES: Record<Manager, (processes: number) => string> = {
  none: () => 'as single processes',
  pm2: (processes) => `as pm2 clusters of ${processes}`,
  'pm2 with pmx': (processes) => `as pm2 clusters of ${processes} with pm2's monitoring`,
  'pm2 fork': () => 'as single processes under pm2 (fork mode)',
  'node:cluster': (processes) => `as clusters of ${processes} by node:cluster`,
};

/** The names of a cluster in brackets, where they say more than its number. */
function alias({ id, names }: Topology): string {
  return names.join() === id ? '' : ` (${names.join(' = ')})`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
