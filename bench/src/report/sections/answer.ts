import { type Estimate, type MaybeEstimate, mapEstimate, pointOf } from '../../math/statistics.ts';
import type { LowRate, Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { CellSummary } from '../../summary/summary.ts';
import type { Target } from '../../targets/targets.ts';
import { spoiling } from '../../validity/flags.ts';
import { amount, type Section, words } from '../document.ts';
import { intervals } from '../drawings.ts';
import { count, decimalsOf, percent, plusMinus, sentences, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { CPU_HEAD, leading, TARGET, throughput } from './columns.ts';
import { MAY_BE_NOTHING } from './comparisons.ts';

/** A target with its overhead; null for one that is built on nothing. */
type AnswerRow = CellSummary & { step: Overhead | null };

const NS_PER_US = 1000;
const MOST_DECIMALS = 2;

/** The first table of a run: what each target adds to a request, the cheapest target first. */
export function answerSection({ rows, condition }: OverheadTable, low: LowRate | null): Section {
  const costOf = ({ figures }: CellSummary) => pointOf(figures?.cpuPerRequest) ?? Number.MAX_VALUE;
  const all = condition.cells
    .toSorted((a, b) => costOf(a) - costOf(b))
    .map((cell): AnswerRow => {
      return { ...cell, step: rows.find(({ target }) => target === cell.target) ?? null };
    });
  const { level, adds } = sumsOf(all);
  const lowFlags = ({ target }: AnswerRow) => {
    const own = low?.condition.cells.find((each) => each.target === target);
    return spoiling(own?.flags ?? [], 'cpu');
  };
  const lowColumn = amount<AnswerRow>('', 'adds at a\nlow rate', (row) => {
    const step = low?.rows.find(({ target }) => target === row.target);
    if (step === undefined || lowFlags(row).length > 0) return null;
    return signedPlusMinus(step.comparison.difference, NS_PER_US);
  });
  return tableSection(`What each adds to a request, ${conditionName(condition)}`, {
    name: TARGET,
    columns: [
      leading(amount<AnswerRow>('cost', CPU_HEAD, ({ target }) => level(target))),
      words<AnswerRow>('cost', 'over', ({ step }) => step?.over.label),
      amount<AnswerRow>('cost', 'adds', ({ step }) => step && adds(step)),
      intervals('values', 'cost', all, ({ step }) => step?.comparison.difference),
      words<AnswerRow>('', 'verdict', ({ step }) => step?.comparison.verdict),
      ...(low ? [lowColumn] : []),
      throughput(''),
    ],
    rows: all,
    flagsOf: (row) => [...row.flags, ...(row.step?.comparison.flags ?? []), ...lowFlags(row)],
    text: [
      dearestText(all, { level, adds }),
      low &&
        `At the low rate (${count(low.ratePerS)}/s, one at a time) the busiest server is ${percent(low.busiest.busy)} busy.`,
    ],
  });
}

/** Prints levels and overheads with the same decimals, so that they add up as printed. */
function sumsOf(rows: readonly AnswerRow[]) {
  const byTarget = new Map(rows.map((row) => [row.target, row]));
  const wanted = rows
    .flatMap(({ figures, step }) => [figures?.cpuPerRequest, step?.comparison.difference])
    .flatMap((each) => (each?.kind === 'interval' ? decimalsOf(each, NS_PER_US) : []));
  const decimals = wanted.length === 0 ? MOST_DECIMALS : Math.max(...wanted);
  const placeNs = NS_PER_US / 10 ** decimals;
  const rounded = (ns: number) => Math.round(ns / placeNs) * placeNs;
  const shifted = (from: Estimate, ns: number) => {
    const shiftNs = ns - (pointOf(from) ?? 0);
    return mapEstimate(from, (value) => value + shiftNs);
  };
  /** Around the level of the base plus the overhead; with the same launches this is the target's own level. */
  const levelOf = (target: Target): MaybeEstimate => {
    const { figures, step = null } = byTarget.get(target) ?? {};
    const adds = step && pointOf(step.comparison.difference);
    const base = step && pointOf(levelOf(step.over));
    const cpu = figures?.cpuPerRequest;
    return !cpu || adds === null || base === null ? cpu : shifted(cpu, base + adds);
  };
  return {
    level: (target: Target) => plusMinus(levelOf(target), NS_PER_US, decimals),
    adds: ({ target, over, comparison: { difference } }: Overhead) => {
      const [own, base] = [pointOf(levelOf(target)), pointOf(levelOf(over))];
      const isKnown = own !== null && base !== null;
      const shown = isKnown ? shifted(difference, rounded(own) - rounded(base)) : null;
      return signedPlusMinus(shown, NS_PER_US, decimals);
    },
  };
}

type Sums = ReturnType<typeof sumsOf>;

/** What the most expensive request is made of, from the floor up. */
function dearestText(rows: readonly AnswerRow[], { level, adds }: Sums): string {
  const dearest = rows.findLast(({ step, figures }) => {
    return step !== null && pointOf(figures?.cpuPerRequest) !== null;
  });
  if (dearest === undefined) return 'It is not known what any step adds.';
  const valueText = (target: Target) => level(target).split(' ')[0];
  const partsOf = (target: Target): string[] => {
    const row = rows.find((each) => each.target === target);
    if (row === undefined) return [];
    if (row.step === null) return [`${valueText(target)} ${target.label}`];
    return [...partsOf(row.step.over), `${adds(row.step)} ${target.label}`];
  };
  const mayBeNothing = rows.some(({ step }) => {
    if (step === null) return false;
    const { difference } = step.comparison;
    const least = difference.kind === 'interval' ? difference.low : pointOf(difference);
    return (least ?? 0) <= 0;
  });
  const { target } = dearest;
  return sentences(
    `A request to ${target.label} takes ${valueText(target)} µs of CPU: ${partsOf(target).join(', ')}.`,
    mayBeNothing ? MAY_BE_NOTHING : null,
  );
}
