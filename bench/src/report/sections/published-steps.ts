import type { CellSummary } from '../../summary/conditions.ts';
import {
  latencyOfCell,
  type MemoryRow,
  type Said,
  type StepRow,
  type StepsTable,
} from '../../summary/published-steps.ts';
import type { Block, Section } from '../document.ts';
import { latencyTime, megabytes, NONE, plusMinus, ratio, ratioRange } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** What was said, as it stands in a table. */
const SAID: Record<Said, string> = { more: 'more', closer: 'closer', same: 'about the same' };

/** What was published beside what was measured: CPU time, latency and memory, step by step. */
export function stepsSection(table: StepsTable, sentences: readonly string[]): Section {
  const { published, quiet, memory, ratios, source, cpu } = table;
  const blocks: Block[] = [
    ...[published, quiet].flatMap((found) => (found ? [cpuTable(found)] : [])),
    ...(memory.length > 0 ? [memoryTable(memory)] : []),
    ...ratios.map(({ step, nest, gin, published: was, measured }) =>
      paragraph(
        `Under load ${nest.label} took ${ratio(was)} times the memory of ${gin.label} as published at step ${step}, ` +
          `and ${ratioRange(measured.ratio)} times here.`,
      ),
    ),
    paragraph([...sentences, `${source}, on ${cpu}.`].join(' ')),
  ];
  return section('Published beside measured', blocks);
}

function cpuTable({ condition, rows }: NonNullable<StepsTable['published']>): Block {
  const of = (which: 'nest' | 'gin'): Column<StepRow>[] => {
    const name = which === 'nest' ? 'Nest' : 'Gin';
    return [
      {
        group: which,
        head: `${name}\nµs/request`,
        cell: (row) => cpuText(row[which]),
      },
      { group: which, head: `${name}, p50\nms`, cell: (row) => timeText(row[which], 'p50') },
      { group: which, head: `${name}, p99\nms`, cell: (row) => timeText(row[which], 'p99') },
    ];
  };
  const columns: Column<StepRow>[] = [
    { group: 'cpu', head: "Gin's CPU\nas published", text: true, cell: ({ said }) => SAID[said] },
    { group: 'cpu', head: 'times\nNest', cell: ({ comparison }) => ratioRange(comparison.ratio) },
    { group: 'cpu', head: 'verdict', text: true, cell: ({ comparison }) => comparison.verdict },
    ...of('nest'),
    ...of('gin'),
  ];
  const name = { head: conditionName(condition), cell: ({ step }: StepRow) => `step ${step}` };
  return tableOf(name, columns, rows);
}

function cpuText({ outcome }: CellSummary): string {
  return outcome.state === 'measured' ? plusMinus(outcome.figures.cpuPerRequest, 1000) : NONE;
}

function timeText(cell: CellSummary, which: 'p50' | 'p99'): string {
  const latency = latencyOfCell(cell);
  return latency ? latencyTime(latency[which]) : NONE;
}

function memoryTable(rows: MemoryRow[]): Block {
  const columns: Column<MemoryRow>[] = [
    { group: '', head: 'published\nMB', cell: ({ published }) => megabytes(published) },
    { group: '', head: 'measured here\nMB', cell: ({ measured }) => plusMinus(measured, 1e6) },
  ];
  const cell = ({ step, target, when }: MemoryRow) => `${target.label}, ${when} (step ${step})`;
  return tableOf({ head: 'memory of', cell }, columns, rows);
}
