import type { CellSummary } from '../../summary/conditions.ts';
import {
  latencyOfCell,
  type Said,
  type StepRow,
  type StepsTable,
} from '../../summary/published-steps.ts';
import type { Block, Section } from '../document.ts';
import { latencyTime, megabytes, NONE, plusMinus, ratio, ratioRange } from '../format.ts';
import { loadWords, topologyName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** What was said, as it stands in a table. */
const SAID: Record<Said, string> = { more: 'more', closer: 'closer', same: 'about the same' };
const NAMES = { nest: 'Nest', gin: 'Gin' };

/** What was published beside what was measured, CPU time, latency and memory, with these sentences below. */
export function stepsSection(table: StepsTable, sentences: readonly string[]): Section {
  const { published, quiet, source, cpu } = table;
  const rows = [published, quiet].flatMap((found) => (found ? rowsOf(found) : []));
  const blocks: Block[] = [
    ...(rows.length > 0 ? [cpuTable(rows)] : []),
    ...memoryTable(table),
    paragraph([...sentences, `${source}, on ${cpu}.`].join(' ')),
  ];
  return section('Published beside measured', blocks);
}

/** A step, and where it was measured. */
interface Row extends StepRow {
  where: string;
}

function rowsOf({ condition, rows }: NonNullable<StepsTable['published']>): Row[] {
  const { load, topology } = condition;
  return rows.map((row) => ({ ...row, where: `${loadWords(load)} (${topologyName(topology)})` }));
}

function cpuTable(rows: Row[]): Block {
  const of = (which: keyof typeof NAMES): Column<Row>[] => [
    { group: which, head: `${NAMES[which]}\nµs/request`, cell: (row) => cpuText(row[which]) },
    { group: which, head: `${NAMES[which]}, p50\nms`, cell: (row) => timeText(row[which], 'p50') },
    { group: which, head: `${NAMES[which]}, p99\nms`, cell: (row) => timeText(row[which], 'p99') },
  ];
  const columns: Column<Row>[] = [
    { group: '', head: 'read', text: true, cell: ({ where }) => where },
    { group: '', head: "Gin's CPU\nas published", text: true, cell: ({ said }) => SAID[said] },
    { group: '', head: 'times\nNest', cell: ({ comparison }) => ratioRange(comparison.ratio) },
    { group: '', head: 'verdict', text: true, cell: ({ comparison }) => comparison.verdict },
    ...of('nest'),
    ...of('gin'),
  ];
  return tableOf({ head: 'CPU', cell: ({ step }: Row) => `step ${step}` }, columns, rows);
}

function cpuText({ outcome }: CellSummary): string {
  return outcome.state === 'measured' ? plusMinus(outcome.figures.cpuPerRequest, 1000) : NONE;
}

function timeText(cell: CellSummary, which: 'p50' | 'p99'): string {
  const latency = latencyOfCell(cell);
  return latency ? latencyTime(latency[which]) : NONE;
}

/** A line of the table of memory. */
interface Line {
  name: string;
  published: string;
  measured: string;
}

function memoryTable({ memory, ratios }: StepsTable): Block[] {
  const lines: Line[] = [
    ...memory.map(({ step, language, when, published, measured }) => ({
      name: `step ${step}: ${NAMES[language]} ${when}, MB`,
      published: megabytes(published),
      measured: plusMinus(measured, 1e6),
    })),
    ...ratios.map(({ step, published, measured }) => ({
      name: `step ${step}: ${NAMES.nest} over ${NAMES.gin}`,
      published: ratio(published),
      measured: ratioRange(measured.ratio),
    })),
  ];
  if (lines.length === 0) return [];
  const columns: Column<Line>[] = [
    { group: '', head: 'published', cell: ({ published }) => published },
    { group: '', head: 'measured here', cell: ({ measured }) => measured },
  ];
  return [tableOf({ head: 'memory', cell: ({ name }: Line) => name }, columns, lines)];
}
