import { pointOf } from '../../math/statistics.ts';
import type { Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section, Text } from '../document.ts';
import { microseconds, NONE, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { spreadBlocks } from './overhead.ts';

/** A target, and what it costs more than what it is built on, where it is built on another. */
interface Rung {
  summary: CellSummary;
  step: Overhead | null;
}

const { figure, leading } = columnsOfCells<Rung>(({ summary }) => summary);

/** What a run is about: from the floor upwards, what each target adds to a request. */
export function answerSection(table: OverheadTable): Section {
  const { rows, condition } = table;
  const rungs = condition.cells
    .map((summary): Rung => {
      return { summary, step: rows.find(({ target }) => target === summary.target) ?? null };
    })
    .toSorted((a, b) => cpuOf(a) - cpuOf(b));
  const flagsOf = ({ summary, step }: Rung) => {
    return uniqueFlags([...summary.flags, ...(step?.flags ?? [])]);
  };
  const notes = new Notes(
    rungs.map((rung) => ({ label: rung.summary.target.label, flags: flagsOf(rung) })),
  );
  const ofStep = (text: (step: Overhead) => Text) => {
    return ({ step }: Rung) => (step === null ? NONE : text(step));
  };
  const columns: Column<Rung>[] = [
    leading('cost', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    { group: 'cost', head: 'over', text: true, cell: ofStep(({ over }) => over.label) },
    { group: 'cost', head: 'adds', cell: ofStep(({ cpuNs }) => signedPlusMinus(cpuNs, 1000)) },
    { group: 'cost', head: 'at least, most', text: true, cell: barOf(rows) },
    {
      group: '',
      head: 'verdict',
      text: true,
      cell: ofStep(({ comparison }) => comparison.verdict),
    },
    figure('', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    ...notes.column<Rung>('', flagsOf),
  ];
  const name = { head: 'target', cell: ({ summary }: Rung) => summary.target.label };
  const blocks = [
    tableOf(name, columns, rungs),
    ...notes.blocks(),
    paragraph(answerSentence(rungs, rows)),
    ...spreadBlocks(table),
  ];
  return section(`What each adds to a request, ${conditionName(condition)}`, blocks, notes.codes);
}

function cpuOf({ summary: { outcome } }: Rung): number {
  const cpu = outcome.state === 'measured' ? pointOf(outcome.figures.cpuPerRequest) : null;
  return cpu ?? Number.POSITIVE_INFINITY;
}

/** What a step adds, beside the others. */
function barOf(rows: readonly Overhead[]): (rung: Rung) => Text {
  const most = Math.max(...rows.map(({ cpuNs }) => (cpuNs.kind === 'none' ? 0 : highOf(cpuNs))));
  return ({ step }) => {
    if (step === null || step.cpuNs.kind === 'none') return '';
    const { cpuNs } = step;
    return { low: cpuNs.kind === 'interval' ? cpuNs.low : cpuNs.value, high: highOf(cpuNs), most };
  };
}

function highOf(estimate: Exclude<Overhead['cpuNs'], { kind: 'none' }>): number {
  return estimate.kind === 'interval' ? estimate.high : estimate.value;
}

/** What the dearest request is made of, from the floor upwards. */
function answerSentence(rungs: readonly Rung[], rows: readonly Overhead[]): string {
  const dearest = rungs.findLast((rung) => rung.step !== null && Number.isFinite(cpuOf(rung)));
  if (dearest === undefined) return 'Nothing is known of what a step adds.';
  const steps: Overhead[] = [];
  for (let target = dearest.summary.target; ; ) {
    const step = rows.find((row) => row.target === target);
    if (step === undefined || steps.includes(step)) break;
    steps.unshift(step);
    target = step.over;
  }
  const base = rungs.find(({ summary }) => summary.target === steps[0]?.over);
  const parts = steps.map(({ target, cpuNs }) => {
    return `${signedPlusMinus(cpuNs, 1000)} ${target.label}`;
  });
  const may = rows.some(({ cpuNs }) => cpuNs.kind !== 'interval' || cpuNs.low <= 0);
  return (
    `Of the ${microseconds(cpuOf(dearest))} µs of CPU that a request costs on ${dearest.summary.target.label}: ` +
    `${base === undefined ? '' : `${microseconds(cpuOf(base))} ${base.summary.target.label}, `}${parts.join(', ')}.` +
    (may ? ' A step whose interval holds 0 may cost nothing.' : '')
  );
}
