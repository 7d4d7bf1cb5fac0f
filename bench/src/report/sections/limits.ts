import type { Topology } from '../../plan/topology.ts';
import type { ClaimOutcome, LimitRow, LimitSetting, LimitTable } from '../../summary/limits.ts';
import { withoutLimit } from '../../targets/copies.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { list, number, percent, plural, plusMinus, ratioRange } from '../format.ts';
import { loadName, topologyName } from '../names.ts';
import { cellSection } from '../section.ts';
import { amount, words } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

const cellOf = ({ summary }: LimitRow) => summary;
const { leading, figure, latency } = columnsOfCells(cellOf);

/** Every target under its CPU limits, topology by topology, and which of these each limit wants. */
export function limitSection({ load, rows, settings, claim }: LimitTable): Section {
  return cellSection(`CPU limits, ${loadName(load)}`, cellOf, {
    name: ['target', ({ target }) => withoutLimit(target).label],
    columns: rows.some(hasSwitches) ? [...COLUMNS, ...SWITCHES] : COLUMNS,
    rows,
    flagGroup: 'cpu',
    labelOf: rowLabel,
    text: [
      ...settings.map(settingSentence),
      ...unreachedSentence(rows),
      ...claimSentences(claim),
      READING,
    ],
  });
}

const READING =
  'A quota is given anew ten times a second. Throttled is the share of these periods in which it was used up ' +
  'while more was wanted; held back is for how long, which counts on each core that threads waited for.';

const COLUMNS = [
  amount<LimitRow>('', 'limit,\ncores', ({ limit }) => String(limit)),
  words<LimitRow>('', 'as', ({ target, topology }) => settingName(target, topology)),
  leading('rate', 'requests/s', ({ throughput }) => plusMinus(throughput)),
  latency('p50\nms', 'p50'),
  latency('p95\nms', 'p95'),
  latency('p99\nms', 'p99'),
  amount<LimitRow>('throttled', 'throttled', ({ held }) => held && percent(held.periodsShare)),
  amount<LimitRow>('throttled', 'held back\nms/s', ({ held }) => {
    return held && number(held.timeShare * 1000);
  }),
  figure('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
];

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

function claimSentences(claim: ClaimOutcome | null): string[] {
  if (claim === null) return [];
  const { compared, worse, notWorse } = claim;
  const untold = compared - worse - notWorse;
  const outcomes = [
    ...(worse > 0 ? [`both were worse in ${worse}`] : []),
    ...(notWorse > 0 ? [`neither was in ${notWorse}`] : []),
    ...(untold > 0 ? [`it can't be told, or they differ, in ${untold}`] : []),
  ];
  return [
    'Published, of Go in Kubernetes: more threads than the CPU limit cost context switches, and worsen p95 and p99.',
    `Here, of ${plural(compared, 'comparison')} of more threads than the limit can use with as many, ${list(outcomes)}.`,
  ];
}
