import type { Topology } from '../../plan/topology.ts';
import type { LimitRow, LimitSetting, LimitTable } from '../../summary/limits.ts';
import { withoutLimit } from '../../targets/copies.ts';
import type { Target } from '../../targets/targets.ts';
import { amount, type Column, type Section, words } from '../document.ts';
import { list, number, percent, plural, plusMinus, ratioRange } from '../format.ts';
import { loadName, topologyName } from '../names.ts';
import { cellSection } from '../section.ts';
import { cpu, latency, leading, memory, throughput } from './columns.ts';

/** Every target under its limits in each topology, and which topology suits each limit best. */
export function limitSection({ load, rows, settings }: LimitTable): Section {
  const hasCpu = rows.some(({ target }) => target.cpuLimit !== null);
  const hasMemory = rows.some(({ target }) => target.memoryLimit !== null);
  const what = list([...(hasCpu ? ['CPU'] : []), ...(hasMemory ? ['memory'] : [])]);
  return cellSection(`${what} limits, ${loadName(load)}`, {
    name: ['target', ({ target }) => withoutLimit(target).label],
    columns: columnsOf(rows, hasCpu, hasMemory),
    rows,
    flagGroup: 'cpu',
    noted: rows.map((row) => ({ label: rowLabel(row), flags: row.flags })),
    text: [
      ...settings.flatMap((each) => [demandText(each), settingText(each)]),
      unreachedText(rows),
      hasCpu ? READING : null,
    ],
  });
}

const READING =
  'A quota is renewed ten times a second. Throttled: the share of these periods in which it ran out; held back: for how ' +
  'long, counted on each core that threads waited for.';

function columnsOf(rows: readonly LimitRow[], hasCpu: boolean, hasMemory: boolean) {
  // Old records have no context switches.
  const hasSwitches = rows.some(({ switches }) => switches.involuntary.kind !== 'none');
  const limit = (unit: string, of: (target: Target) => number | null) => {
    return amount<LimitRow>('', `limit,\n${unit}`, ({ target }) => of(target)?.toString());
  };
  return [
    ...(hasCpu ? [limit('cores', ({ cpuLimit }) => cpuLimit)] : []),
    ...(hasMemory ? [limit('MB', ({ memoryLimit }) => memoryLimit && memoryLimit / 1e6)] : []),
    words<LimitRow>('', 'as', ({ target, topology }) => settingName(target, topology)),
    leading(throughput('rate')),
    latency('p50'),
    latency('p95'),
    latency('p99'),
    ...(hasCpu ? THROTTLING : []),
    ...(hasMemory ? [memory('memory', 'PSS\nMB', 'server')] : []),
    cpu('cpu'),
    ...(hasCpu && hasSwitches ? SWITCHES : []),
  ];
}

const THROTTLING: Column<LimitRow>[] = [
  amount('throttled', 'throttled', ({ held }) => held && percent(held.periodsShare)),
  amount('throttled', 'held back\nms/s', ({ held }) => held && number(held.timeShare * 1000)),
];

const SWITCHES: Column<LimitRow>[] = [
  amount('switches', 'switches/\nrequest', ({ switches }) => plusMinus(switches.voluntary)),
  amount('switches', 'forced', ({ switches }) => plusMinus(switches.involuntary)),
];

/** The topology of a target: `2 threads` or `single`. */
function settingName({ scale }: Target, topology: Topology): string {
  return scale.by === 'threads' ? plural(topology.processes, 'thread') : topologyName(topology);
}

function rowLabel({ target, topology }: LimitRow): string {
  return `${target.label} (${settingName(target, topology)})`;
}

function demandText({ target: { scale, label }, demand }: LimitSetting): string | null {
  if (demand === null) return null;
  const { cores, processes } = demand;
  const busy = `The requests of ${label} keep ${cores.toFixed(2)} cores busy`;
  if (processes === null) return `${busy}, too close to the limit for any number of processes.`;
  return `${busy}: ${plural(processes, scale.by === 'threads' ? 'thread' : 'process')} should do.`;
}

function settingText({ target, base, others, wants }: LimitSetting): string {
  const parts = others.map(({ topology, readings }) => {
    const ratios = readings.map(({ name, comparison: { ratio } }) => {
      return `${name === 'throughput' ? 'requests/s' : name} ${ratioRange(ratio)}`;
    });
    return `${list(ratios)} with ${settingName(target, topology)}`;
  });
  const best = wants === null ? "can't tell" : settingName(target, wants);
  return `Best for ${target.label}: ${best}. Relative to ${settingName(target, base)}: ${parts.join('; ')}.`;
}

function unreachedText(rows: LimitRow[]): string | null {
  const free = rows.filter(({ held }) => held?.periodsShare === 0).map(rowLabel);
  return free.length === 0
    ? null
    : `Never reached its limit, which changed nothing: ${list(free)}.`;
}
