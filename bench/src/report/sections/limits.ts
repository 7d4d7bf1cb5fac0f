import type { Topology } from '../../plan/topology.ts';
import type { LimitRow, LimitSetting, LimitTable } from '../../summary/limits.ts';
import { limitsOf, withoutLimit } from '../../targets/copies.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { list, number, percent, plural, plusMinus, ratioRange } from '../format.ts';
import { loadName, topologyName } from '../names.ts';
import { cellSection } from '../section.ts';
import { amount, words } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

const cellOf = ({ summary }: LimitRow) => summary;
const { leading, figure, latency, memory: memoryOf } = columnsOfCells(cellOf);

/** Every target under its limits, topology by topology, and which of these each limit wants. */
export function limitSection({ load, rows, settings }: LimitTable): Section {
  const targets = rows.map(({ target }) => target);
  const cpu = limitsOf(targets).length > 0;
  const memory = limitsOf(targets, 'memoryLimit').length > 0;
  const what = list([...(cpu ? ['CPU'] : []), ...(memory ? ['memory'] : [])]);
  return cellSection(`${what} limits, ${loadName(load)}`, cellOf, {
    name: ['target', ({ target }) => withoutLimit(target).label],
    columns: [
      ...(cpu ? [CPU_LIMIT] : []),
      ...(memory ? [MEMORY_LIMIT] : []),
      ...COLUMNS,
      ...(cpu ? THROTTLING : []),
      ...(memory ? [MEMORY] : []),
      CPU,
      ...(cpu && rows.some(hasSwitches) ? SWITCHES : []),
    ],
    rows,
    flagGroup: 'cpu',
    labelOf: rowLabel,
    text: [
      ...settings.flatMap((each) => [...demandSentence(each), settingSentence(each)]),
      ...unreachedSentence(rows),
      ...(cpu ? [READING] : []),
    ],
  });
}

const READING =
  'A quota is given anew ten times a second. Throttled is the share of these periods in which it was used up ' +
  'while more was wanted; held back is for how long, which counts on each core that threads waited for.';

const CPU_LIMIT = amount<LimitRow>('', 'limit,\ncores', ({ target: { cpuLimit } }) => {
  return cpuLimit === null ? null : String(cpuLimit);
});

const MEMORY_LIMIT = amount<LimitRow>('', 'limit,\nMB', ({ target: { memoryLimit } }) => {
  return memoryLimit === null ? null : String(memoryLimit / 1e6);
});

const MEMORY = memoryOf('memory', 'PSS\nMB', 'server');

const COLUMNS = [
  words<LimitRow>('', 'as', ({ target, topology }) => settingName(target, topology)),
  leading('rate', 'requests/s', ({ throughput }) => plusMinus(throughput)),
  latency('p50\nms', 'p50'),
  latency('p95\nms', 'p95'),
  latency('p99\nms', 'p99'),
];

const THROTTLING = [
  amount<LimitRow>('throttled', 'throttled', ({ held }) => held && percent(held.periodsShare)),
  amount<LimitRow>('throttled', 'held back\nms/s', ({ held }) => {
    return held && number(held.timeShare * 1000);
  }),
];

const CPU = figure('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000));

/** Old records have none. */
function hasSwitches({ switches }: LimitRow): boolean {
  return switches.involuntary.kind !== 'none';
}

const SWITCHES = [
  amount<LimitRow>('switches', 'switches/\nrequest', ({ switches }) =>
    plusMinus(switches.voluntary),
  ),
  amount<LimitRow>('switches', 'forced', ({ switches }) => plusMinus(switches.involuntary)),
];

/** A topology as it is to this target: `2 threads`, or `single`. */
function settingName({ scale }: Target, topology: Topology): string {
  return scale.by === 'threads' ? plural(topology.processes, 'thread') : topologyName(topology);
}

function rowLabel({ target, topology }: LimitRow): string {
  return `${target.label} (${settingName(target, topology)})`;
}

/** How many processes a rate takes, by the CPU time of its requests. */
function demandSentence({ target, demand }: LimitSetting): string[] {
  const { cpuLimit, scale, label } = target;
  if (demand === null || cpuLimit === null) return [];
  const { cores, processes } = demand;
  const busy = `The requests of ${label} keep ${cores.toFixed(2)} cores busy`;
  if (processes === null) {
    return [`${busy}, too near the limit for any number of processes.`];
  }
  const needed =
    scale.by === 'threads'
      ? plural(processes, 'thread')
      : plural(processes, 'process', 'processes');
  return [`${busy}: ${needed} should do.`];
}

/** Which setting a limit wants, and what the others come to beside the one with the fewest. */
export function settingSentence({ target, base, others, wants }: LimitSetting): string {
  const [first, ...rest] = others.map(({ topology, readings }) => {
    const parts = readings.map(({ name, comparison: { ratio } }) => {
      return `${name === 'throughput' ? 'requests/s' : name} ${ratioRange(ratio)}`;
    });
    return `${settingName(target, topology)} ${list(parts)}`;
  });
  const beside = `times what ${settingName(target, base)} has`;
  const parts = [`with ${first} ${beside}`, ...rest.map((each) => `with ${each} times`)];
  const figures = parts.join(', ');
  return wants === null
    ? `Which setting ${target.label} wants can't be told: ${figures}.`
    : `${target.label} wants ${settingName(target, wants)}: ${figures}.`;
}

function unreachedSentence(rows: LimitRow[]): string[] {
  const free = rows.filter(({ held }) => held?.periodsShare === 0).map(rowLabel);
  if (free.length === 0) return [];
  return [`Never reached was the limit of ${list(free)}: it changed nothing there.`];
}
