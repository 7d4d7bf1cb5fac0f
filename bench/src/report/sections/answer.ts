import { type Estimate, mapEstimate, pointOf } from '../../math/statistics.ts';
import type { LowRate, Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Target } from '../../targets/targets.ts';
import { type Flag, spoiling, uniqueFlags } from '../../validity/flags.ts';
import type { Section, Text } from '../document.ts';
import { intervalColumn } from '../drawings.ts';
import { count, decimalsOf, NONE, percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName, loadFlags } from '../names.ts';
import { paragraph, tableSection } from '../section.ts';
import { amount, type Column, words } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

/** A target, and what it costs more than what it is built on, where it is built on another. */
interface AnswerRow {
  summary: CellSummary;
  step: Overhead | null;
}

const { figure, leading } = columnsOfCells<AnswerRow>(({ summary }) => summary);

/** What a run is about: from the floor upwards, what each target adds to a request. */
export function answerSection({ rows, condition }: OverheadTable, low: LowRate | null): Section {
  const cells = condition.cells
    .map((summary): AnswerRow => {
      return { summary, step: rows.find(({ target }) => target === summary.target) ?? null };
    })
    .toSorted((a, b) => cpuOf(a) - cpuOf(b));
  const ofStep =
    (text: (step: Overhead) => Text) =>
    ({ step }: AnswerRow) =>
      step && text(step);
  const sums = inSum(cells);
  const answer = tableSection(`What each adds to a request, ${conditionName(condition)}`, {
    name: ['target', ({ summary }) => summary.target.label],
    columns: [
      leading('cost', 'CPU\nµs/request', (_, { summary }) => sums.level(summary.target)),
      words(
        'cost',
        'over',
        ofStep(({ over }) => over.label),
      ),
      amount('cost', 'adds', ofStep(sums.adds)),
      intervalColumn('cost', 'at least, most', {
        ...{ rows: cells, scale: 'linear', base: 0 },
        of: ({ step }) => step?.comparison.difference,
      }),
      words(
        '',
        'verdict',
        ofStep(({ comparison }) => comparison.verdict),
      ),
      ...(low ? [lowColumn(low)] : []),
      figure('', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    ],
    rows: cells,
    flagsOf: ({ summary, step }) => {
      return uniqueFlags([...summary.flags, ...(step?.flags ?? []), ...lowRateFlags(summary, low)]);
    },
    text: [answerSentence(cells, rows, sums)],
  });
  const arrival = low ? [paragraph(arrivalSentence(condition, low))] : [];
  return { ...answer, blocks: [...answer.blocks, ...arrival] };
}

/** What the same steps add where servers are idle most of the time. */
function lowColumn(low: LowRate): Column<AnswerRow> {
  return amount('', 'adds at a\nlow rate', ({ summary }) => {
    const step = low.rows.find(({ target }) => target === summary.target);
    if (step === undefined || lowRateFlags(summary, low).length > 0) return null;
    return signedPlusMinus(step.comparison.difference, NS_PER_US);
  });
}

/** Why what a target adds at a low rate can't be trusted. */
function lowRateFlags({ target }: CellSummary, low: LowRate | null): Flag[] {
  const own = low?.condition.cells.find((each) => each.target === target);
  return spoiling(own?.flags ?? [], 'cpu');
}

/** How requests arrive decides what they cost. */
function arrivalSentence({ load }: Condition, { ratePerS, busiest }: LowRate): string {
  const flags = load.kind === 'closed' ? ` (${loadFlags(load)})` : '';
  return (
    `What a step adds depends on how requests arrive: at a busy server${flags} many at once; at a low rate one at a ` +
    `time, about ${count(ratePerS)} a second, which keeps the busiest server, ${busiest.target.label}, busy for ` +
    `${percent(busiest.busy)} of the time.`
  );
}

/** How levels and what is added are printed. */
interface Sums {
  level: (target: Target) => string;
  adds: (step: Overhead) => string;
}

/** So that they add up as printed, all have the same decimals. */
function inSum(cells: readonly AnswerRow[]): Sums {
  const levels = new Map(cells.map(({ summary }) => [summary.target, levelOf(summary)]));
  const all = [
    ...levels.values(),
    ...cells.map(({ step }) => step?.comparison.difference ?? UNKNOWN),
  ];
  const known = all.filter(({ kind }) => kind === 'interval');
  const wanted = known.map((each) => decimalsOf(each, NS_PER_US));
  const decimals = wanted.length === 0 ? MOST_DECIMALS : Math.max(...wanted);
  const placeNs = NS_PER_US / 10 ** decimals;
  const rounded = (ns: number) => Math.round(ns / placeNs) * placeNs;
  const steps = new Map(cells.map(({ summary, step }) => [summary.target, step]));
  /** The level of what it is built on, and what it adds: of the same launches that is its own level. */
  const levelNs = (target: Target): number | null => {
    const step = steps.get(target);
    const own = pointOf(levels.get(target) ?? UNKNOWN);
    const adds = step && pointOf(step.comparison.difference);
    if (own === null || !step || adds == null) return own;
    const base = levelNs(step.over);
    return base === null ? own : base + adds;
  };
  const shifted = (from: Estimate, ns: number) => {
    const shiftNs = ns - (pointOf(from) ?? 0);
    return mapEstimate(from, (value) => value + shiftNs);
  };
  return {
    level: (target) => {
      const ns = levelNs(target);
      if (ns === null) return NONE;
      return plusMinus(shifted(levels.get(target) ?? UNKNOWN, ns), NS_PER_US, decimals);
    },
    adds: ({ target, over, comparison: { difference } }) => {
      const [own, base] = [levelNs(target), levelNs(over)];
      if (own === null || base === null) return NONE;
      const shown = shifted(difference, rounded(own) - rounded(base));
      return signedPlusMinus(shown, NS_PER_US, decimals);
    },
  };
}

const NS_PER_US = 1000;
const MOST_DECIMALS = 2;
const UNKNOWN: Estimate = { kind: 'none' };

function levelOf({ outcome }: CellSummary): Estimate {
  return outcome.state === 'measured' ? outcome.figures.cpuPerRequest : UNKNOWN;
}

function cpuOf({ summary }: AnswerRow): number {
  return pointOf(levelOf(summary)) ?? Number.POSITIVE_INFINITY;
}

/** What the dearest request is made of, from the floor upwards. */
function answerSentence(
  cells: readonly AnswerRow[],
  rows: readonly Overhead[],
  { level, adds }: Sums,
): string {
  const dearest = cells.findLast((cell) => cell.step !== null && Number.isFinite(cpuOf(cell)));
  if (dearest === undefined) return 'Nothing is known of what a step adds.';
  const steps: Overhead[] = [];
  for (let target = dearest.summary.target; ; ) {
    const step = rows.find((row) => row.target === target);
    if (step === undefined || steps.includes(step)) break;
    steps.unshift(step);
    target = step.over;
  }
  const base = cells.find(({ summary }) => summary.target === steps[0]?.over);
  const valueIn = (text: string) => text.split(' ')[0] ?? text;
  const all = valueIn(level(dearest.summary.target));
  const parts = steps.map((step) => `${adds(step)} ${step.target.label}`);
  const first =
    base === undefined
      ? []
      : [`${valueIn(level(base.summary.target))} ${base.summary.target.label}`];
  const may = rows.some(({ comparison: { difference } }) => {
    const least = difference.kind === 'interval' ? difference.low : pointOf(difference);
    return least === null || least <= 0;
  });
  return (
    `Of the ${all} µs of CPU that a request costs on ${dearest.summary.target.label}: ` +
    `${[...first, ...parts].join(', ')}.` +
    (may ? ' A step whose interval holds 0 may cost nothing.' : '')
  );
}
