import type { BoardSummary } from '../../summary/board.ts';
import type { BoardLevel, BoardRow } from '../../summary/board-levels.ts';
import type { Section } from '../document.ts';
import { latencyTime, NONE, plusMinus } from '../format.ts';
import { rowName } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { publishedBoardSection } from './board-published.ts';
import { boardText } from './board-text.ts';
import { columnsOfCells } from './cell-columns.ts';
import { ladderSections } from './ladder.ts';
import { serviceColumns } from './service-columns.ts';

/** All that a run of the board shows. */
export function boardSections({ levels, ladders, causes, published }: BoardSummary): Section[] {
  return [
    ...boardText(causes),
    ...(published ? [publishedBoardSection(published)] : []),
    ...(ladders ? ladderSections(ladders) : []),
    ...levels.map(levelSection),
  ];
}

/** A path under one number of connections: every server, on its cores. */
function levelSection({ path, load: { connections }, rows }: BoardLevel): Section {
  const heading = `GET ${path} with ${connections} connections`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const nameOf = ({ summary, topology }: BoardRow) => rowName(summary.target, topology);
  const notes = new Notes(rows.map((row) => ({ label: nameOf(row), flags: row.summary.flags })));
  const columns = [
    ...columnsOf(rows),
    ...notes.column<BoardRow>('memory', ({ summary }) => summary.flags),
  ];
  const table = tableOf({ head: 'target', cell: nameOf }, columns, rows);
  return section(heading, [table, ...notes.blocks(), paragraph(READING)], notes.codes);
}

const { leading, figure, latency } = columnsOfCells<BoardRow>(({ summary }) => summary);

function columnsOf(rows: readonly BoardRow[]): Column<BoardRow>[] {
  const services = serviceColumns(rows, servicesOf, { cpu: 'rate', memory: 'memory' });
  return [
    leading('rate', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    figure('rate', 'server\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    ...services.cpu,
    latency('p50\nms', ({ p50 }) => latencyTime(p50)),
    latency('p99\nms', ({ p99 }) => latencyTime(p99)),
    figure('memory', 'peak\nMB', ({ peakMemory }) => {
      return peakMemory.kind === 'none' ? NONE : plusMinus(peakMemory, 1e6);
    }),
  ];
}

function servicesOf({ summary: { outcome } }: BoardRow) {
  return outcome.state === 'measured' ? outcome.services : null;
}

const READING =
  'The cheapest request first, by the CPU time of server and services together. Peak memory is the most that ' +
  "the server's processes had resident (VmHWM), summed; they were started for this number of connections alone.";
