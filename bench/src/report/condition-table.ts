import type { Figures } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import { pointOf } from '../math/statistics.ts';
import type { Manager } from '../plan/topology.ts';
import type { CellSummary, Condition } from '../summary/conditions.ts';
import { count, latencyTime, megabytes, NONE, plusMinus, ratio } from './format.ts';
import { conditionName } from './names.ts';
import { Notes } from './notes.ts';
import { section } from './section.ts';
import { conditionSentence } from './sentences.ts';
import { type Column, type Look, renderTable } from './table.ts';

/** Whose memory it is beside the server's. */
const MANAGER_NAMES = {
  pm2: 'pm2',
  'pm2 with pmx': 'pm2',
  'pm2 fork': 'pm2',
  'node:cluster': 'primary',
} satisfies Record<Exclude<Manager, 'none'>, string>;
const NAME = { head: 'target', cell: ({ target }: CellSummary) => target.label };

/** The main table: a row a target, of one topology under one load. */
export function conditionTable(condition: Condition, look: Look): string {
  const contiguous = condition.load.method === 'contiguous';
  const reached = condition.cells.some(({ outcome }) => outcome.state !== 'not reached');
  const notes = new Notes(
    condition.cells.map(({ target, flags }) => ({ label: target.label, flags })),
  );
  const columns = [
    ...rankColumn(condition),
    ...conditionColumns(condition, contiguous),
    ...notes.column<CellSummary>('volume', ({ flags }) => flags),
  ];
  const table = reached ? renderTable(NAME, columns, condition.cells, look) : '';
  const sentence = conditionSentence(condition, contiguous);
  return section(conditionName(condition), table, sentence, look, notes.text(look));
}

/** Places with ties, as `1`, `2=`, `2=`, `4`, where there is more than one to compare. */
function rankColumn({ cells }: Condition): Column<CellSummary>[] {
  if (cells.length < 2) return [];
  const place = ({ rank }: CellSummary) => {
    return rank === null ? NONE : `${rank.place}${rank.tied ? '=' : ''}`;
  };
  return [{ group: 'rate', head: 'rank', text: true, cell: place }];
}

function conditionColumns(condition: Condition, contiguous: boolean): Column<CellSummary>[] {
  const { manager } = condition.topology;
  const floor = condition.cells.some(({ outcome }) => {
    return outcome.state === 'measured' && outcome.figures.timesFloor.kind !== 'none';
  });
  const latency = (head: string, pick: Exclude<keyof Latency, 'deviation' | 'survivors'>) =>
    figure('latency', `${head}\nms`, (figures) =>
      figures.latency ? latencyTime(figures.latency[pick]) : NONE,
    );
  return [
    {
      group: 'rate',
      head: 'requests/s',
      cell: ({ outcome }) => {
        if (outcome.state !== 'measured') return outcome.state;
        return plusMinus(outcome.figures.throughput);
      },
    },
    figure('rate', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
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
    latency('average', 'mean'),
    latency('p50', 'p50'),
    latency('p97.5', 'p97_5'),
    latency('p99', 'p99'),
    latency('max', 'max'),
    figure('volume', 'total\n2xx', ({ ok }) => count(ok)),
    figure('volume', 'read\nMB', ({ bytes }) => megabytes(bytes)),
    figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) =>
      bytesPerResponse === null ? NONE : count(bytesPerResponse),
    ),
    figure('volume', 'errors', ({ errors }) => count(errors)),
    figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
    figure('volume', 'PSS\nMB', ({ memory }) => megabytes(memory.server)),
    ...(manager === 'none'
      ? []
      : [
          figure('volume', `${MANAGER_NAMES[manager]}\nMB`, ({ memory }: Figures) =>
            megabytes(memory.manager),
          ),
        ]),
  ];
}

function figure(
  group: string,
  head: string,
  cell: (figures: Figures) => string,
): Column<CellSummary> {
  return {
    group,
    head,
    cell: ({ outcome }) => (outcome.state === 'measured' ? cell(outcome.figures) : NONE),
  };
}
