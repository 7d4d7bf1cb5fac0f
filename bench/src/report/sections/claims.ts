import {
  type ClaimRow,
  type ClaimTable,
  type ComparisonRow,
  type PublishedValue,
  sizeOf,
} from '../../summary/claims.ts';
import { scaleOf, unitOf } from '../../summary/named-figures.ts';
import { runtimeName } from '../../targets/runtime.ts';
import { amount, type Column, type Section, tableOf, words } from '../document.ts';
import { intervals, onPage } from '../drawings.ts';
import { number, plusMinus, ratio, ratioRange, sentences } from '../format.ts';
import { figureName, topologyName, withUnit } from '../names.ts';
import { flaggedTable, section } from '../section.ts';
import { PLACE } from './columns.ts';

/** The outcome of each claim, if any is judged, without those left out; unless `isShort`, also what decides it. */
export function claimSections(
  { claims, comparisons, values, source, machine }: ClaimTable,
  { note, isShort = false }: { note?: string | undefined; isShort?: boolean } = {},
): Section[] {
  if (comparisons.length === 0 && values.length === 0) return [];
  const compared = flaggedTable({
    name: ['what', comparisonName],
    columns: comparedColumns(comparisons),
    rows: comparisons,
    flagsOf: ({ comparison }) => comparison.flags,
  });
  const isAnyJudged = claims.some(({ outcome }) => outcome !== 'not measured');
  const isLeftOut = ({ outcome, reason }: ClaimRow) =>
    outcome === 'not measured' && reason === null;
  const shown = claims.filter((claim) => isAnyJudged && !isLeftOut(claim));
  const notShown = claims.filter((claim) => !shown.includes(claim)).map(({ label }) => label);
  const evidence = [
    ...shown.map(claimText),
    ...(comparisons.length === 0 ? [] : compared),
    values.length === 0 ? null : tableOf(PLACE, VALUES, values),
  ];
  const parts = [
    shown.length === 0 ? null : tableOf(['claim', ({ label }) => label], OUTCOMES, shown),
    notShown.length === 0 ? null : `Not measured in this run: ${notShown.join('; ')}.`,
    ...(isShort ? [] : evidence),
    sentences(source && `Published: ${source}, on ${machine}.`, note ?? null),
  ];
  return [section('Published versus measured', parts)];
}

const OUTCOMES: Column<ClaimRow>[] = [
  words('outcome', 'here', ({ outcome }) => outcome),
  words('outcome', 'by', (row) => measuredText(row) || row.reason),
];

/** What decides a claim; empty if it was not measured. Figures are named where they, or the published one, differ. */
export function measuredText({ outcome, rows, values, isByOther }: ClaimRow): string {
  if (outcome === 'not measured') return '';
  const differ = isByOther || new Set(rows.map(({ declared }) => declared.figure)).size > 1;
  return [
    ...rows.map(({ comparison, declared, runtime }) => {
      const figure = differ ? ` (${figureText(declared)})` : '';
      return `${ratioRange(comparison.ratio)}${figure}${onRuntime(runtime)}`;
    }),
    ...values.map(({ measured, declared, runtime }) => {
      const { figure } = declared;
      return `${plusMinus(measured, scaleOf(figure))} ${unitOf(figure)}${onRuntime(runtime)}`.trim();
    }),
  ].join(', ');
}

export function publishedText({ published: { ratios, values } }: ClaimRow): string {
  return [
    ...new Set(ratios.map(ratio)),
    ...new Set(values.map(({ value, figure }) => `${value} ${unitOf(figure)}`)),
  ].join(', ');
}

function onRuntime(runtime: ComparisonRow['runtime']): string {
  return runtime === null ? '' : ` on ${runtimeName(runtime)}`;
}

/** A claim in the words of its source, and how it was interpreted. */
export function claimText({ label, claim, because }: ClaimRow): string {
  return `${label}: “${claim}”${because === null ? '' : `: ${because}`}.`;
}

function comparedColumns(rows: readonly ComparisonRow[]): Column<ComparisonRow>[] {
  const ratioOf = ({ comparison }: ComparisonRow) => comparison.ratio;
  return [
    words('what', 'figure', ({ declared }) => figureText(declared)),
    words('what', 'load', ({ load, base }) => [...new Set([load.id, base.load.id])].join(', ')),
    amount('ratio', 'published', ({ declared: { published } }) => {
      return published === undefined ? null : ratio(published);
    }),
    amount('ratio', 'here', (row) => ratioRange(ratioOf(row))),
    onPage(intervals('ratios', 'ratio', rows, ratioOf, ({ declared }) => declared.published)),
    words('ratio', 'verdict', ({ comparison }) => sizeOf(comparison)),
  ];
}

const VALUES: Column<PublishedValue>[] = [
  words('what', 'load', ({ load }) => load.id),
  words('what', 'figure', ({ declared: { figure, inS } }) => {
    return withUnit(figure, inS === undefined ? '' : ` in ${inS} s`);
  }),
  amount('value', 'published', ({ declared }) => number(declared.value)),
  amount('value', 'here', (row) => plusMinus(row.measured, scaleOf(row.declared.figure))),
];

function figureText({ figure, role }: ComparisonRow['declared']): string {
  return figure === 'cpu' && role === 'total' ? 'total CPU' : figureName(figure);
}

function comparisonName({ declared, runtime, target, topology, base }: ComparisonRow): string {
  if (declared.label !== undefined) return `${declared.label}${onRuntime(runtime)}`;
  if (target !== base.target) return `${target.label} over ${base.target.label}`;
  return `${target.label}: ${topologyName(topology)} over ${topologyName(base.topology)}`;
}
