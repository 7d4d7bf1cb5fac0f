import type { RunRecord } from '../../record/record.ts';
import type { StartSummary } from '../../summary/servers.ts';
import type { Section } from '../document.ts';
import { count, megabytes, milliseconds } from '../format.ts';
import { serverName } from '../head.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf } from '../tabulate.ts';

/** Time to the first answer and memory at rest of each server. */
export function startsSection(record: RunRecord, rows: readonly StartSummary[]): Section {
  const table = tableOf(['server', ({ server }) => serverName(record, server)], COLUMNS, rows);
  return section('Starts', [table, paragraph(READING)]);
}

const COLUMNS: Column<StartSummary>[] = [
  amount('', 'starts', ({ starts }) => count(starts)),
  amount(
    'answer',
    'first answer\nmedian, ms',
    ({ answer: own }) => own && milliseconds(own.median),
  ),
  amount('answer', 'worst,\nms', ({ answer }) => answer && milliseconds(answer.worst)),
  amount('memory', 'PSS at rest\nmedian, MB', ({ memory }) => memory && megabytes(memory.median)),
  amount('memory', 'worst,\nMB', ({ memory }) => memory && megabytes(memory.worst)),
];

const READING =
  'The first answer is the first correct one, counted from the start of the process. Up to eight servers start at a time, on ' +
  'the cores that they are measured on; alone, each would be faster. "At rest" is before any load.';
