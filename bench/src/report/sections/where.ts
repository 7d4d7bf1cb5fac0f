import { pointOf } from '../../math/statistics.ts';
import type { ProfiledFunction } from '../../record/profile.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import type { Section, Table } from '../document.ts';
import { partColumns } from '../drawings.ts';
import { microseconds, plusMinus, ratioRange, signedPlusMinus } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';
import {
  CHECKED,
  functionName,
  methodText,
  partName,
  SERIES,
  seriesOf,
  UNCHECKED,
  whyText,
} from './where-text.ts';

/** Parts below this share of a request are shown only with details. */
const SMALL = 0.01;
/** How many functions are shown below a part. */
const FUNCTIONS = 5;

/** Where CPU time goes, and why one target costs more than another. */
export function whereSections(wheres: readonly Where[], details: boolean): Section[] {
  const heading = 'Where the microseconds go';
  if (wheres.length === 0) return [section(heading, [paragraph('Nothing was sampled here.')])];
  const upwards = wheres.toSorted(
    (a, b) => (pointOf(a.measured) ?? 0) - (pointOf(b.measured) ?? 0),
  );
  const isChecked = wheres.some(({ overUnsampled }) => overUnsampled.kind === 'interval');
  const why = upwards.flatMap((where) => whyText(where) ?? []);
  return [
    section(heading, [
      whereTable(upwards, isChecked),
      ...why.map(paragraph),
      paragraph(isChecked ? CHECKED : UNCHECKED),
    ]),
    ...upwards.map((where) => targetSection(where, details)),
    section('How this was measured', [paragraph(methodText(wheres))]),
  ];
}

/** The CPU time of a request by part for each target, and whether the parts add up. */
function whereTable(wheres: readonly Where[], isChecked: boolean): Table {
  const rows = wheres.map((where) => ({
    where,
    name: where.target.label,
    text: plusMinus(where.together, 1000),
    parts: SERIES.map((name) => {
      const value = sumOf(where.parts.filter(({ part }) => seriesOf(part) === name));
      return { name, value, text: microseconds(value) };
    }),
  }));
  type Row = (typeof rows)[number];
  const agreement: Column<Row>[] = [
    amount('known', 'over\nunsampled', ({ where }) => ratioRange(where.overUnsampled)),
    words('known', 'agreement', ({ where: { agreement: own } }) => {
      return own === 'off' ? { text: own, emphasis: 'warn' } : own;
    }),
  ];
  const columns: Column<Row>[] = [
    ...partColumns(rows),
    amount('known', 'unattributed', ({ where: { parts, measured } }) => {
      const unknownNs = sumOf(parts.filter(({ part }) => part.kind === 'unknown'));
      const share = unknownNs / (pointOf(measured) ?? Number.NaN);
      return Number.isNaN(share) ? null : `${(share * 100).toFixed(1)} %`;
    }),
    ...(isChecked ? agreement : []),
  ];
  return tableOf(['CPU µs/request', ({ name }) => name], columns, rows);
}

function sumOf(parts: readonly PartCost[]): number {
  return parts.reduce((sum, { ns }) => sum + (pointOf(ns) ?? 0), 0);
}

type Row = ReturnType<typeof partRow>;

/** The CPU time of a target's requests by owner. */
function targetSection({ target, over, measured, more, parts }: Where, details: boolean): Section {
  const least = (pointOf(measured) ?? 0) * SMALL;
  const isShown = (part: PartCost) => {
    return details || [part.ns, part.more].some((each) => Math.abs(pointOf(each) ?? 0) >= least);
  };
  const small = parts.filter((part) => !isShown(part));
  const rows = parts.filter(isShown).flatMap((part) => {
    return [partRow(part), ...(details ? part.functions.slice(0, FUNCTIONS).map(functionRow) : [])];
  });
  const columns = [
    amount<Row>('', 'CPU\nµs/request', ({ cpu }) => cpu),
    ...(over === null ? [] : [amount<Row>('', `more than\n${over.label}`, (row) => row.more)]),
    // With details functions have their own rows.
    ...(details ? [] : [words<Row>('', 'mostly', ({ mostly }) => mostly)]),
  ];
  const than = over === null ? '' : `, ${signedPlusMinus(more, 1000)} compared with ${over.label}`;
  const rest =
    small.length === 0
      ? ''
      : ` Not shown: ${small.length} more, together ${microseconds(sumOf(small))} µs.`;
  return section(target.label, [
    tableOf(['owner', ({ name }) => name], columns, rows),
    paragraph(`Measured without sampling: ${plusMinus(measured, 1000)} µs${than}.${rest}`),
  ]);
}

/** The row of a part. */
function partRow({ part, ns, more, functions: [most] }: PartCost) {
  // A pseudo-function such as (idle) adds nothing to the name of its part.
  const isNamed = most !== undefined && !(most.file === null && most.name.startsWith('('));
  return {
    name: partName(part),
    cpu: plusMinus(ns, 1000),
    more: signedPlusMinus(more, 1000),
    mostly: isNamed ? functionName(most) : null,
  };
}

/** The row of a function below its part. */
function functionRow(own: ProfiledFunction): Row {
  return { name: `· ${functionName(own)}`, cpu: microseconds(own.ns), more: '', mostly: '' };
}
