import { pointOf } from '../../math/statistics.ts';
import type { Manager } from '../../plan/topology.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { count, megabytes, plusMinus, ratio } from '../format.ts';
import { conditionName } from '../names.ts';
import { flaggedTable, isUnreached, paragraph, section } from '../section.ts';
import { type Column, words } from '../tabulate.ts';
import { columnsOfCells, figuresIn, servicesIn } from './cell-columns.ts';
import { conditionSentence } from './condition-sentence.ts';
import { serviceColumns } from './service-columns.ts';

/** Whose memory it is beside the server's; null where there is nobody. */
const MANAGER_NAMES: Record<Manager, string | null> = {
  none: null,
  pm2: 'pm2',
  'pm2 with pmx': 'pm2',
  'pm2 fork': 'pm2',
  'node:cluster': 'primary',
  SO_REUSEPORT: null,
  'worker threads': null,
};

/** The main table: a row a target, of one topology under one load; with details all that is known of each. */
export function conditionSection(condition: Condition, { details }: { details: boolean }): Section {
  const { cells } = condition;
  const { blocks, codes } = flaggedTable({
    name: ['target', ({ target }) => target.label],
    columns: conditionColumns(condition, details),
    rows: cells,
    flagGroup: 'volume',
    flagsOf: ({ flags }) => flags,
  });
  const all = details || isFailing(cells) ? [] : ['No errors, no time-outs.'];
  const text = paragraph([conditionSentence(condition), ...all].join(' '));
  return section(conditionName(condition), isUnreached(cells) ? [text] : [...blocks, text], codes);
}

const { leading, figure, latency, memory } = columnsOfCells<CellSummary>((cell) => cell);

function conditionColumns(
  { cells, load, topology: { manager } }: Condition,
  details: boolean,
): Column<CellSummary>[] {
  const services = serviceColumns(cells, servicesIn, { cpu: 'rate', memory: 'volume' });
  const keeper = MANAGER_NAMES[manager];
  const hasFloor = cells.some((cell) => {
    const { timesFloor } = figuresIn(cell) ?? {};
    return timesFloor !== undefined && timesFloor.kind !== 'none';
  });
  return [
    ...(cells.length > 1 ? [RANK] : []),
    leading('rate', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    figure('rate', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    ...services.cpu,
    ...(hasFloor ? [FLOOR] : []),
    ...(load.method === 'contiguous' ? [ANSWERED] : []),
    ...(details ? TIMES : [latency('p50\nms', 'p50'), latency('p99\nms', 'p99')]),
    ...(details ? VOLUME : []),
    ...(details || isFailing(cells) ? FAILURES : []),
    memory('volume', 'PSS\nMB', 'server'),
    ...services.memory,
    ...(keeper === null ? [] : [memory('volume', `${keeper}\nMB`, 'manager')]),
  ];
}

/** Places with ties, as `1`, `2=`, `2=`, `4`. */
const RANK = words<CellSummary>('rate', 'rank', ({ rank }) => {
  return rank && `${rank.place}${rank.tied ? '=' : ''}`;
});

const FLOOR = figure('rate', '× the\nfloor', ({ timesFloor }) => {
  const value = pointOf(timesFloor);
  return value === null ? null : ratio(value);
});

const ANSWERED = figure('latency', 'answered', ({ answered }) => {
  return `${count(answered.ok)} of ${count(answered.sent)}`;
});

const TIMES = [
  latency('average\nms', 'mean'),
  latency('p50\nms', 'p50'),
  latency('p97.5\nms', 'p97_5'),
  latency('p99\nms', 'p99'),
  latency('max\nms', 'max'),
];

const VOLUME = [
  figure('volume', 'total\n2xx', ({ ok }) => count(ok)),
  figure('volume', 'read\nMB', ({ bytes }) => megabytes(bytes)),
  figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) => {
    return bytesPerResponse === null ? null : count(bytesPerResponse);
  }),
];

const FAILURES = [
  figure('volume', 'errors', ({ errors }) => count(errors)),
  figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
];

/** Whether some request had no answer, or a wrong one, or nobody knows. */
function isFailing(cells: readonly CellSummary[]): boolean {
  return cells.some((cell) => {
    const figures = figuresIn(cell);
    return figures === null || figures.errors > 0 || figures.timeouts > 0;
  });
}
