import type { ClosedLoad, HeadlineName, Load } from '../plan/loads.ts';
import type { Manager, Topology } from '../plan/topology.ts';
import { DRIVER_NAMES } from '../request/option-values.ts';
import { unitOf } from '../summary/named-figures.ts';
import type { CellSummary, Condition } from '../summary/summary.ts';
import type { Machine } from '../system/machine.ts';
import type { Target } from '../targets/targets.ts';
import type { JudgedName } from '../workload/declaration.ts';
import { list, megabytes, perSecond, plural } from './format.ts';

/** A topology by all its names, its number among them: `max = 2`. */
export function topologyName({ names, id }: Topology): string {
  return [...new Set([...names, id])].join(' = ');
}

/** A topology in words, for rows whose targets scale in these ways: `as pm2 clusters of 2 (max)`. */
export function topologyWords(topology: Topology, rows: readonly { target: Target }[]): string {
  const ways = new Set(rows.map(({ target }) => wayOf(topology, target.scale)));
  const { id, names } = topology;
  const alias = names.join() === id ? '' : ` (${names.join(' = ')})`;
  return `${[...ways].join(' or ')}${alias}`;
}

/** Without a manager it is the same whatever a target scales by. */
function wayOf({ manager, processes }: Topology, { by }: Target['scale']): string {
  if (manager === 'none' || by === 'processes') return PROCESSES[manager](processes);
  const threads = `as processes of ${plural(processes, 'thread')}`;
  return by === 'threads' ? threads : `as ${plural(processes, 'process')} on one port`;
}

/** A load in words: `under the cost load`. */
export function loadWords(load: Load): string {
  if (load.kind === 'closed') return load.label;
  const { ratePerS, driver, hosts } = load;
  const by = driver === DRIVER_NAMES[0] ? '' : ` by ${driver}`;
  const from = hosts === 0 ? '' : ` from ${plural(hosts, 'host')}`;
  return `at ${perSecond(ratePerS)} requests/s${by}${from}`;
}

/** A load in words, and as autocannon's options: `under the cost load (-c 100 -p 10)`. */
export function loadName(load: Load): string {
  const words = loadWords(load);
  return load.kind === 'open' ? words : `${words} (${loadFlags(load)})`;
}

/** A closed loop as autocannon's options: `-c 100 -p 10`. */
export function loadFlags({ connections, pipelining }: ClosedLoad): string {
  return `-c ${connections} -p ${pipelining}`;
}

/** The headline of a load in words, the head of its column or axis, and how many base units its unit is. */
export const HEADLINES: Record<HeadlineName, { what: string; head: string; unit: number }> = {
  cpu: { what: 'CPU per request', head: 'CPU µs/request', unit: 1000 },
  throughput: { what: 'requests/s', head: 'requests/s', unit: 1 },
};

export function conditionName({ topology, load, cells }: Condition): string {
  return `${topologyWords(topology, cells)}, ${loadName(load)}`;
}

type Place = Pick<CellSummary, 'target' | 'topology'>;

/** The names of these rows: the target alone where all have the same topology. */
export function rowNames(rows: readonly Place[]): (row: Place) => string {
  const isOne = new Set(rows.map(({ topology }) => topology)).size === 1;
  return ({ target, topology }) => (isOne ? target.label : rowName(target, topology));
}

/** A target in a topology as the name of a row: `Fastify (max = 2)`. */
export function rowName({ label }: Target, topology: Topology): string {
  return `${label} (${topologyName(topology)})`;
}

/** Figures that a report calls something else than a workload does. */
const FIGURE_NAMES: Partial<Record<JudgedName, string>> = {
  throughput: 'requests/s',
  cpu: 'CPU',
  mean: 'mean latency',
  min: 'min latency',
  'mean of answers': 'mean latency of answered requests',
  max: 'max latency',
  memory: 'memory under load',
  waiting: 'waiting for a core',
  'voluntary switches': 'voluntary switches per request',
  'involuntary switches': 'involuntary switches per request',
  'page faults': 'page faults per request',
  bytes: 'read',
  'error share': 'errors',
};

export function figureName(figure: JudgedName): string {
  return FIGURE_NAMES[figure] ?? figure;
}

/** A figure with its unit, if it has one, and what is said of it before that: `read in 10 s, MB`. */
export function withUnit(figure: JudgedName, detail = ''): string {
  const unit = unitOf(figure);
  return `${figureName(figure)}${detail}${unit === '' ? '' : `, ${unit}`}`;
}

/** A machine in a line; there is room for its memory on a page. */
export function machineText(machine: Machine, { hasMemory = false } = {}): string {
  const { cpuModel, cores, hypervisor, governor, platform, kernel, versions } = machine;
  const parts = [
    `${cpuModel}, ${plural(cores.length, 'core')}`,
    hasMemory && `${megabytes(machine.memoryTotalBytes)} MB`,
    hypervisor && `under ${hypervisor}`,
    governor && `governor ${governor}`,
    `${platform} ${kernel}, Node ${versions.node}`,
  ];
  return parts.filter((part) => part).join(', ');
}

const PROCESSES: Record<Manager, (processes: number) => string> = {
  none: () => 'as single processes',
  pm2: (processes) => `as pm2 clusters of ${processes}`,
  'pm2 with pmx': (processes) => `as pm2 clusters of ${processes} with pm2's monitoring`,
  'pm2 fork': () => 'as single processes under pm2 (fork mode)',
  'node:cluster': (processes) => `as clusters of ${processes} by node:cluster`,
  SO_REUSEPORT: (processes) => `as ${plural(processes, 'process')} by SO_REUSEPORT`,
  'worker threads': (processes) => `as ${plural(processes, 'worker thread')}`,
};

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `core 1`, `cores 0 and 1`, `cores 1 to 3`, or `all cores` where nothing is pinned. */
export function coresText(cores: readonly number[] | null): string {
  if (cores === null) return 'all cores';
  const [first = 0, last = first] = [cores[0], cores.at(-1)];
  if (cores.length === 1) return `core ${first}`;
  const isRow = cores.length > 2 && last - first === cores.length - 1;
  return `cores ${isRow ? `${first} to ${last}` : list(cores.map(String))}`;
}
