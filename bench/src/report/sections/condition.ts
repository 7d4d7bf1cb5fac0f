import { pointOf } from '../../math/statistics.ts';
import type { Manager } from '../../plan/topology.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { count, latencyTime, megabytes, memoryText, NONE, plusMinus, ratio } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { conditionSentence } from './condition-sentence.ts';
import { serviceColumns } from './service-columns.ts';

/** Whose memory it is beside the server's. */
const MANAGER_NAMES = {
  pm2: 'pm2',
  'pm2 with pmx': 'pm2',
  'pm2 fork': 'pm2',
  'node:cluster': 'primary',
} satisfies Record<Exclude<Manager, 'none'>, string>;
const NAME = { head: 'target', cell: ({ target }: CellSummary) => target.label };

/** The main table: a row a target, of one topology under one load; with details all that is known of each. */
export function conditionSection(condition: Condition, { details }: { details: boolean }): Section {
  const { cells } = condition;
  const contiguous = condition.load.method === 'contiguous';
  const notes = new Notes(cells.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns = [
    ...rankColumn(condition),
    ...conditionColumns(condition, { contiguous, details }),
    ...notes.column<CellSummary>('volume', ({ flags }) => flags),
  ];
  const all = details || isFailing(cells) ? [] : ['No errors, no time-outs.'];
  const blocks = [
    ...(isUnreached(cells) ? [] : [tableOf(NAME, columns, cells)]),
    ...notes.blocks(),
    paragraph([conditionSentence(condition, contiguous), ...all].join(' ')),
  ];
  return section(conditionName(condition), blocks, notes.codes);
}

/** Places with ties, as `1`, `2=`, `2=`, `4`, where there is more than one to compare. */
function rankColumn({ cells }: Condition): Column<CellSummary>[] {
  if (cells.length < 2) return [];
  const place = ({ rank }: CellSummary) => {
    return rank === null ? NONE : `${rank.place}${rank.tied ? '=' : ''}`;
  };
  return [{ group: 'rate', head: 'rank', text: true, cell: place }];
}

const { leading, figure, latency, quantiles } = columnsOfCells<CellSummary>((cell) => cell);

function conditionColumns(
  { cells, topology: { manager } }: Condition,
  { contiguous, details }: { contiguous: boolean; details: boolean },
): Column<CellSummary>[] {
  const services = serviceColumns(cells, servicesOf, { cpu: 'rate', memory: 'volume' });
  const floor = cells.some(({ outcome }) => {
    return outcome.state === 'measured' && outcome.figures.timesFloor.kind !== 'none';
  });
  return [
    leading('rate', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    figure('rate', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    ...services.cpu,
    ...(floor
      ? [
          figure('rate', '× the\nfloor', ({ timesFloor }) => {
            const value = pointOf(timesFloor);
            return value === null ? NONE : ratio(value);
          }),
        ]
      : []),
    ...(contiguous
      ? [
          figure('latency', 'answered', ({ answered }) => {
            return `${count(answered.ok)} of ${count(answered.sent)}`;
          }),
        ]
      : []),
    ...(details
      ? [
          latency('average\nms', ({ mean }) => latencyTime(mean)),
          ...quantiles((name) => `${name}\nms`),
          ...VOLUME,
        ]
      : [
          latency('p50\nms', ({ p50 }) => latencyTime(p50)),
          latency('p99\nms', ({ p99 }) => latencyTime(p99)),
        ]),
    ...(details || isFailing(cells) ? FAILURES : []),
    figure('volume', 'PSS\nMB', ({ memory }) => memoryText(memory.server)),
    ...services.memory,
    ...(manager === 'none'
      ? []
      : [
          figure('volume', `${MANAGER_NAMES[manager]}\nMB`, ({ memory }) =>
            memory.manager === 0 ? NONE : megabytes(memory.manager),
          ),
        ]),
  ];
}

const VOLUME = [
  figure('volume', 'total\n2xx', ({ ok }) => count(ok)),
  figure('volume', 'read\nMB', ({ bytes }) => megabytes(bytes)),
  figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) =>
    bytesPerResponse === null ? NONE : count(bytesPerResponse),
  ),
];

const FAILURES = [
  figure('volume', 'errors', ({ errors }) => count(errors)),
  figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
];

/** Whether some request had no answer, or a wrong one, or nobody knows. */
function isFailing(cells: readonly CellSummary[]): boolean {
  return cells.some(({ outcome }) => {
    return (
      outcome.state !== 'measured' || outcome.figures.errors > 0 || outcome.figures.timeouts > 0
    );
  });
}

function servicesOf({ outcome }: CellSummary) {
  return outcome.state === 'measured' ? outcome.services : null;
}
